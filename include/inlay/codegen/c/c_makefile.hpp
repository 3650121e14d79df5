// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_MAKEFILE_HPP
#define INLAY_CODEGEN_C_C_MAKEFILE_HPP

#include <string>

#include <inlay/codegen/c/c_program.hpp>
#include <inlay/core/linkage.hpp>

namespace inlay::detail {

/// The Makefile of a program, for GNU make: a library, the check, and both for RISC-V; objects for a machine without an operating system.
[[nodiscard]] INLAY_FUNCTION std::string c_makefile(const c_program& p, bool has_check, bool needs_math);

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_makefile.ipp>
#endif

#endif
