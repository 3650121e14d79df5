// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_TENSOR_PROTO_HPP
#define INLAY_IO_ONNX_TENSOR_PROTO_HPP

#include <string>
#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// The tensor that the bytes of a `TensorProto` hold, the form in which ONNX keeps inputs and expected outputs of tests (`.pb`).
/// `name` is set to the name that stands with it. Files of sequences and optionals, strings, and element types that inlay has not,
/// are refused, with the word `unsupported` in the error.
[[nodiscard]] INLAY_FUNCTION outcome<tensor> read_tensor_proto(std::string_view bytes, std::string* name = nullptr);

/// The bytes of a `TensorProto` with a name.
[[nodiscard]] INLAY_FUNCTION outcome<std::string> write_tensor_proto(const tensor& t, std::string_view name);

/// `read_tensor_proto` of a file; errors name the path.
[[nodiscard]] INLAY_FUNCTION outcome<tensor> load_tensor_proto(const std::string& path, std::string* name = nullptr);

/// `write_tensor_proto` to a file, whole or not at all; errors name the path.
[[nodiscard]] INLAY_FUNCTION outcome<void> save_tensor_proto(const std::string& path, const tensor& t, std::string_view name);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/onnx/tensor_proto.ipp>
#endif

#endif
