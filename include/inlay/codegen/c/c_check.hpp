// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_CHECK_HPP
#define INLAY_CODEGEN_C_C_CHECK_HPP

#include <string>

#include <inlay/codegen/c/c_program.hpp>
#include <inlay/core/linkage.hpp>

namespace inlay::detail {

/// A program in C that runs another on stored inputs and compares: exit status 0 where all agrees, 1 where not, 2 where a file is missing.
[[nodiscard]] INLAY_FUNCTION std::string c_check_source(const c_program& p, double relative, double absolute);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_check.ipp>
#endif

#endif
