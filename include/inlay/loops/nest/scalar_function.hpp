// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_SCALAR_FUNCTION_HPP
#define INLAY_LOOPS_NEST_SCALAR_FUNCTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace inlay {

/// What an expression of a loop nest computes of one scalar, or of two of one element type. The result has the operands' element type, but
/// for comparisons, which give `bool`.
enum class scalar_function : std::uint8_t {
    add,
    subtract,
    multiply,
    divide,   // whole numbers: towards zero; by zero, 0
    maximum,  // not a number where one of them is none
    minimum,
    power,
    equal,
    less,
    less_equal,
    logical_and,
    logical_or,
    logical_not,
    negate,
    absolute,
    square_root,
    exponential,
    logarithm,
    sine,
    cosine,
    hyperbolic_tangent,
    error_function,
    floor,
    ceiling,
    round,  // halves to even
    tangent,
    arc_sine,
    arc_cosine,
    arc_tangent,
    hyperbolic_sine,
    hyperbolic_cosine,
    area_hyperbolic_sine,
    area_hyperbolic_cosine,
    area_hyperbolic_tangent,
    remainder,  // of a quotient that is rounded towards zero; of whole numbers by zero, 0
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    shift_left,  // by the type's bits or more, 0
    shift_right
};

/// What a function takes and gives, and how text writes it.
struct scalar_function_facts {
    enum class takes : std::uint8_t { numbers, floating, whole, unsigned_whole, truth_values, anything };

    std::string_view name;  // in text, where there is no sign for it
    std::string_view sign;  // between operands
    std::size_t arity;
    takes operands;
    bool is_comparison = false;
};

namespace detail {
using function_takes = scalar_function_facts::takes;
inline constexpr std::array<scalar_function_facts, 41> scalar_function_table{{{"add", "+", 2, function_takes::numbers},
                                                                              {"subtract", "-", 2, function_takes::numbers},
                                                                              {"multiply", "*", 2, function_takes::numbers},
                                                                              {"divide", "/", 2, function_takes::numbers},
                                                                              {"max", "", 2, function_takes::numbers},
                                                                              {"min", "", 2, function_takes::numbers},
                                                                              {"pow", "", 2, function_takes::floating},
                                                                              {"equal", "", 2, function_takes::anything, true},
                                                                              {"less", "", 2, function_takes::numbers, true},
                                                                              {"less_equal", "", 2, function_takes::numbers, true},
                                                                              {"both", "", 2, function_takes::truth_values},
                                                                              {"either", "", 2, function_takes::truth_values},
                                                                              {"not", "", 1, function_takes::truth_values},
                                                                              {"negate", "", 1, function_takes::numbers},
                                                                              {"abs", "", 1, function_takes::numbers},
                                                                              {"sqrt", "", 1, function_takes::floating},
                                                                              {"exp", "", 1, function_takes::floating},
                                                                              {"log", "", 1, function_takes::floating},
                                                                              {"sin", "", 1, function_takes::floating},
                                                                              {"cos", "", 1, function_takes::floating},
                                                                              {"tanh", "", 1, function_takes::floating},
                                                                              {"erf", "", 1, function_takes::floating},
                                                                              {"floor", "", 1, function_takes::floating},
                                                                              {"ceil", "", 1, function_takes::floating},
                                                                              {"round", "", 1, function_takes::floating},
                                                                              {"tan", "", 1, function_takes::floating},
                                                                              {"asin", "", 1, function_takes::floating},
                                                                              {"acos", "", 1, function_takes::floating},
                                                                              {"atan", "", 1, function_takes::floating},
                                                                              {"sinh", "", 1, function_takes::floating},
                                                                              {"cosh", "", 1, function_takes::floating},
                                                                              {"asinh", "", 1, function_takes::floating},
                                                                              {"acosh", "", 1, function_takes::floating},
                                                                              {"atanh", "", 1, function_takes::floating},
                                                                              {"remainder", "", 2, function_takes::numbers},
                                                                              {"bit_and", "", 2, function_takes::whole},
                                                                              {"bit_or", "", 2, function_takes::whole},
                                                                              {"bit_xor", "", 2, function_takes::whole},
                                                                              {"bit_not", "", 1, function_takes::whole},
                                                                              {"shift_left", "", 2, function_takes::unsigned_whole},
                                                                              {"shift_right", "", 2, function_takes::unsigned_whole}}};
}  // namespace detail

[[nodiscard]] constexpr const scalar_function_facts& facts_of(scalar_function f) {
    return detail::scalar_function_table[static_cast<std::size_t>(f)];
}
[[nodiscard]] constexpr std::string_view name_of(scalar_function f) { return facts_of(f).name; }

/// The function of that name.
[[nodiscard]] constexpr std::optional<scalar_function> scalar_function_named(std::string_view name) {
    for (std::size_t i = 0; i < detail::scalar_function_table.size(); ++i)
        if (detail::scalar_function_table[i].name == name) return static_cast<scalar_function>(i);
    return std::nullopt;
}

/// Whether the order and grouping of operands do not matter, so that it can put together what a reduction's steps give in any order; of
/// floating numbers up to rounding.
[[nodiscard]] constexpr bool combines(scalar_function f) {
    return f == scalar_function::add || f == scalar_function::multiply || f == scalar_function::maximum || f == scalar_function::minimum ||
           f == scalar_function::logical_and || f == scalar_function::logical_or;
}

}  // namespace inlay

#endif
