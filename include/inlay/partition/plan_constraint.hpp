// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PLAN_CONSTRAINT_HPP
#define INLAY_PARTITION_PLAN_CONSTRAINT_HPP

#include <string>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/search/constraints.hpp>

namespace inlay {

/// A constraint on nodes of a graph; see `constraint`.
struct plan_constraint {
    constraint_rule rule = constraint_rule::pin;
    std::vector<node_id> nodes;  // of the graph
    backend_id backend = 0;      // of pin, forbid and prefer
    double seconds = 0;          // of prefer: what it is worth for each node
    std::string text;            // what messages call it
};

}  // namespace inlay

#endif
