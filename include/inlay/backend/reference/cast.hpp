// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_CAST_HPP
#define INLAY_BACKEND_REFERENCE_CAST_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>

namespace inlay::detail::on_eigen {

/// A number as another type's. What lies outside of an integer type goes to its nearest end, and no number to 0: such casts have no
/// meaning in ONNX, and must not be undefined here.
template <class To, class From>
[[nodiscard]] To cast_element(From x) {
    if constexpr (std::is_same_v<To, bool>) {
        return x != From(0);
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        if (std::isnan(x)) return To(0);
        // The largest integer may round up to a power of two as a float: at it and above lies the end.
        if (x >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        if (x <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        return static_cast<To>(x);
    } else {
        return static_cast<To>(x);
    }
}

using cast_loop = void (*)(std::int64_t n, void* out, const void* x);

template <class From, class To>
void cast_elements(std::int64_t n, void* out, const void* x) {
    const auto* from = static_cast<const From*>(x);
    auto* to = static_cast<To*>(out);
    for (std::int64_t i = 0; i < n; ++i) to[i] = cast_element<To>(from[i]);
}

template <class From>
[[nodiscard]] cast_loop cast_from(element_type to) {
    switch (to) {
        case element_type::float32:
            return cast_elements<From, float>;
        case element_type::float64:
            return cast_elements<From, double>;
        case element_type::int64:
            return cast_elements<From, std::int64_t>;
        case element_type::int32:
            return cast_elements<From, std::int32_t>;
        case element_type::uint8:
            return cast_elements<From, std::uint8_t>;
        case element_type::boolean:
            return cast_elements<From, bool>;
        default:
            return nullptr;
    }
}
[[nodiscard]] inline cast_loop cast_loop_of(element_type from, element_type to) {
    switch (from) {
        case element_type::float32:
            return cast_from<float>(to);
        case element_type::float64:
            return cast_from<double>(to);
        case element_type::int64:
            return cast_from<std::int64_t>(to);
        case element_type::int32:
            return cast_from<std::int32_t>(to);
        case element_type::uint8:
            return cast_from<std::uint8_t>(to);
        case element_type::boolean:
            return cast_from<bool>(to);
        default:
            return nullptr;
    }
}

[[nodiscard]] inline std::string refuse_cast(const call_site& c) {
    if (cast_loop_of(c.in(0).element, c.out().element) != nullptr) return {};
    return "there is no kernel from " + std::string(name_of(c.in(0).element)) + " to " + std::string(name_of(c.out().element));
}
[[nodiscard]] inline kernel make_cast(const call_site& c) {
    const auto in_size = static_cast<std::int64_t>(size_of(c.in(0).element)),
               out_size = static_cast<std::int64_t>(size_of(c.out().element));
    return kernel_of([=, loop = cast_loop_of(c.in(0).element, c.out().element), n = c.out().count()](const run_arguments& a) {
        in_chunks(a.executor, n, worth_a_thread, [&](std::int64_t begin, std::int64_t end) {
            loop(end - begin, result<std::byte>(a) + begin * out_size, input<std::byte>(a, 0) + begin * in_size);
        });
    });
}

/// Casts among float32, float64, int64, int32, uint8 and bool.
inline constexpr operator_entry cast_operators[] = {{"onnx.Cast", refuse_cast, make_cast}};

}  // namespace inlay::detail::on_eigen

#endif
