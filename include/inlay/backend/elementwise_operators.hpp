// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ELEMENTWISE_OPERATORS_HPP
#define INLAY_BACKEND_ELEMENTWISE_OPERATORS_HPP

#include <string_view>

#include <inlay/backend/activation_of.hpp>
#include <inlay/backend/anchored_chain.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Whether an operator may stand in a chain that goes element by element, by its name.
[[nodiscard]] inline bool is_elementwise_operator(std::string_view op) {
    return combination_of(op) || function_of_operator(op, {}) || op == "onnx.Clip" || op == "onnx.HardSigmoid" || op == "onnx.Pow";
}

/// A function of each element, in any spelling.
[[nodiscard]] constexpr auto pattern_of_elementwise_functions() { return activation_of(dsl::any); }

/// An operation of two tensors, perhaps with another one and a function behind it.
[[nodiscard]] constexpr auto pattern_of_elementwise_operations() {
    constexpr auto one = dsl::call_on<1, "onnx.Add", "onnx.Sum", "onnx.Mul", "onnx.Sub", "onnx.Div", "onnx.Max", "onnx.Min">(dsl::any);
    return maybe_activation_of(dsl::maybe_call_on<2, "onnx.Add", "onnx.Mul">(one));
}

}  // namespace inlay::detail

#endif
