// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_COMPILE_FAIL_A_MATCH_HPP
#define INLAY_TESTS_COMPILE_FAIL_A_MATCH_HPP

#include <type_traits>

#include <inlay/candidate/match_view.hpp>
#include <inlay/ops/attributes/onnx_operator_attributes.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

/// A match of Relu(Conv(x, ...)), the convolution and its first operand captured.
inline constexpr auto relu_of_conv =
    inlay::dsl::op<"onnx.Relu">(inlay::dsl::as<"conv">(inlay::dsl::op<"onnx.Conv">(inlay::dsl::as<"x">, inlay::dsl::rest)));
using a_match = inlay::match_of<std::remove_cvref_t<decltype(relu_of_conv)>>;

#endif
