// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_EXPORT_HPP
#define INLAY_IO_ONNX_ONNX_EXPORT_HPP

#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/io/onnx/export_options.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// The bytes of an ONNX model: the whole main function, or a region as a model of its own, whose inputs are the values that it reads
/// from outside (in the order of reading), whose outputs are the values that leave it (in the order of nodes), and whose constants
/// are initialisers. Names are kept; operators are written in their newest form. ONNX Runtime and `import_onnx` read it back. The
/// same module gives the same bytes.
///
/// Errors: what ONNX cannot say (lets, matches, references, tuples as values), an input of unknown element type, more than 2 GB.
[[nodiscard]] INLAY_FUNCTION outcome<std::string> export_onnx(const ir_module& m, const export_options& options = {});

/// `export_onnx` to a file, whole or not at all.
[[nodiscard]] INLAY_FUNCTION outcome<void> save_onnx(const std::string& path, const ir_module& m, const export_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/onnx/onnx_export.ipp>
#endif

#endif
