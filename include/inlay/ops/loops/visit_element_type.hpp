// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_VISIT_ELEMENT_TYPE_HPP
#define INLAY_OPS_LOOPS_VISIT_ELEMENT_TYPE_HPP

#include <cstdint>
#include <type_traits>

#include <inlay/graph/element_type.hpp>

namespace inlay {

/// C++ scalars by type alone: what an operator's loops are written for.
template <class... T>
struct scalar_list {};

using floating_scalars = scalar_list<float, double>;
using signed_scalars = scalar_list<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using integer_scalars =
    scalar_list<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using unsigned_scalars = scalar_list<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using numeric_scalars = scalar_list<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                    std::uint32_t, std::uint64_t>;
using all_scalars = scalar_list<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                std::uint32_t, std::uint64_t, bool>;
using boolean_scalars = scalar_list<bool>;

/// Calls `f(std::type_identity<T>())` for the scalar T of the list that `e` stands for; false where it stands for none of them.
/// float16 and bfloat16 stand for none: `evaluate_call` widens them before any loop runs.
template <class... T, class F>
bool visit_element_type(scalar_list<T...>, element_type e, F&& f) {
    return ((e == element_type_of<T> ? (f(std::type_identity<T>()), true) : false) || ...);
}

/// A set of element types, one bit each.
using element_mask = std::uint32_t;

[[nodiscard]] constexpr element_mask mask_of(element_type e) { return element_mask{1} << static_cast<unsigned>(e); }

/// The element types that an operator with loops for these scalars takes: theirs, float16 and bfloat16 where float is among them
/// (`evaluate_call` widens those), and a type not known yet.
template <class... T>
[[nodiscard]] constexpr element_mask elements(scalar_list<T...>) {
    element_mask mask = mask_of(element_type::none) | (mask_of(element_type_of<T>) | ... | 0u);
    if ((std::is_same_v<T, float> || ...)) mask |= mask_of(element_type::float16) | mask_of(element_type::bfloat16);
    return mask;
}
inline constexpr element_mask any_element = 0xFFFF'FFFFu;

/// Calls `f(std::type_identity<U>())` for the unsigned integer U as wide as an element of type `e`: for operators that move elements and
/// never look at them. False where elements have no fixed size.
template <class F>
bool visit_element_size(element_type e, F&& f) {
    switch (size_of(e)) {
        case 1:
            f(std::type_identity<std::uint8_t>());
            return true;
        case 2:
            f(std::type_identity<std::uint16_t>());
            return true;
        case 4:
            f(std::type_identity<std::uint32_t>());
            return true;
        case 8:
            f(std::type_identity<std::uint64_t>());
            return true;
        default:
            return false;
    }
}

}  // namespace inlay

#endif
