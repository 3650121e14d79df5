// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PLAN_CONSTRAINT_HPP
#define INLAY_PARTITION_PLAN_CONSTRAINT_HPP

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/partition/part_rules.hpp>
#include <inlay/search/constrained/constraints.hpp>

namespace inlay {

/// A constraint on nodes of a graph; see `constraint`. Here `keep` speaks of parts: the nodes become one part of the back end with nothing
/// else in it, in however many composites; and `part_limit` of what parts may come to, composites and what becomes of them when neighbours
/// are merged alike.
struct plan_constraint {
    constraint_rule rule = constraint_rule::pin;
    std::vector<node_id> nodes;  // of the graph; none of part_limit
    backend_id backend = 0;      // of pin, forbid, prefer, keep and part_limit
    double seconds = 0;          // of prefer: what it is worth for each node
    std::string text;            // what messages call it
    part_cap cap{};              // of part_limit; its back end is the one above
};

/// That no plan keeps to constraints and limits of these texts together.
[[nodiscard]] inline error clash_of(std::span<const std::string> texts) {
    std::string message;
    for (const std::string& text : texts) message += (message.empty() ? "no plan keeps to these constraints together: " : "; ") + text;
    return error{std::move(message)};
}

}  // namespace inlay

#endif
