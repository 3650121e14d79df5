// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_NPY_HPP
#define INLAY_IO_NPY_HPP

#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// The tensor that the bytes of a NumPy `.npy` file hold: versions 1 to 3, either order of axes, either order of bytes. Element
/// types are the numbers and bool; others (text, objects, records, complex) are refused. Nothing is allocated for elements before
/// there are as many bytes as the header claims.
[[nodiscard]] INLAY_FUNCTION outcome<tensor> read_npy(std::string_view bytes);

/// The bytes of a NumPy `.npy` file of version 1 that holds a tensor. bfloat16, for which NumPy has no name, is written as float32,
/// which holds all its values.
[[nodiscard]] INLAY_FUNCTION outcome<std::string> write_npy(const tensor& t);

/// `read_npy` of a file; errors name the path.
[[nodiscard]] INLAY_FUNCTION outcome<tensor> load_npy(const std::string& path);

/// `write_npy` to a file, whole or not at all; errors name the path.
[[nodiscard]] INLAY_FUNCTION outcome<void> save_npy(const std::string& path, const tensor& t);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/npy.ipp>
#endif

#endif
