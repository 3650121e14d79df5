// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_MATH_HPP
#define INLAY_OPS_ONNX_MATH_HPP

#include <cmath>
#include <string_view>
#include <type_traits>

#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

struct acos_op {
    static constexpr std::string_view name = "onnx.Acos";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::acos(x);
    }
};

struct acosh_op {
    static constexpr std::string_view name = "onnx.Acosh";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::acosh(x);
    }
};

struct asin_op {
    static constexpr std::string_view name = "onnx.Asin";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::asin(x);
    }
};

struct asinh_op {
    static constexpr std::string_view name = "onnx.Asinh";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::asinh(x);
    }
};

struct atan_op {
    static constexpr std::string_view name = "onnx.Atan";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::atan(x);
    }
};

struct atanh_op {
    static constexpr std::string_view name = "onnx.Atanh";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::atanh(x);
    }
};

struct ceil_op {
    static constexpr std::string_view name = "onnx.Ceil";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::ceil(x);
    }
};

struct cos_op {
    static constexpr std::string_view name = "onnx.Cos";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::cos(x);
    }
};

struct cosh_op {
    static constexpr std::string_view name = "onnx.Cosh";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::cosh(x);
    }
};

struct erf_op {
    static constexpr std::string_view name = "onnx.Erf";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::erf(x);
    }
};

struct exp_op {
    static constexpr std::string_view name = "onnx.Exp";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::exp(x);
    }
};

struct floor_op {
    static constexpr std::string_view name = "onnx.Floor";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::floor(x);
    }
};

struct log_op {
    static constexpr std::string_view name = "onnx.Log";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::log(x);
    }
};

struct sin_op {
    static constexpr std::string_view name = "onnx.Sin";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::sin(x);
    }
};

struct sinh_op {
    static constexpr std::string_view name = "onnx.Sinh";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::sinh(x);
    }
};

struct sqrt_op {
    static constexpr std::string_view name = "onnx.Sqrt";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::sqrt(x);
    }
};

struct tan_op {
    static constexpr std::string_view name = "onnx.Tan";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::tan(x);
    }
};

struct tanh_op {
    static constexpr std::string_view name = "onnx.Tanh";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::tanh(x);
    }
};

struct abs_op {
    static constexpr std::string_view name = "onnx.Abs";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        if constexpr (std::is_floating_point_v<T>)
            return std::abs(x);
        else  // the least signed number has no opposite: it stays, as in two's complement
            return x < T(0) ? static_cast<T>(T(0) - static_cast<std::make_unsigned_t<T>>(x)) : x;
    }
};

struct neg_op {
    static constexpr std::string_view name = "onnx.Neg";
    using scalars = signed_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        if constexpr (std::is_floating_point_v<T>)
            return -x;
        else
            return static_cast<T>(T(0) - static_cast<std::make_unsigned_t<T>>(x));
    }
};

struct reciprocal_op {
    static constexpr std::string_view name = "onnx.Reciprocal";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return T(1) / x;
    }
};

struct round_op {
    static constexpr std::string_view name = "onnx.Round";
    using scalars = floating_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return std::nearbyint(x);  // halves to even, the mode that a program starts in
    }
};

struct sign_op {
    static constexpr std::string_view name = "onnx.Sign";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        if constexpr (std::is_floating_point_v<T>) {
            if (x != x) return x;
        }
        return x > T(0) ? T(1) : x < T(0) ? static_cast<T>(-1) : T(0);
    }
};

struct is_inf_op {
    static constexpr std::string_view name = "onnx.IsInf";
    using scalars = floating_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    static parameter_array parameters(const call_view& c) {
        return {read<is_inf_attributes>(c).detect_positive ? 1.0 : 0.0, read<is_inf_attributes>(c).detect_negative ? 1.0 : 0.0};
    }
    template <class T>
    static bool apply(T x, const typed_parameters<T>& p) {
        return std::isinf(x) && (x > T(0) ? p[0] != T(0) : p[1] != T(0));
    }
};

struct is_nan_op {
    static constexpr std::string_view name = "onnx.IsNaN";
    using scalars = floating_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x) {
        return std::isnan(x);
    }
};

}  // namespace detail

/// Mathematical functions of one operand.
template <class = void>
struct onnx_math {
    static constexpr auto table = with_attributes<is_inf_attributes>({
        detail::unary<detail::acos_op>,   detail::unary<detail::acosh_op>, detail::unary<detail::asin_op>,
        detail::unary<detail::asinh_op>,  detail::unary<detail::atan_op>,  detail::unary<detail::atanh_op>,
        detail::unary<detail::ceil_op>,   detail::unary<detail::cos_op>,   detail::unary<detail::cosh_op>,
        detail::unary<detail::erf_op>,    detail::unary<detail::exp_op>,   detail::unary<detail::floor_op>,
        detail::unary<detail::log_op>,    detail::unary<detail::sin_op>,   detail::unary<detail::sinh_op>,
        detail::unary<detail::sqrt_op>,   detail::unary<detail::tan_op>,   detail::unary<detail::tanh_op>,
        detail::unary<detail::abs_op>,    detail::unary<detail::neg_op>,   detail::unary<detail::reciprocal_op>,
        detail::unary<detail::round_op>,  detail::unary<detail::sign_op>,  detail::unary<detail::is_inf_op>,
        detail::unary<detail::is_nan_op>,
    });
};

}  // namespace inlay

#endif
