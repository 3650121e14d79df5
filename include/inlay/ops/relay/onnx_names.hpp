// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_ONNX_NAMES_HPP
#define INLAY_OPS_RELAY_ONNX_NAMES_HPP

#include <string_view>
#include <utility>

namespace inlay::detail {

/// Operators of Relay that ONNX has under another name, with the same operands and no attributes.
inline constexpr std::pair<std::string_view, std::string_view> relay_as_onnx[] = {
    {"abs", "onnx.Abs"},
    {"acos", "onnx.Acos"},
    {"acosh", "onnx.Acosh"},
    {"add", "onnx.Add"},
    {"asin", "onnx.Asin"},
    {"asinh", "onnx.Asinh"},
    {"atan", "onnx.Atan"},
    {"atanh", "onnx.Atanh"},
    {"bitwise_and", "onnx.BitwiseAnd"},
    {"bitwise_not", "onnx.BitwiseNot"},
    {"bitwise_or", "onnx.BitwiseOr"},
    {"bitwise_xor", "onnx.BitwiseXor"},
    {"ceil", "onnx.Ceil"},
    {"cos", "onnx.Cos"},
    {"cosh", "onnx.Cosh"},
    {"divide", "onnx.Div"},
    {"equal", "onnx.Equal"},
    {"erf", "onnx.Erf"},
    {"exp", "onnx.Exp"},
    {"fast_erf", "onnx.Erf"},
    {"fast_exp", "onnx.Exp"},
    {"fast_tanh", "onnx.Tanh"},
    {"floor", "onnx.Floor"},
    {"greater", "onnx.Greater"},
    {"greater_equal", "onnx.GreaterOrEqual"},
    {"isinf", "onnx.IsInf"},
    {"isnan", "onnx.IsNaN"},
    {"less", "onnx.Less"},
    {"less_equal", "onnx.LessOrEqual"},
    {"log", "onnx.Log"},
    {"logical_and", "onnx.And"},
    {"logical_not", "onnx.Not"},
    {"logical_or", "onnx.Or"},
    {"logical_xor", "onnx.Xor"},
    {"maximum", "onnx.Max"},
    {"minimum", "onnx.Min"},
    {"multiply", "onnx.Mul"},
    {"negative", "onnx.Neg"},
    {"nn.relu", "onnx.Relu"},
    {"power", "onnx.Pow"},
    {"sigmoid", "onnx.Sigmoid"},
    {"sign", "onnx.Sign"},
    {"sin", "onnx.Sin"},
    {"sinh", "onnx.Sinh"},
    {"sqrt", "onnx.Sqrt"},
    {"subtract", "onnx.Sub"},
    {"tan", "onnx.Tan"},
    {"tanh", "onnx.Tanh"},
    {"where", "onnx.Where"},
};

}  // namespace inlay::detail

#endif
