// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_RUN_SCALAR_VALUE_HPP
#define INLAY_LOOPS_RUN_SCALAR_VALUE_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/scalar_function.hpp>
#include <inlay/ops/loops/half_float.hpp>

namespace inlay {

/// One scalar while a nest is interpreted. Of floating types `number`, which the type holds exactly; of whole types and truth values
/// `integer`, of uint64 its bits.
struct scalar_value {
    double number = 0;
    std::int64_t integer = 0;
};

namespace detail {

/// The nearest value that an element of this floating type holds, halves to even.
[[nodiscard]] inline double rounded_to(element_type e, double v) {
    switch (e) {
        case element_type::float16:
            return half_float<5>::narrowed(v).widened();
        case element_type::bfloat16:
            return half_float<8>::narrowed(v).widened();
        case element_type::float32:
            return static_cast<double>(static_cast<float>(v));
        default:
            return v;
    }
}

/// The low bits that an element of this whole type has, as a number of that type.
[[nodiscard]] inline std::int64_t wrapped_to(element_type e, std::int64_t v) {
    switch (e) {
        case element_type::int8:
            return static_cast<std::int8_t>(v);
        case element_type::int16:
            return static_cast<std::int16_t>(v);
        case element_type::int32:
            return static_cast<std::int32_t>(v);
        case element_type::uint8:
            return static_cast<std::uint8_t>(v);
        case element_type::uint16:
            return static_cast<std::uint16_t>(v);
        case element_type::uint32:
            return static_cast<std::uint32_t>(v);
        case element_type::boolean:
            return v != 0;
        default:
            return v;
    }
}

[[nodiscard]] inline double applied(scalar_function f, double a, double b) {
    switch (f) {
        case scalar_function::add:
            return a + b;
        case scalar_function::subtract:
            return a - b;
        case scalar_function::multiply:
            return a * b;
        case scalar_function::divide:
            return a / b;
        case scalar_function::maximum:
            return a > b || std::isnan(a) ? a : b;
        case scalar_function::minimum:
            return a < b || std::isnan(a) ? a : b;
        case scalar_function::power:
            return std::pow(a, b);
        case scalar_function::negate:
            return -a;
        case scalar_function::absolute:
            return std::fabs(a);
        case scalar_function::square_root:
            return std::sqrt(a);
        case scalar_function::exponential:
            return std::exp(a);
        case scalar_function::logarithm:
            return std::log(a);
        case scalar_function::sine:
            return std::sin(a);
        case scalar_function::cosine:
            return std::cos(a);
        case scalar_function::hyperbolic_tangent:
            return std::tanh(a);
        case scalar_function::error_function:
            return std::erf(a);
        case scalar_function::floor:
            return std::floor(a);
        case scalar_function::ceiling:
            return std::ceil(a);
        case scalar_function::round:
            return std::nearbyint(a);
        case scalar_function::tangent:
            return std::tan(a);
        case scalar_function::arc_sine:
            return std::asin(a);
        case scalar_function::arc_cosine:
            return std::acos(a);
        case scalar_function::arc_tangent:
            return std::atan(a);
        case scalar_function::hyperbolic_sine:
            return std::sinh(a);
        case scalar_function::hyperbolic_cosine:
            return std::cosh(a);
        case scalar_function::area_hyperbolic_sine:
            return std::asinh(a);
        case scalar_function::area_hyperbolic_cosine:
            return std::acosh(a);
        case scalar_function::area_hyperbolic_tangent:
            return std::atanh(a);
        case scalar_function::remainder:
            return std::fmod(a, b);
        default:
            return 0;
    }
}

/// Of whole numbers, and of truth values as 0 and 1.
[[nodiscard]] inline std::int64_t applied(scalar_function f, element_type e, std::int64_t a, std::int64_t b) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    const bool is_unsigned = is_unsigned_integer(e);
    const bool is_less = is_unsigned ? x < y : a < b;
    switch (f) {
        case scalar_function::add:
            return static_cast<std::int64_t>(x + y);
        case scalar_function::subtract:
            return static_cast<std::int64_t>(x - y);
        case scalar_function::multiply:
            return static_cast<std::int64_t>(x * y);
        case scalar_function::divide:
            if (b == 0) return 0;
            if (is_unsigned) return static_cast<std::int64_t>(x / y);
            return b == -1 ? static_cast<std::int64_t>(0 - x) : a / b;
        case scalar_function::maximum:
            return is_less ? b : a;
        case scalar_function::minimum:
            return is_less ? a : b;
        case scalar_function::negate:
            return static_cast<std::int64_t>(0 - x);
        case scalar_function::absolute:
            return !is_unsigned && a < 0 ? static_cast<std::int64_t>(0 - x) : a;
        case scalar_function::logical_and:
            return a & b;
        case scalar_function::logical_or:
            return a | b;
        case scalar_function::logical_not:
            return a == 0;
        case scalar_function::remainder:
            if (b == 0) return 0;
            if (is_unsigned) return static_cast<std::int64_t>(x % y);
            return b == -1 ? 0 : a % b;
        case scalar_function::bit_and:
            return a & b;
        case scalar_function::bit_or:
            return a | b;
        case scalar_function::bit_xor:
            return a ^ b;
        case scalar_function::bit_not:
            return ~a;
        case scalar_function::shift_left:
            return y < 8 * size_of(e) ? static_cast<std::int64_t>(x << y) : 0;
        case scalar_function::shift_right:
            return y < 8 * size_of(e) ? static_cast<std::int64_t>(x >> y) : 0;
        default:
            return 0;
    }
}

}  // namespace detail

/// A function of one or two scalars of an element type, as the type computes it: floating results are rounded once, whole ones wrap.
/// Precondition: the function takes the type.
[[nodiscard]] inline scalar_value apply_scalar(scalar_function f, element_type e, scalar_value a, scalar_value b = {}) {
    scalar_value made;
    if (facts_of(f).is_comparison) {
        const bool is_unsigned = is_unsigned_integer(e);
        const bool is_equal = is_floating(e) ? a.number == b.number : a.integer == b.integer;
        const bool is_less = is_floating(e) ? a.number < b.number
                             : is_unsigned  ? static_cast<std::uint64_t>(a.integer) < static_cast<std::uint64_t>(b.integer)
                                            : a.integer < b.integer;
        made.integer = f == scalar_function::equal ? is_equal : f == scalar_function::less ? is_less : is_less || is_equal;
    } else if (is_floating(e)) {
        made.number = detail::rounded_to(e, detail::applied(f, a.number, b.number));
    } else {
        made.integer = detail::wrapped_to(e, detail::applied(f, e, a.integer, b.integer));
    }
    return made;
}

/// A scalar as another element type. Floating to whole: towards zero; what the type does not hold becomes its nearest end, and not a number
/// 0.
[[nodiscard]] inline scalar_value cast_scalar(scalar_value v, element_type from, element_type to) {
    scalar_value made;
    if (is_floating(to)) {
        const double exact = is_floating(from)              ? v.number
                             : from == element_type::uint64 ? static_cast<double>(static_cast<std::uint64_t>(v.integer))
                                                            : static_cast<double>(v.integer);
        made.number = detail::rounded_to(to, exact);
    } else if (to == element_type::boolean) {
        made.integer = is_floating(from) ? v.number != 0 : v.integer != 0;
    } else if (is_floating(from)) {
        const int bits = static_cast<int>(size_of(to)) * 8;
        const double high = std::ldexp(1.0, is_unsigned_integer(to) ? bits : bits - 1), low = is_unsigned_integer(to) ? 0 : -high;
        const auto all = static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - bits + (is_unsigned_integer(to) ? 0 : 1)));
        if (std::isnan(v.number))
            made.integer = 0;
        else if (v.number >= high)
            made.integer = all;
        else if (v.number <= low)
            made.integer = is_unsigned_integer(to) ? 0 : -all - 1;
        else
            made.integer = to == element_type::uint64 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(v.number))
                                                      : static_cast<std::int64_t>(v.number);
    } else {
        made.integer = detail::wrapped_to(to, v.integer);
    }
    return made;
}

/// The element of that type at an address.
[[nodiscard]] inline scalar_value load_scalar(element_type e, const std::byte* at) {
    const auto read = [&]<class T>(T value) {
        std::memcpy(&value, at, sizeof value);
        return value;
    };
    switch (e) {
        case element_type::float16:
            return {half_float<5>{read(std::uint16_t())}.widened(), 0};
        case element_type::bfloat16:
            return {half_float<8>{read(std::uint16_t())}.widened(), 0};
        case element_type::float32:
            return {static_cast<double>(read(float())), 0};
        case element_type::float64:
            return {read(double()), 0};
        case element_type::int8:
            return {0, read(std::int8_t())};
        case element_type::int16:
            return {0, read(std::int16_t())};
        case element_type::int32:
            return {0, read(std::int32_t())};
        case element_type::uint8:
        case element_type::boolean:
        // 8-bit floats are moved as their bits.
        case element_type::float8_e4m3fn:
        case element_type::float8_e4m3fnuz:
        case element_type::float8_e5m2:
        case element_type::float8_e5m2fnuz:
            return {0, read(std::uint8_t())};
        case element_type::uint16:
            return {0, read(std::uint16_t())};
        case element_type::uint32:
            return {0, read(std::uint32_t())};
        default:
            return {0, read(std::int64_t())};
    }
}
inline void store_scalar(element_type e, std::byte* at, scalar_value v) {
    const auto write = [&](auto value) { std::memcpy(at, &value, sizeof value); };
    switch (e) {
        case element_type::float16:
            return write(half_float<5>::narrowed(v.number).bits);
        case element_type::bfloat16:
            return write(half_float<8>::narrowed(v.number).bits);
        case element_type::float32:
            return write(static_cast<float>(v.number));
        case element_type::float64:
            return write(v.number);
        case element_type::int8:
        case element_type::uint8:
        case element_type::boolean:
        case element_type::float8_e4m3fn:
        case element_type::float8_e4m3fnuz:
        case element_type::float8_e5m2:
        case element_type::float8_e5m2fnuz:
            return write(static_cast<std::uint8_t>(v.integer));
        case element_type::int16:
        case element_type::uint16:
            return write(static_cast<std::uint16_t>(v.integer));
        case element_type::int32:
        case element_type::uint32:
            return write(static_cast<std::uint32_t>(v.integer));
        default:
            return write(v.integer);
    }
}

}  // namespace inlay

#endif
