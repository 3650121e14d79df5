// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_INTERPRET_HPP
#define INLAY_OPS_INTERPRET_INTERPRET_HPP

#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/interpret/interpret_options.hpp>
#include <inlay/ops/interpret/runtime_value.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

namespace detail {

/// `interpret` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> interpret_by(const ir_module& m, std::span<const tensor> inputs, op_finder find,
                                                                       const interpret_options& options);

/// `interpret_values` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<runtime_value> interpret_values_by(const ir_module& m, std::span<const runtime_value> arguments,
                                                                        op_finder find, const interpret_options& options);

}  // namespace detail

/// Runs a program on values, one per parameter of main, and gives what its result is: the meaning that every back end is held against. All
/// kinds of nodes, and ONNX's loops; of a branch only the side taken; a value is freed after its last use. Calls mean what the operator set
/// `Ops` says; `on_device` and `device_copy` are their operand, and `call_lowered` applies a function to the fields of a tuple. A tuple
/// among an operator's operands stands for its fields. A function among the values is one of this module. The error names the node, by its
/// place in the text where that is known, and what is wrong. O(nodes run) beside the operators' own work.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<runtime_value> interpret_values(const ir_module& m, std::span<const runtime_value> arguments, Ops = {},
                                                      const interpret_options& options = {}) {
    return detail::interpret_values_by(
        m, arguments, [](std::string_view name) { return Ops::find(name); }, options);
}

/// The same on tensors, for programs whose results are tensors: one, or a tuple of them, which are given in order.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<std::vector<tensor>> interpret(const ir_module& m, std::span<const tensor> inputs, Ops = {},
                                                     const interpret_options& options = {}) {
    return detail::interpret_by(
        m, inputs, [](std::string_view name) { return Ops::find(name); }, options);
}

/// The same with every float of the program and its inputs in scalar T: `interpret_as<double>` gives float64 results, nearer to the real
/// numbers than what it is compared with. A cast to a float type keeps T.
template <class T, op_set Ops = onnx_ops>
[[nodiscard]] outcome<std::vector<tensor>> interpret_as(const ir_module& m, std::span<const tensor> inputs, Ops ops = {},
                                                        interpret_options options = {}) {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "interpret_as computes in float or in double");
    options.in_float64 = std::is_same_v<T, double>;
    return interpret(m, inputs, ops, options);
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/interpret/interpret.ipp>
#endif

#endif
