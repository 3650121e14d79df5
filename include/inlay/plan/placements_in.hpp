// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLACEMENTS_IN_HPP
#define INLAY_PLAN_PLACEMENTS_IN_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/plan/placement_rule.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// Where the calls of a program have to run by their column `where`: a rule for each place. Linear, times a logarithm.
[[nodiscard]] inline std::vector<placement_rule> placements_in(const ir_module& m) {
    std::vector<placement_rule> rules;
    std::map<std::uint32_t, std::size_t> rule_of;
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) != node_kind::call || m.where(n).is_free()) continue;
        const auto [at, is_new] = rule_of.try_emplace(m.where_number(n), rules.size());
        if (is_new) rules.push_back({m.where(n), {}, {}});
        rules[at->second].nodes.push_back(n);
    }
    return rules;
}

}  // namespace inlay

#endif
