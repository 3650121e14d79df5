// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/interpret.ipp>
#include <inlay/ops/onnx/onnx_ops.ipp>
#include <inlay/ops/relay/relay_ops.ipp>
