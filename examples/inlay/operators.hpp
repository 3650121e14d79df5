// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_OPERATORS_HPP
#define INLAY_EXAMPLES_INLAY_OPERATORS_HPP

#include <inlay/ops/onnx_ops.hpp>

// The operators are compiled once, in operators.cpp.
extern template const inlay::op_definition* inlay::onnx_families::find<void>(std::string_view);

#endif
