// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ATTRIBUTES_HPP
#define INLAY_OPS_ONNX_ATTRIBUTES_HPP

// The attributes of ONNX's operators as structs; each header has a family of them.

#include <inlay/ops/movement_attributes.hpp>
#include <inlay/ops/normalization_attributes.hpp>
#include <inlay/ops/reduction_attributes.hpp>
#include <inlay/ops/scalar_attributes.hpp>
#include <inlay/ops/window_attributes.hpp>

#endif
