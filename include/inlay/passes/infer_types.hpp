// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_INFER_TYPES_HPP
#define INLAY_PASSES_INFER_TYPES_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// What is decided about a program's shapes from outside: sizes of symbols, and shapes of inputs by name. A shape given for an input
/// replaces the declared one, and decides the symbols that stand in it.
struct type_bindings {
    std::vector<std::pair<std::string, std::int64_t>> symbols;
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> inputs;
};

struct infer_options {
    type_bindings bindings;
    bool complete = false;  // an operator without a type rule, and a type that is not static, is an error
};

namespace detail {

/// `infer_types` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<ir_module> infer_types_by(const ir_module& m, const infer_options& options, op_finder find);

}  // namespace detail

/// The module with a type at every node, from the types of its inputs under the bindings and the type rules of `Ops`. Where rules leave
/// something open, or an operator is not known, what the source declared stands, and else an unknown; with `complete` that is an error.
/// Parameters of inner functions and variables of `match` keep the types that they declare. The error names the node. Linear in the module.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<ir_module> infer_types(const ir_module& m, const infer_options& options = {}, Ops = {}) {
    return detail::infer_types_by(m, options, [](std::string_view name) { return Ops::find(name); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/infer_types.ipp>
#endif

#endif
