// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_CONSTRAINT_FILE_HPP
#define INLAY_EXAMPLES_INLAY_CONSTRAINT_FILE_HPP

#include <string>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/plan_constraint.hpp>

namespace tool {

/// Reads a file of constraints on the nodes of a model; `kinds` are the back ends that take part, by their numbers. The error names the place.
[[nodiscard]] inlay::outcome<std::vector<inlay::plan_constraint>> read_constraints(const std::string& path, const inlay::ir_module& m,
                                                                                   const std::vector<std::string>& kinds);

}  // namespace tool

#endif
