// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_COMPARE_HPP
#define INLAY_TESTING_COMPARE_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// How far a tensor is from the expected one.
struct comparison {
    bool agrees = true;
    double largest_absolute = 0;  // error of any element
    double largest_relative = 0;  // the same, over the largest expected value
    std::string reason;           // where it does not agree: the first element that is off, or what else differs
};

/// Compares element by element: an element agrees within `atol + rtol * |expected|`; NaN agrees with NaN, an infinity with itself. Types
/// and extents must be equal. float16 and bfloat16 are compared as numbers, and may be off by one unit of their own rounding.
[[nodiscard]] INLAY_FUNCTION comparison compare(const tensor& found, const tensor& expected, double rtol, double atol);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/testing/compare.ipp>
#endif

#endif
