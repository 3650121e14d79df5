// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_CONSTRAINT_FILE_HPP
#define INLAY_EXAMPLES_INLAY_CONSTRAINT_FILE_HPP

#include <string>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/plan_limit.hpp>

#include "engine.hpp"

namespace tool {

/// What a plan has to keep to.
struct plan_rules {
    std::vector<inlay::plan_constraint> constraints;
    std::vector<inlay::plan_limit> limits;
    std::vector<inlay::fallback_rule> fallbacks;
};

/// Reads a file of constraints on the plans of a model; `kinds` are the back ends of this build by their numbers, of which those of the
/// engine take part. The error names the place.
[[nodiscard]] inlay::outcome<plan_rules> read_constraints(const std::string& path, const inlay::ir_module& m,
                                                          const std::vector<std::string>& kinds, const engine& e);

}  // namespace tool

#endif
