// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_HPP
#define INLAY_IO_ONNX_ONNX_HPP

#include <span>
#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/io/onnx/import_options.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// The program that an ONNX file holds. Its main function is the graph: parameters are the inputs without a fixed value, calls
/// are `onnx.Conv` or, of other domains, `com.microsoft.Gelu`, in the newest form of each operator (about version 18 of the operator
/// set; older forms are rewritten, and one that has no newer equivalent keeps its version: `onnx.Scan.v8`). Operands left out are
/// unit values; a node of which several outputs are read gives a tuple. Branches are blocks, bodies of loops are functions and the
/// last operands; functions of the file are inlined. With `options.operators`, an operator that ONNX does not have is an error, and an
/// attribute that an operator does not have, or has of another kind. Whether an operator of ONNX has a meaning here `unsupported` answers.
///
/// Main has attributes `ir_version` and `opset.DOMAIN`, the versions of the file. Constants that inlay cannot hold (strings)
/// are calls of `onnx.Constant`, which no operator set knows.
///
/// Errors: whatever the file does wrong, in one sentence; functions that would make the program larger than the options allow; too little
/// memory. Time and memory are linear in the file's size and in the inlined program's.
[[nodiscard]] INLAY_FUNCTION outcome<ir_module> import_onnx(std::span<const std::byte> bytes, const import_options& options = {});

/// The value that an input of a program has if the caller gives none; null if it has none.
[[nodiscard]] inline const tensor* default_of(const ir_module& m, node_id input) {
    return m.attributes(input).get<tensor>(detail::default_value);
}

/// As `import_onnx`, from a file, which is never in memory as a whole beside the program. Errors name the path.
[[nodiscard]] INLAY_FUNCTION outcome<ir_module> load_onnx(const std::string& path, import_options options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/onnx/onnx.ipp>
#endif

#endif
