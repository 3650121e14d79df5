// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/interpret.ipp>
#include <inlay/ops/loops/convert_elements.ipp>
#include <inlay/ops/loops/evaluate_by_filling.ipp>
#include <inlay/ops/loops/extent_arithmetic.ipp>
#include <inlay/ops/loops/index_list.ipp>
#include <inlay/ops/loops/resize_taps.ipp>
#include <inlay/ops/loops/stretching.ipp>
#include <inlay/ops/loops/window.ipp>
#include <inlay/ops/onnx/onnx_ops.ipp>
#include <inlay/ops/relay/relay_ops.ipp>
