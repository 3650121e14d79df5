// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "operators.hpp"

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/relay/relay_ops.hpp>

std::vector<std::string> tool::operator_names(bool of_relay) {
    std::vector<std::string> names;
    for (const inlay::op_definition& d : of_relay ? inlay::relay_ops::all() : inlay::onnx_ops::all()) names.emplace_back(d.name);
    return names;
}

const inlay::op_definition* tool::meaning_of(std::string_view name) { return inlay::relay_ops::find(name); }
