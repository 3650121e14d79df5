// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/onnx_book.ipp>
#include <inlay/passes/books/relay_to_onnx.ipp>
#include <inlay/passes/clean.ipp>
#include <inlay/passes/control/lift_control.ipp>
#include <inlay/passes/fold_constants.ipp>
#include <inlay/passes/infer_types.ipp>
#include <inlay/passes/inline_parts.ipp>
#include <inlay/passes/materialise_defaults.ipp>
#include <inlay/passes/memory/allocate_tensors.ipp>
#include <inlay/passes/normalise.ipp>
