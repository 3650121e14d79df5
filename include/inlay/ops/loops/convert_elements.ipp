// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_CONVERT_ELEMENTS_IPP
#define INLAY_OPS_LOOPS_CONVERT_ELEMENTS_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <inlay/ops/loops/convert_elements.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/float8.hpp>
#include <inlay/ops/loops/half_float.hpp>
#include <inlay/ops/loops/visit_element_type.hpp>

namespace inlay {

namespace detail {

/// The wide scalar through which elements of type T are converted, without loss.
template <class T>
using wide_scalar = std::conditional_t<std::is_floating_point_v<T> || std::is_class_v<T>, double,
                                       std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>;

/// Calls `f(std::type_identity<T>())` for the C++ type that holds an element: halves and 8-bit floats as structs of their bits.
template <class F>
bool visit_stored_type(element_type e, F&& f) {
    if (e == element_type::float16) return f(std::type_identity<float16_bits>()), true;
    if (e == element_type::bfloat16) return f(std::type_identity<bfloat16_bits>()), true;
    if (in_force<"ops.float8.cast">() && visit_float8(e, f)) return true;
    return visit_element_type(all_scalars(), e, f);
}

template <class Wide>
void store_wide(const Wide* from, std::byte* to, std::size_t first, std::size_t count, element_type e, bool saturates) {
    visit_stored_type(e, [&](auto scalar) {
        using To = typename decltype(scalar)::type;
        To* const out = reinterpret_cast<To*>(to) + first;
        for (std::size_t i = 0; i < count; ++i) out[i] = from_wide<To>(from[i], saturates);
    });
}

}  // namespace detail

std::optional<tensor> convert_elements(const tensor& from, element_type to, bool saturates) {
    if (from.element() == to && from.ok()) return from;
    tensor result(to, from.extents());
    if (!result.ok() || !from.ok()) return std::nullopt;
    // Through a wide scalar and in pieces that stay in cache: a loop per type on either side instead of one per pair.
    constexpr std::size_t piece = 512;
    const bool known = detail::visit_stored_type(from.element(), [&](auto scalar) {
        using From = typename decltype(scalar)::type;
        using Wide = detail::wide_scalar<From>;
        const From* const in = reinterpret_cast<const From*>(from.data());
        Wide wide[piece];
        for (std::size_t first = 0; first < from.count(); first += piece) {
            const std::size_t count = std::min(piece, from.count() - first);
            for (std::size_t i = 0; i < count; ++i) {
                if constexpr (std::is_class_v<From>)
                    wide[i] = in[first + i].widened();
                else
                    wide[i] = static_cast<Wide>(in[first + i]);
            }
            detail::store_wide(wide, result.data(), first, count, to, saturates);
        }
    });
    if (!known) return std::nullopt;
    return result;
}

}  // namespace inlay

#endif
