// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/onnx_ops.hpp>

#include <string_view>

// The one file of this folder's tests that compiles ONNX's operators; the others include onnx_ops_extern.hpp.
template const inlay::op_definition* inlay::onnx_families::find<void>(std::string_view);
