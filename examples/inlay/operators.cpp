// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx_ops.hpp>

template const inlay::op_definition* inlay::onnx_families::find<void>(std::string_view);
