// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_COMPARE_HPP
#define INLAY_TESTING_COMPARE_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// How far a tensor is from the expected one.
struct comparison {
    bool agrees = true;
    double largest_absolute = 0;  // error of any element
    double largest_relative = 0;  // the same, over the largest expected value
    std::string reason;           // where it does not agree: the first element that is off, or what else differs
};

namespace detail {

/// What the last bit of a number in [1, 2) stands for, of half precision; 0 of all else.
[[nodiscard]] constexpr double half_step(element_type e) {
    return e == element_type::float16 ? 0x1p-10 : e == element_type::bfloat16 ? 0x1p-7 : 0;
}

}  // namespace detail

/// Compares element by element: an element agrees within `atol + rtol * |expected|`; NaN agrees with NaN, an infinity with itself. Types
/// and extents must be equal. float16 and bfloat16 are compared as numbers, and may be off by one unit of their own rounding.
[[nodiscard]] INLAY_FUNCTION comparison compare(const tensor& found, const tensor& expected, double rtol, double atol);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/testing/compare.ipp>
#endif

#endif
