// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_RANGED_CALL_HPP
#define INLAY_BACKEND_RANGED_CALL_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// The constant that operand i of a call is; null where it is none.
[[nodiscard]] inline const tensor* constant_of(const region_view& r, const region_value& call, std::size_t i) {
    return r.has_operand(call, i) ? r.operand(call, i).value : nullptr;
}

/// A range of floats that numbers are cut to.
struct float_range {
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();

    /// Cuts it by what a Relu or Clip leaves of it. The error says what else the call is, or that its range is computed.
    [[nodiscard]] outcome<void> cut_by(const region_view& r, const region_value& v, const std::string& behind) {
        if (v.op == "onnx.Relu") {
            low = std::max(low, 0.0f);
            return {};
        }
        if (v.op != "onnx.Clip") return error{std::string(v.op) + " behind " + behind + " is none of Relu and Clip"};
        const tensor *least = constant_of(r, v, 1), *most = constant_of(r, v, 2);
        if ((r.has_operand(v, 1) && least == nullptr) || (r.has_operand(v, 2) && most == nullptr))
            return error{"the range of the Clip behind " + behind + " is not known before the run"};
        if (least != nullptr) low = std::max(low, least->as<float>()[0]);
        if (most != nullptr) high = std::min(high, most->as<float>()[0]);
        return {};
    }
};

/// The first call of a region, and the range that Relu and Clip behind it cut its result to.
struct ranged_call {
    const region_value* call = nullptr;
    float_range range;
};

/// Reads a region of one chain. The error says what stands in it that is not this; `name` is what the first call is to the reader.
[[nodiscard]] inline outcome<ranged_call> ranged_call_of(const region_view& r, const std::string& name) {
    ranged_call made;
    for (const region_value& v : r.calls()) {
        if (v.kind == region_value::role::projection) return error{"a call of several outputs is no layer"};
        if (made.call == nullptr)
            made.call = &v;
        else if (auto cut = made.range.cut_by(r, v, name); !cut)
            return cut.failure();
    }
    if (made.call == nullptr) return error{"the region has no call"};
    if (r.results.size() != 1) return error{"more than the last value leaves the region"};
    return made;
}

}  // namespace inlay::detail

#endif
