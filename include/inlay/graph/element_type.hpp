// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_ELEMENT_TYPE_HPP
#define INLAY_GRAPH_ELEMENT_TYPE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace inlay {

/// What one element of a tensor is.
enum class element_type : std::uint8_t {
    none,
    float16,
    bfloat16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    boolean,
    string,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz
};
inline constexpr element_type last_element_type = element_type::float8_e5m2fnuz;

namespace detail {
struct element_facts {
    std::string_view name;
    std::size_t size;
};
inline constexpr std::array<element_facts, 19> element_table{{{"none", 0},
                                                              {"float16", 2},
                                                              {"bfloat16", 2},
                                                              {"float32", 4},
                                                              {"float64", 8},
                                                              {"int8", 1},
                                                              {"int16", 2},
                                                              {"int32", 4},
                                                              {"int64", 8},
                                                              {"uint8", 1},
                                                              {"uint16", 2},
                                                              {"uint32", 4},
                                                              {"uint64", 8},
                                                              {"bool", 1},
                                                              {"string", 0},
                                                              {"float8_e4m3fn", 1},
                                                              {"float8_e4m3fnuz", 1},
                                                              {"float8_e5m2", 1},
                                                              {"float8_e5m2fnuz", 1}}};
}  // namespace detail

/// The name of an element type, as Relay text has it: `float32`, `bool`.
[[nodiscard]] constexpr std::string_view name_of(element_type e) { return detail::element_table[static_cast<std::size_t>(e)].name; }

/// Whether elements are whole numbers of 8 bits, signed or not.
[[nodiscard]] constexpr bool is_byte(element_type e) { return e == element_type::int8 || e == element_type::uint8; }

/// Bytes of one element; 0 for `none` and for `string`, whose elements have no fixed size.
[[nodiscard]] constexpr std::size_t size_of(element_type e) { return detail::element_table[static_cast<std::size_t>(e)].size; }

/// The element type of that name.
[[nodiscard]] constexpr std::optional<element_type> element_type_named(std::string_view name) {
    for (std::size_t i = 0; i < detail::element_table.size(); ++i)
        if (detail::element_table[i].name == name) return static_cast<element_type>(i);
    return std::nullopt;
}

/// Whether operators compute with elements as floating numbers. Those of 8 bits are only moved and converted.
[[nodiscard]] constexpr bool is_floating(element_type e) { return e >= element_type::float16 && e <= element_type::float64; }
/// Kept in 16 bits; computed with in float32, and rounded where an operator gives it.
[[nodiscard]] constexpr bool is_half(element_type e) { return e == element_type::float16 || e == element_type::bfloat16; }
/// Kept in 8 bits; moved as they are, and converted by Cast and the quantising operators.
[[nodiscard]] constexpr bool is_float8(element_type e) { return e >= element_type::float8_e4m3fn && e <= element_type::float8_e5m2fnuz; }
[[nodiscard]] constexpr bool is_signed_integer(element_type e) { return e >= element_type::int8 && e <= element_type::int64; }
[[nodiscard]] constexpr bool is_unsigned_integer(element_type e) { return e >= element_type::uint8 && e <= element_type::uint64; }
[[nodiscard]] constexpr bool is_integer(element_type e) { return is_signed_integer(e) || is_unsigned_integer(e); }

/// The element type that a C++ scalar stands for: `element_type_of<float> == element_type::float32`.
template <class T>
inline constexpr element_type element_type_of = element_type::none;
template <>
inline constexpr element_type element_type_of<float> = element_type::float32;
template <>
inline constexpr element_type element_type_of<double> = element_type::float64;
template <>
inline constexpr element_type element_type_of<std::int8_t> = element_type::int8;
template <>
inline constexpr element_type element_type_of<std::int16_t> = element_type::int16;
template <>
inline constexpr element_type element_type_of<std::int32_t> = element_type::int32;
template <>
inline constexpr element_type element_type_of<std::int64_t> = element_type::int64;
template <>
inline constexpr element_type element_type_of<std::uint8_t> = element_type::uint8;
template <>
inline constexpr element_type element_type_of<std::uint16_t> = element_type::uint16;
template <>
inline constexpr element_type element_type_of<std::uint32_t> = element_type::uint32;
template <>
inline constexpr element_type element_type_of<std::uint64_t> = element_type::uint64;
template <>
inline constexpr element_type element_type_of<bool> = element_type::boolean;

}  // namespace inlay

#endif
