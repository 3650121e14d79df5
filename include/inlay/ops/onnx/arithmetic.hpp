// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ARITHMETIC_HPP
#define INLAY_OPS_ONNX_ARITHMETIC_HPP

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

// Integers wrap as two's complement does: sums and products go through the unsigned type, wide enough not to be promoted to int.
template <class T>
using wrapping = std::conditional_t<(sizeof(T) < sizeof(std::uint64_t)), std::uint32_t, std::uint64_t>;

struct add_op {
    static constexpr std::string_view name = "onnx.Add";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        if constexpr (std::is_floating_point_v<T>)
            return x + y;
        else
            return static_cast<T>(static_cast<wrapping<T>>(x) + static_cast<wrapping<T>>(y));
    }
};

struct mul_op {
    static constexpr std::string_view name = "onnx.Mul";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        if constexpr (std::is_floating_point_v<T>)
            return x * y;
        else
            return static_cast<T>(static_cast<wrapping<T>>(x) * static_cast<wrapping<T>>(y));
    }
};

struct sub_op {
    static constexpr std::string_view name = "onnx.Sub";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        if constexpr (std::is_floating_point_v<T>)
            return x - y;
        else
            return static_cast<T>(static_cast<wrapping<T>>(x) - static_cast<wrapping<T>>(y));
    }
};

struct div_op {
    static constexpr std::string_view name = "onnx.Div";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        if constexpr (std::is_floating_point_v<T>) {
            return x / y;
        } else {
            // C++ leaves both cases open; here a division by zero gives zero, and the least number over -1 wraps to itself.
            if (y == T(0)) return T(0);
            if constexpr (std::is_signed_v<T>) {
                if (y == T(-1)) return static_cast<T>(wrapping<T>(0) - static_cast<wrapping<T>>(x));
            }
            return static_cast<T>(x / y);
        }
    }
};

struct mod_op {
    static constexpr std::string_view name = "onnx.Mod";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    static parameter_array parameters(const call_view& c) { return {read<mod_attributes>(c).fmod ? 1.0 : 0.0}; }
    template <class T>
    static T apply(T x, T y, [[maybe_unused]] const typed_parameters<T>& p) {
        if constexpr (std::is_floating_point_v<T>) {
            return std::fmod(x, y);
        } else {
            if (y == T(0)) return T(0);
            if constexpr (std::is_signed_v<T>) {
                if (y == T(-1)) return T(0);
                const T rest = static_cast<T>(x % y);
                // Without fmod the rest has the divisor's sign, with it the dividend's.
                return p[0] == 0 && rest != T(0) && (rest < T(0)) != (y < T(0)) ? static_cast<T>(rest + y) : rest;
            } else {
                return static_cast<T>(x % y);
            }
        }
    }
};

struct pow_op {
    static constexpr std::string_view name = "onnx.Pow";
    using scalars = numeric_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        if constexpr (std::is_floating_point_v<T>) {
            return std::pow(x, y);
        } else {
            if constexpr (std::is_signed_v<T>) {
                if (y < T(0)) return x == T(1) ? T(1) : x == T(-1) ? ((y & 1) != 0 ? T(-1) : T(1)) : T(0);
            }
            wrapping<T> power = 1, base = static_cast<wrapping<T>>(x);
            for (auto left = static_cast<std::uint64_t>(y); left != 0; left >>= 1) {
                if ((left & 1u) != 0) power *= base;
                base *= base;
            }
            return static_cast<T>(power);
        }
    }
};

/// Mod of floats is defined by C's fmod alone.
inline outcome<node_type> infer_mod(const call_view& call) {
    if (call.has(0) && is_floating(call.type(0).element) && !read<mod_attributes>(call).fmod)
        return error{"Mod of elements of type " + std::string(name_of(call.type(0).element)) + " needs the attribute fmod to be 1"};
    return infer_binary<mod_op>(call);
}

/// The exponent may have an element type of its own; the result has the base's.
inline outcome<node_type> infer_pow(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    for (std::size_t i = 0; i < 2; ++i)
        if (auto wrong = wrong_element(call, i, elements(numeric_scalars()))) return std::move(*wrong);
    const tensor_type &base = call.type(0), &exponent = call.type(1);
    if (!base.ranked || !exponent.ranked) return node_type(tensor_type(base.element));
    auto met = stretched_shape(base.extents, exponent.extents);
    if (!met) return error{"Pow cannot stretch " + to_string(base) + " and " + to_string(exponent) + " to one shape"};
    return node_type(tensor_type(base.element, std::move(*met)));
}

inline outcome<std::vector<tensor>> evaluate_pow(const call_view& call, std::span<const tensor> operands) {
    const element_type base = operands[0].element(), exponent = operands[1].element();
    if (base == exponent) return evaluate_binary<pow_op>(call, operands);
    // An integer to a power that is no integer is computed among the reals and cut off.
    const element_type meeting = is_integer(base) && is_floating(exponent) ? element_type::float64 : base;
    auto x = convert_elements(operands[0], meeting), y = convert_elements(operands[1], meeting);
    if (!x || !y) return no_loop(call, x ? exponent : base);
    const tensor both[] = {std::move(*x), std::move(*y)};
    auto power = evaluate_binary<pow_op>(call, both);
    if (!power) return power;
    auto result = convert_elements((*power)[0], base);
    if (!result) return no_loop(call, base);
    return std::vector<tensor>{std::move(*result)};
}

}  // namespace detail

/// Arithmetic of two operands, stretched to one shape.
template <class = void>
struct onnx_arithmetic {
    static constexpr auto table = with_attributes<mod_attributes>({
        detail::binary<detail::add_op>,
        detail::binary<detail::div_op>,
        detail::binary<detail::mul_op>,
        detail::binary<detail::sub_op>,
        {"onnx.Mod", op_kind::broadcast, detail::infer_mod, detail::evaluate_binary<detail::mod_op>,
         detail::work_elementwise<detail::mod_op>},
        {"onnx.Pow", op_kind::broadcast, detail::infer_pow, detail::evaluate_pow, detail::work_elementwise<detail::pow_op>},
    });
};

}  // namespace inlay

#endif
