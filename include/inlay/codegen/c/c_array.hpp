// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_ARRAY_HPP
#define INLAY_CODEGEN_C_C_ARRAY_HPP

#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/text/c_functions.hpp>

namespace inlay {

/// The C type that elements are kept as: that of arithmetic, and 16 bits for half precision. Empty for texts and complex numbers.
[[nodiscard]] constexpr std::string_view stored_c_type(element_type e) { return detail::c_storage_of(e); }

/// A tensor as the definition of a C array, `const float NAME[6] = {...};`, of its bytes but for what NaNs carry. One without elements has
/// one, since C has no empty arrays. The error names an element type that C does not keep. Linear in the elements.
[[nodiscard]] INLAY_FUNCTION outcome<std::string> c_array(const tensor& t, std::string_view name);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_array.ipp>
#endif

#endif
