// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_ONNX_OPERATOR_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_ONNX_OPERATOR_ATTRIBUTES_HPP

// The attributes of ONNX's operators as structs; each header has a family of them.

#include <inlay/ops/attributes/loop_attributes.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>

#endif
