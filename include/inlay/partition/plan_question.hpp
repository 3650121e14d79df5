// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PLAN_QUESTION_HPP
#define INLAY_PARTITION_PLAN_QUESTION_HPP

#include <utility>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/coverable.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/plan_options.hpp>
#include <inlay/partition/plan_part_rules.hpp>

namespace inlay {

/// What a plan answers, but for prices: which candidates of a graph to choose, and what they have to keep to. Refers to the graph, the back
/// ends (a `backend_list`) and the options.
template <attributed_graph G, class List>
struct plan_question {
    const G& graph;
    const List& backends;
    const plan_options& options;
    candidate_set set;
    plan_part_rules parts;
};

/// Enumerates the candidates of a graph on the back ends that take part. The error says which node is control flow or nobody takes, or
/// which constraint speaks of no part that can be.
template <attributed_graph G, class List>
[[nodiscard]] outcome<plan_question<G, List>> question_of(const G& g, const List& backends, const plan_options& options) {
    if (auto plain = has_no_control_flow(g); !plain) return plain.failure();
    candidate_set set = enumerate(g, backends);
    if (auto covered = can_be_covered(g, backends, set); !covered) return covered.failure();
    auto parts = part_rules_of(g, set, options.constraints);
    if (!parts) return parts.failure();
    return plan_question<G, List>{g, backends, options, std::move(set), *std::move(parts)};
}

}  // namespace inlay

#endif
