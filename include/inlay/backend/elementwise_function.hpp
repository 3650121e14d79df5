// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ELEMENTWISE_FUNCTION_HPP
#define INLAY_BACKEND_ELEMENTWISE_FUNCTION_HPP

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <inlay/graph/attribute.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>

namespace inlay::detail {

/// A function of one number, in nobody's words: what libraries call differently.
struct elementwise_function {
    enum class form : std::uint8_t {
        linear,      // alpha x + beta
        relu,        // x, below 0 alpha x
        clip,        // between alpha and beta, which may be infinite
        power,       // alpha x^beta
        hard_swish,  // x times alpha x + beta, cut to 0 and 1
        elu,         // x, below 0 alpha (e^x - 1)
        sigmoid,
        swish,
        tanh,
        gelu,
        gelu_tanh,
        softplus,
        mish,
        abs,
        square,
        sqrt,
        exp,
        log
    };
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    form kind = form::linear;
    double alpha = 0, beta = 0;
};

/// The function that an operator of one operand is; nothing where it is none of these. Bounds, which are operands, are not looked at;
/// `onnx.HardSigmoid`, which is two functions, is none.
[[nodiscard]] inline std::optional<elementwise_function> function_of_operator(std::string_view op, const attribute_map& attributes) {
    using form = elementwise_function::form;
    struct spelling {
        std::string_view op;
        elementwise_function function;
    };
    constexpr spelling known[] = {{"onnx.Relu", {form::relu}},
                                  {"onnx.Sigmoid", {form::sigmoid}},
                                  {"onnx.Tanh", {form::tanh}},
                                  {"onnx.HardSwish", {form::hard_swish, 1.0 / 6, 0.5}},
                                  {"onnx.Softplus", {form::softplus}},
                                  {"onnx.Mish", {form::mish}},
                                  {"onnx.Abs", {form::abs}},
                                  {"onnx.Sqrt", {form::sqrt}},
                                  {"onnx.Exp", {form::exp}},
                                  {"onnx.Log", {form::log}},
                                  {"onnx.Neg", {form::linear, -1}},
                                  {"onnx.Identity", {form::linear, 1}},
                                  {"onnx.Reciprocal", {form::power, 1, -1}}};
    for (const spelling& s : known)
        if (s.op == op) return s.function;
    if (op == "onnx.LeakyRelu") return elementwise_function{form::relu, read<leaky_relu_attributes>(attributes).alpha};
    if (op == "onnx.Elu") return elementwise_function{form::elu, read<elu_attributes>(attributes).alpha};
    if (op == "onnx.Gelu")
        return elementwise_function{read<gelu_attributes>(attributes).approximate == "tanh" ? form::gelu_tanh : form::gelu};
    return std::nullopt;
}

/// The function that an operator of two operands is where one is a number; `turned` says that the number stands first.
[[nodiscard]] inline std::optional<elementwise_function> function_with_number(std::string_view op, double n, bool turned) {
    using form = elementwise_function::form;
    if (op == "onnx.Add" || op == "onnx.Sum") return elementwise_function{form::linear, 1, n};
    if (op == "onnx.Sub") return turned ? elementwise_function{form::linear, -1, n} : elementwise_function{form::linear, 1, -n};
    if (op == "onnx.Mul") return elementwise_function{form::linear, n};
    if (op == "onnx.Div") return turned ? elementwise_function{form::power, n, -1} : elementwise_function{form::linear, 1 / n};
    if (op == "onnx.Max") return elementwise_function{form::clip, n, elementwise_function::infinity};
    if (op == "onnx.Min") return elementwise_function{form::clip, -elementwise_function::infinity, n};
    if (op != "onnx.Pow" || turned) return std::nullopt;
    return elementwise_function{n == 2 ? form::square : n == 0.5 ? form::sqrt : form::power, 1, n};
}

/// Whether a function is x where it is above 0, else 0.
[[nodiscard]] inline bool is_relu(const elementwise_function& f) {
    using form = elementwise_function::form;
    return (f.kind == form::relu && f.alpha == 0) || (f.kind == form::clip && f.alpha == 0 && f.beta == elementwise_function::infinity);
}

}  // namespace inlay::detail

#endif
