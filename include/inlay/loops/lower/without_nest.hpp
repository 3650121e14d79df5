// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_WITHOUT_NEST_HPP
#define INLAY_LOOPS_LOWER_WITHOUT_NEST_HPP

#include <array>
#include <string_view>

namespace inlay {

namespace detail {

/// Operators that no loop nest is for, with dialect, and why.
struct operators_without_nest {
    std::string_view why;
    std::array<std::string_view, 5> operators;  // empty ones behind
};

inline constexpr operators_without_nest reasons_without_nest[] = {
    {"an element tells where another one stands, and indices follow loops alone",
     {"onnx.GatherElements", "onnx.GatherND", "onnx.ReverseSequence", "onnx.ScatterElements", "onnx.ScatterND"}},
    {"the shape is known only while they run", {"onnx.Compress", "onnx.NonZero", "onnx.Unique"}},
    {"they sort, or choose among equals by their order", {"onnx.Hardmax", "onnx.TopK"}},
    {"they are control, not loops over elements", {"onnx.Loop", "onnx.Scan"}},
    {"what it gives are three tensors, of which the others follow from the first's range", {"onnx.DynamicQuantizeLinear"}},
    {"they are known before the run, and folding has replaced them", {"onnx.Constant", "onnx.Shape", "onnx.Size"}},
};

}  // namespace detail

/// Why no call of an operator of the table, with dialect, is lowered to a loop nest; empty where some are, and for operators that the
/// table does not have.
[[nodiscard]] constexpr std::string_view reason_without_nest(std::string_view op) {
    for (const detail::operators_without_nest& each : detail::reasons_without_nest)
        for (const std::string_view one : each.operators)
            if (!one.empty() && one == op) return each.why;
    return {};
}

}  // namespace inlay

#endif
