// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_EXPORT_HPP
#define INLAY_IO_ONNX_ONNX_EXPORT_HPP

#include <string>

#include <inlay/core/outcome.hpp>
#include <inlay/io/onnx/export_options.hpp>
#include <inlay/io/onnx/onnx_writer.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// The bytes of an ONNX model: the whole main function, or a region as a model of its own, whose inputs are the values that it reads
/// from outside (in the order of reading), whose outputs are the values that leave it (in the order of nodes), and whose constants
/// are initialisers. Names are kept; operators are written in their newest form. ONNX Runtime and `import_onnx` read it back. The
/// same module gives the same bytes.
///
/// Errors: what ONNX cannot say (lets, matches, references, tuples as values), an input of unknown element type, more than 2 GB.
[[nodiscard]] inline outcome<std::string> export_onnx(const ir_module& m, const export_options& options = {}) {
    return detail::onnx_writer(m, options).write();
}

/// `export_onnx` to a file, whole or not at all.
[[nodiscard]] inline outcome<void> save_onnx(const std::string& path, const ir_module& m, const export_options& options = {}) {
    const auto bytes = export_onnx(m, options);
    if (!bytes) return bytes.failure();
    return write_file(path, *bytes);
}

}  // namespace inlay

#endif
