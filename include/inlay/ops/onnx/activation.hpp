// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ACTIVATION_HPP
#define INLAY_OPS_ONNX_ACTIVATION_HPP

#include <algorithm>
#include <cmath>
#include <string_view>

#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

struct celu_op {
    static constexpr std::string_view name = "onnx.Celu";
    using scalars = floating_scalars;
    static constexpr double flops = 5;
    static parameter_array parameters(const call_view& c) { return {read<celu_attributes>(c).alpha}; }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        return std::max(T(0), x) + std::min(T(0), p[0] * std::expm1(x / p[0]));
    }
};

struct elu_op {
    static constexpr std::string_view name = "onnx.Elu";
    using scalars = floating_scalars;
    static constexpr double flops = 3;
    static parameter_array parameters(const call_view& c) { return {read<elu_attributes>(c).alpha}; }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        return x < T(0) ? p[0] * std::expm1(x) : x;
    }
};

struct gelu_op {
    static constexpr std::string_view name = "onnx.Gelu";
    using scalars = floating_scalars;
    static constexpr double flops = 6;
    static parameter_array parameters(const call_view& c) { return {read<gelu_attributes>(c).approximate == "tanh" ? 1.0 : 0.0}; }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        constexpr T root_half = T(0.70710678118654752440);         // 1 / sqrt(2)
        constexpr T root_two_over_pi = T(0.79788456080286535588);  // sqrt(2 / pi)
        if (p[0] != T(0)) return T(0.5) * x * (T(1) + std::tanh(root_two_over_pi * (x + T(0.044715) * x * x * x)));
        return T(0.5) * x * (T(1) + std::erf(x * root_half));
    }
};

struct hard_sigmoid_op {
    static constexpr std::string_view name = "onnx.HardSigmoid";
    using scalars = floating_scalars;
    static constexpr double flops = 4;
    static parameter_array parameters(const call_view& c) {
        const hard_sigmoid_attributes a = read<hard_sigmoid_attributes>(c);
        return {a.alpha, a.beta};
    }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        return std::max(T(0), std::min(T(1), p[0] * x + p[1]));
    }
};

struct hard_swish_op {
    static constexpr std::string_view name = "onnx.HardSwish";
    using scalars = floating_scalars;
    static constexpr double flops = 5;
    template <class T>
    static T apply(T x) {
        return x * std::max(T(0), std::min(T(1), x / T(6) + T(0.5)));
    }
};

struct leaky_relu_op {
    static constexpr std::string_view name = "onnx.LeakyRelu";
    using scalars = floating_scalars;
    static constexpr double flops = 2;
    static parameter_array parameters(const call_view& c) { return {read<leaky_relu_attributes>(c).alpha}; }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        return x < T(0) ? p[0] * x : x;
    }
};

struct mish_op {
    static constexpr std::string_view name = "onnx.Mish";
    using scalars = floating_scalars;
    static constexpr double flops = 4;
    template <class T>
    static T apply(T x) {
        return x * std::tanh(std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x))));
    }
};

struct prelu_op {
    static constexpr std::string_view name = "onnx.PRelu";
    using scalars = signed_scalars;
    static constexpr double flops = 2;
    template <class T>
    static T apply(T x, T slope) {
        return x < T(0) ? static_cast<T>(slope * x) : x;
    }
};

struct relu_op {
    static constexpr std::string_view name = "onnx.Relu";
    using scalars = signed_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return x < T(0) ? T(0) : x;  // this way round a NaN stays one
    }
};

struct selu_op {
    static constexpr std::string_view name = "onnx.Selu";
    using scalars = floating_scalars;
    static constexpr double flops = 4;
    static parameter_array parameters(const call_view& c) {
        const selu_attributes a = read<selu_attributes>(c);
        return {a.alpha, a.gamma};
    }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        return p[1] * (x > T(0) ? x : p[0] * std::expm1(x));
    }
};

struct shrink_op {
    static constexpr std::string_view name = "onnx.Shrink";
    using scalars = numeric_scalars;
    static constexpr double flops = 2;
    static parameter_array parameters(const call_view& c) {
        const shrink_attributes a = read<shrink_attributes>(c);
        return {a.bias, a.lambd};
    }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        const auto wide = static_cast<double>(x);
        return wide < -p[1] ? static_cast<T>(wide + p[0]) : wide > p[1] ? static_cast<T>(wide - p[0]) : T(0);
    }
};

struct sigmoid_op {
    static constexpr std::string_view name = "onnx.Sigmoid";
    using scalars = floating_scalars;
    static constexpr double flops = 4;
    template <class T>
    static T apply(T x) {
        // exp of a number that is not positive cannot overflow.
        const T e = std::exp(-std::abs(x));
        return (x < T(0) ? e : T(1)) / (T(1) + e);
    }
};

struct softplus_op {
    static constexpr std::string_view name = "onnx.Softplus";
    using scalars = floating_scalars;
    static constexpr double flops = 3;
    template <class T>
    static T apply(T x) {
        return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
    }
};

struct softsign_op {
    static constexpr std::string_view name = "onnx.Softsign";
    using scalars = floating_scalars;
    static constexpr double flops = 3;
    template <class T>
    static T apply(T x) {
        return x / (T(1) + std::abs(x));
    }
};

struct thresholded_relu_op {
    static constexpr std::string_view name = "onnx.ThresholdedRelu";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    static parameter_array parameters(const call_view& c) { return {read<thresholded_relu_attributes>(c).alpha}; }
    template <class T>
    static T apply(T x, const typed_parameters<T>& p) {
        return x > p[0] ? x : T(0);
    }
};

/// PRelu's second operand is stretched to the first one's shape, never the other way round.
inline outcome<node_type> infer_prelu(const call_view& call) {
    auto met = infer_binary<prelu_op>(call);
    if (!met) return met;
    const tensor_type &x = call.type(0), &slope = call.type(1);
    if (!x.ranked) return node_type(tensor_type(met->of_tensor.element));
    bool is_wider = slope.ranked && met->of_tensor.rank() != x.rank();
    for (std::size_t i = 0; slope.ranked && !is_wider && i < x.rank(); ++i) {
        const extent &own = x.extents[i], &both = met->of_tensor.extents[i];
        is_wider = own.is_known() && both.is_known() && own.size != both.size;
    }
    if (is_wider) return error{"PRelu cannot stretch its slope of type " + to_string(slope) + " to " + to_string(x)};
    return node_type(tensor_type(met->of_tensor.element, x.extents));
}

}  // namespace detail

/// Activations of one operand (and PRelu, whose slope is an operand): the definitions, in any order. A template, so that a program
/// that never looks an operator up compiles none of them.
template <class = void>
struct onnx_activations {
    static constexpr auto table = with_attributes<celu_attributes, elu_attributes, gelu_attributes, hard_sigmoid_attributes,
                                                  leaky_relu_attributes, selu_attributes, shrink_attributes, thresholded_relu_attributes>({
        detail::unary<detail::celu_op>,
        detail::unary<detail::elu_op>,
        detail::unary<detail::gelu_op>,
        detail::unary<detail::hard_sigmoid_op>,
        detail::unary<detail::hard_swish_op>,
        detail::unary<detail::leaky_relu_op>,
        detail::unary<detail::mish_op>,
        detail::unary<detail::relu_op>,
        detail::unary<detail::selu_op>,
        detail::unary<detail::shrink_op>,
        detail::unary<detail::sigmoid_op>,
        detail::unary<detail::softplus_op>,
        detail::unary<detail::softsign_op>,
        detail::unary<detail::thresholded_relu_op>,
        {"onnx.PRelu", op_kind::broadcast, detail::infer_prelu, detail::evaluate_binary<detail::prelu_op>,
         detail::work_elementwise<detail::prelu_op>},
    });
};

}  // namespace inlay

#endif
