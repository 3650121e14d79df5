// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx.ipp>
#include <inlay/io/onnx/onnx_export.ipp>
#include <inlay/io/onnx/tensor_proto.ipp>
