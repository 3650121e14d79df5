// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_EXPORT_IPP
#define INLAY_IO_ONNX_ONNX_EXPORT_IPP

#include <string>

#include <inlay/io/onnx/onnx_export.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/io/onnx/export_options.hpp>
#include <inlay/io/onnx/onnx_writer.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

outcome<std::string> export_onnx(const ir_module& m, const export_options& options) { return detail::onnx_writer(m, options).write(); }

outcome<void> save_onnx(const std::string& path, const ir_module& m, const export_options& options) {
    const auto bytes = export_onnx(m, options);
    if (!bytes) return bytes.failure();
    return write_file(path, *bytes);
}

}  // namespace inlay

#endif
