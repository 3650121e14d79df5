// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_HALF_FUNCTIONS_HPP
#define INLAY_LOOPS_TEXT_HALF_FUNCTIONS_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/graph/element_type.hpp>

namespace inlay::detail {

/// A function in C that converts half precision, of which C99 has the 16 bits alone.
struct half_function {
    std::string name;
    std::string text;  // its definition, but for what may stand before it
};

/// float32 of half precision, exactly.
[[nodiscard]] INLAY_FUNCTION half_function half_widening(element_type from);

/// The half precision that is nearest to float32 or float64, halves to even; beyond the range, infinity. By its bits, so that a
/// processor that takes numbers too small for a normal exponent for zero gives the same.
[[nodiscard]] INLAY_FUNCTION half_function half_narrowing(element_type from, element_type to);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/text/half_functions.ipp>
#endif

#endif
