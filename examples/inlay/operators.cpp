// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "operators.hpp"

#include <inlay/ops/onnx/onnx_ops.hpp>

std::vector<std::string> tool::operator_names() {
    std::vector<std::string> names;
    for (const inlay::op_definition& d : inlay::onnx_ops::all()) names.emplace_back(d.name);
    return names;
}
