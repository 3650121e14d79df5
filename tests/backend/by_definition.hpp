// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_BY_DEFINITION_HPP
#define INLAY_TESTS_BACKEND_BY_DEFINITION_HPP

#include <map>
#include <string_view>

#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay_test {

/// The definition of an operator, or null. Apart from the tests, so that all operators are compiled once.
[[nodiscard]] const inlay::op_definition* definition_of(std::string_view op);

/// The value of every node that computes a tensor, each operator by its definition on float64.
[[nodiscard]] std::map<inlay::node_id, inlay::tensor> meanings(const inlay::ir_module& g,
                                                               const std::map<inlay::node_id, inlay::tensor>& feeds);

}  // namespace inlay_test

#endif
