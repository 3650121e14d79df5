// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_array.ipp>
#include <inlay/codegen/c/c_check.ipp>
#include <inlay/codegen/c/c_conversion.ipp>
#include <inlay/codegen/c/c_files.ipp>
#include <inlay/codegen/c/c_kernels.ipp>
#include <inlay/codegen/c/c_makefile.ipp>
#include <inlay/codegen/c/c_unit.ipp>
#include <inlay/codegen/c/emit_c_program.ipp>
#include <inlay/codegen/c/part_of_nest.ipp>
