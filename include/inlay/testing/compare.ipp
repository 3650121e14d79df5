// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_COMPARE_IPP
#define INLAY_TESTING_COMPARE_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <inlay/testing/compare.hpp>

#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/convert_elements.hpp>

namespace inlay {

namespace detail {

template <class T>
void compare_numbers(const tensor& found, const tensor& expected, double rtol, double atol, comparison& c) {
    const auto a = found.as<T>();
    const auto b = expected.as<T>();
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
        if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
        const bool same = x == y || (std::isnan(x) && std::isnan(y));
        const double difference = same ? 0.0 : std::abs(x - y);
        const bool close = same || difference <= atol + rtol * std::abs(y);
        if (std::isfinite(difference)) c.largest_absolute = std::max(c.largest_absolute, difference);
        if (!close && c.agrees) {
            c.agrees = false;
            c.reason = "element " + std::to_string(i) + " is " + std::to_string(x) + " and should be " + std::to_string(y);
        }
    }
    c.largest_relative = largest > 0 ? c.largest_absolute / largest : c.largest_absolute;
}

}  // namespace detail

comparison compare(const tensor& found, const tensor& expected, double rtol, double atol) {
    comparison c;
    if (found.element() != expected.element() || found.extents() != expected.extents()) {
        c.agrees = false;
        c.reason = "it is " + to_string(found.type()) + " and should be " + to_string(expected.type());
        return c;
    }
    switch (expected.element()) {
        case element_type::float32:
            detail::compare_numbers<float>(found, expected, rtol, atol, c);
            break;
        case element_type::float64:
            detail::compare_numbers<double>(found, expected, rtol, atol, c);
            break;
        case element_type::int8:
            detail::compare_numbers<std::int8_t>(found, expected, rtol, atol, c);
            break;
        case element_type::int16:
            detail::compare_numbers<std::int16_t>(found, expected, rtol, atol, c);
            break;
        case element_type::int32:
            detail::compare_numbers<std::int32_t>(found, expected, rtol, atol, c);
            break;
        case element_type::int64:
            detail::compare_numbers<std::int64_t>(found, expected, rtol, atol, c);
            break;
        case element_type::uint8:
            detail::compare_numbers<std::uint8_t>(found, expected, rtol, atol, c);
            break;
        case element_type::uint16:
            detail::compare_numbers<std::uint16_t>(found, expected, rtol, atol, c);
            break;
        case element_type::uint32:
            detail::compare_numbers<std::uint32_t>(found, expected, rtol, atol, c);
            break;
        case element_type::uint64:
            detail::compare_numbers<std::uint64_t>(found, expected, rtol, atol, c);
            break;
        case element_type::float16:
        case element_type::bfloat16: {
            const auto a = convert_elements(found, element_type::float32), b = convert_elements(expected, element_type::float32);
            if (a && b)
                detail::compare_numbers<float>(*a, *b, std::max(rtol, detail::half_step(expected.element())), atol, c);
            else
                c = {false, 0, 0, "there is no memory to compare it in"};
            break;
        }
        default:
            c.agrees = std::memcmp(found.data(), expected.data(), expected.bytes()) == 0;
            if (!c.agrees) c.reason = "its bytes differ";
    }
    return c;
}

}  // namespace inlay

#endif
