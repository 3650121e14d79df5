// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_FILES_HPP
#define INLAY_CODEGEN_C_C_FILES_HPP

#include <string>
#include <vector>

#include <inlay/codegen/c/c_program.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// A file of a program: its path below the program's folder, and its bytes.
struct c_file {
    std::string path, content;
};

namespace detail {

[[nodiscard]] INLAY_FUNCTION std::string source_of(const c_program& p);

}  // namespace detail

/// Tensors that `make check` runs a program on, and what it has to give, as the program orders them.
struct c_check_data {
    std::vector<tensor> inputs, results;
    double relative = 1e-3, absolute = 1e-5;  // how far a result may be off
};

/// The files of a program: `NAME.h` with the entry point, `NAME.c`, its weights (`NAME_weights.c`, or `NAME_weights.bin`), a `Makefile` for
/// GNU make, and, where there is data for it, `NAME_check.c` with `check/*.bin`, by which `make check` runs the program and compares.
/// The error names a constant that C does not keep, or a file that there would be twice.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<c_file>> c_files(const c_program& p, const c_check_data* data = nullptr);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_files.ipp>
#endif

#endif
