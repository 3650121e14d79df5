// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_CUDA_FUNCTIONS_HPP
#define INLAY_LOOPS_TEXT_CUDA_FUNCTIONS_HPP

#include <string>
#include <string_view>

#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/scalar_function.hpp>
#include <inlay/loops/text/c_functions.hpp>

namespace inlay::detail {

/// The type of an element in CUDA C++; empty for those that it has no arithmetic on.
[[nodiscard]] constexpr std::string_view cuda_type_of(element_type e) {
    return e == element_type::float16 ? "__half" : e == element_type::bfloat16 ? "__nv_bfloat16" : c_type_of(e);
}

/// A value of half precision as float32, and back, rounded to even.
[[nodiscard]] inline std::string widened(element_type from, const std::string& a) {
    return (from == element_type::float16 ? "__half2float(" : "__bfloat162float(") + a + ")";
}
[[nodiscard]] inline std::string narrowed(element_type to, const std::string& a, bool is_double = false) {
    const std::string from = is_double ? "double" : "float", rounding = is_double ? "" : "_rn";
    return "__" + from + "2" + (to == element_type::float16 ? "half" + rounding : "bfloat16" + rounding) + "(" + a + ")";
}

}  // namespace inlay::detail

#endif
