// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PLAN_QUESTION_HPP
#define INLAY_PARTITION_PLAN_QUESTION_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/coverable.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/refusals_at.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/existing_part.hpp>
#include <inlay/partition/fallback_policy.hpp>
#include <inlay/partition/plan_options.hpp>
#include <inlay/partition/plan_part_rules.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// What a plan answers, but for prices: which candidates of a graph to choose, and what they have to keep to. Refers to the graph, the back
/// ends (a `backend_list`) and the options.
template <attributed_graph G, class List>
struct plan_question {
    const G& graph;
    const List& backends;
    const plan_options& options;
    candidate_set set;
    plan_part_rules parts;      // of all constraints
    plan_part_rules existing;   // that existing parts stay
    existing_borders borders;   // of these
    fallback_rules fallbacks;

    /// Whether no plan may have it: it is the fallback's and has a node which that must not have, or it would change an existing part.
    [[nodiscard]] bool is_barred(const candidate& c) const {
        return !borders.admit(c) || (backends.kind(c.backend) == options.fallback && !fallbacks.admit(c));
    }
    /// Seconds by candidate, infinite for those that are barred.
    [[nodiscard]] std::vector<double> without_barred(std::vector<double> seconds) const {
        for (std::size_t c = 0; c < seconds.size(); ++c)
            if (is_barred(set.candidates[c])) seconds[c] = impossible;
        return seconds;
    }
};

namespace detail {

/// Whether each node is in a candidate that may be taken; the error names the first that is not: one that must not fall back, with the rule
/// and what each other back end has to say of it, or one of an existing part.
template <attributed_graph G, class List>
[[nodiscard]] outcome<void> leaves_each_node_a_way(const plan_question<G, List>& q) {
    std::vector<char> taken(q.graph.size(), 0);
    for (const candidate& c : q.set.candidates)
        if (!q.is_barred(c))
            for (const node_id n : c.nodes) taken[n] = 1;
    for (const node_id n : q.set.to_cover) {
        if (taken[n] != 0) continue;
        if (q.fallbacks.of(n) != fallback_policy::require)
            return error{"node " + std::to_string(n) + " (operator '" + std::string(q.graph.op(n)) +
                         "') stands in or beside an existing part, and nobody takes it there by itself; name the part's back end with the "
                         "options it was made with, or leave the part out"};
        std::string message = "node " + std::to_string(n) + " (operator '" + std::string(q.graph.op(n)) + "') must not fall back on '" +
                              q.options.fallback + "'";
        if (!q.fallbacks.text(n).empty()) message += " by " + std::string(q.fallbacks.text(n));
        message += ", and no other back end takes it";
        for (const std::size_t b : q.backends.chosen()) {
            if (q.backends.kind(b) == q.options.fallback) continue;
            const std::vector<refusal> why = refusals_at(q.graph, q.backends, q.set, static_cast<backend_id>(b), n);
            if (why.empty()) continue;
            message += "; " + std::string(q.backends.kind(b)) + ": " + std::string(name_of(why.front().why)) + ": ";
            if (!why.front().composite.empty()) message += std::string(why.front().composite) + ": ";
            message += why.front().reason;
        }
        return error{message + "; allow it, or add a back end that does"};
    }
    return {};
}

}  // namespace detail

/// Enumerates the candidates of a graph on the back ends that take part. The error says which node is control flow or nobody takes, or
/// which constraint speaks of no part that can be, which node nobody but the fallback takes, and must not, or which
/// existing part cannot stay.
template <attributed_graph G, class List>
[[nodiscard]] outcome<plan_question<G, List>> question_of(const G& g, const List& backends, const plan_options& options) {
    if (auto plain = has_no_control_flow(g); !plain) return plain.failure();
    candidate_set set = enumerate(g, backends);
    if (auto covered = can_be_covered(g, backends, set); !covered) return covered.failure();
    auto kept = keep_parts(std::span<const existing_part>(options.existing), backends);
    if (!kept) return kept.failure();
    auto existing = part_rules_of(g, set, std::span<const plan_constraint>(*kept));
    if (!existing) return existing.failure();
    const existing_borders borders(*kept, g.size());
    kept->insert(kept->end(), options.constraints.begin(), options.constraints.end());
    auto parts = part_rules_of(g, set, std::span<const plan_constraint>(*kept));
    if (!parts) return parts.failure();
    parts->rules.merge = existing->rules.merge = options.merge_parts;
    plan_question<G, List> q{g,       backends, options, std::move(set), *std::move(parts), *std::move(existing),
                             borders, fallback_rules(options.fallbacks, g.size())};
    if (auto open = detail::leaves_each_node_a_way(q); !open) return open.failure();
    return q;
}

}  // namespace inlay

#endif
