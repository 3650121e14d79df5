// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_RULES_HPP
#define INLAY_PLAN_PLAN_RULES_HPP

#include <vector>

#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/plan_limit.hpp>

namespace inlay {

/// What a plan has to keep to; `plan_options` takes each list under its name.
struct plan_rules {
    std::vector<plan_constraint> constraints;
    std::vector<plan_limit> limits;
    std::vector<fallback_rule> fallbacks;
};

}  // namespace inlay

#endif
