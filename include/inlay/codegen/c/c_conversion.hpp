// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_CONVERSION_HPP
#define INLAY_CODEGEN_C_C_CONVERSION_HPP

#include <cstdint>
#include <string>
#include <vector>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A change of layout as C: a function of one tensor that gives another. The fill of the last block is zero. The error names formats that
/// differ in more than their layout, or elements that C does not keep.
[[nodiscard]] INLAY_FUNCTION outcome<c_part> c_conversion(const std::vector<std::int64_t>& extents, const format& from, const format& to,
                                                          const std::string& name);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_conversion.ipp>
#endif

#endif
