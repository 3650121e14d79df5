// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FOLD_CONSTANTS_HPP
#define INLAY_PASSES_FOLD_CONSTANTS_HPP

#include <cstddef>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/passes/infer_types.hpp>

namespace inlay {

struct fold_options {
    type_bindings bindings;
    std::size_t most_bytes = std::size_t{1} << 20;  // of a folded result, unless its operands have as many
};

/// Whether two equal calls of an operator may give different values, so that it is neither folded nor merged.
[[nodiscard]] inline bool is_random(std::string_view op) {
    return op.starts_with("onnx.Random") || op == "onnx.Bernoulli" || op == "onnx.Multinomial";
}

namespace detail {

/// `fold_constants` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<ir_module> fold_constants_by(const ir_module& m, const fold_options& options, op_finder find);

}  // namespace detail

/// The module with every node that can be computed before the run as a constant, and with types as `infer_types` gives them: calls whose
/// operands are constants, shapes of known types and arithmetic on shapes known in part (a Reshape's target with one unknown becomes -1),
/// and the taken side of an if whose condition is known. What nobody reads any more goes. Names of nodes folded away are found among the
/// `origins` of what they were folded into. Results larger than `most_bytes` are left to the run unless their operands are as large.
/// Folding a folded module changes nothing.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<ir_module> fold_constants(const ir_module& m, const fold_options& options = {}, Ops = {}) {
    return detail::fold_constants_by(m, options, [](std::string_view name) { return Ops::find(name); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/fold_constants.ipp>
#endif

#endif
