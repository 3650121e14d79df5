// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLANNING_PROBLEM_HPP
#define INLAY_PLAN_PLANNING_PROBLEM_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/coverable.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/refusals_at.hpp>
#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/graph_ref.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/existing_part.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/placement_rule.hpp>
#include <inlay/plan/placements_in.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/plan_part_rules.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/target/device.hpp>

namespace inlay {

/// What a plan answers, but for prices: which candidates of a graph to choose, and what they have to keep to. Refers to the graph, the back
/// ends and the options.
struct planning_problem {
    graph_ref graph;
    backends_ref backends;
    const plan_options& options;
    candidate_set set;
    plan_part_rules parts;     // of all constraints, and that existing parts stay
    existing_borders borders;  // of existing parts
    fallback_rules fallbacks;
    placement_rules places;
    std::map<device_type, std::int32_t> devices;  // of each type of which places name one by number
    std::vector<std::optional<double>> joules{};  // by candidate, where energy is asked for: they are stated once, prices grow

    /// Whether no plan may have it: it is the fallback's and has a node which that must not have, it would change an existing part, or its
    /// back end does not run where its nodes have to.
    [[nodiscard]] bool is_barred(const candidate& c) const {
        return !borders.admit(c) || (backends.kind(c.backend) == options.fallback && !fallbacks.admit(c)) || !is_at_its_place(c);
    }
    [[nodiscard]] bool is_at_its_place(const candidate& c) const {
        return places.admit(
            c, [&](backend_id b, const placement& where, std::span<const format> results) { return backends.runs(b, where, results); });
    }
    /// Seconds by candidate, infinite for those that are barred.
    [[nodiscard]] std::vector<double> without_barred(std::vector<double> seconds) const {
        for (std::size_t c = 0; c < seconds.size(); ++c)
            if (is_barred(set.candidates[c])) seconds[c] = impossible;
        return seconds;
    }
};

namespace detail {

/// What each back end for which `is_asked(number)` has to say of a node that it does not take.
template <attributed_graph G, class List, class Asked>
[[nodiscard]] std::string words_about(const planning_problem& q, const G& g, const List& backends, node_id n, const Asked& is_asked) {
    std::string words;
    for (const std::size_t b : q.backends.chosen()) {
        if (!is_asked(b)) continue;
        const std::vector<refusal> why = refusals_at(g, backends, q.set, static_cast<backend_id>(b), n);
        if (why.empty()) continue;
        words += "; " + std::string(q.backends.kind(b)) + ": " + std::string(name_of(why.front().why)) + ": ";
        if (!why.front().composite.empty()) words += std::string(why.front().composite) + ": ";
        words += why.front().reason;
    }
    return words;
}

/// That nobody runs a node at its place, though others would elsewhere.
template <attributed_graph G, class List>
[[nodiscard]] error runs_nowhere(const planning_problem& q, const G& g, const List& backends, node_id n) {
    const std::vector<const placement_rule*> rules = q.places.of(n);
    std::string message = shown_node(g, n) + " (operator " + quoted_text(q.graph.op(n)) + ")";
    if (rules.empty())
        return error{message +
                     " is taken together with nodes alone that are placed where nobody runs them with it; place these elsewhere, or "
                     "add a back end that takes it by itself"};
    message += " is placed on ";
    for (std::size_t i = 0; i < rules.size(); ++i)
        message += (i == 0 ? "" : " and on ") + to_string(rules[i]->where) + (rules[i]->text.empty() ? "" : " by " + rules[i]->text);
    const auto is_there = [&](std::size_t b) {
        for (const placement_rule* one : rules)
            if (!q.backends.runs(b, one->where, {})) return false;
        return true;
    };
    message += ", and no back end that takes part runs it there" + words_about(q, g, backends, n, is_there);
    return error{message + "; place it elsewhere, or add a back end that does"};
}

/// Whether each node is in a candidate that may be taken; the error names the first that is not: one that nobody runs at its place, one
/// that must not fall back, with the rule and what each other back end has to say of it, or one of an existing part.
template <attributed_graph G, class List>
[[nodiscard]] outcome<void> leaves_each_node_a_way(const planning_problem& q, const G& g, const List& backends) {
    std::vector<char> taken(q.graph.size(), 0), placed(q.graph.size(), 0);
    for (const candidate& c : q.set.candidates) {
        const bool is_barred = q.is_barred(c), is_placed = q.is_at_its_place(c);
        for (const node_id n : c.nodes) {
            taken[n] = taken[n] != 0 || !is_barred;
            placed[n] = placed[n] != 0 || is_placed;
        }
    }
    for (const node_id n : q.set.to_cover) {
        if (taken[n] != 0) continue;
        if (placed[n] == 0) return runs_nowhere(q, g, backends, n);
        if (q.fallbacks.of(n) != fallback_policy::require)
            return error{shown_node(g, n) + " (operator " + quoted_text(q.graph.op(n)) +
                         ") stands in or beside an existing part, and nobody takes it there by itself; name the part's back end with the "
                         "options it was made with, or leave the part out"};
        std::string message =
            shown_node(g, n) + " (operator " + quoted_text(q.graph.op(n)) + ") must not fall back on " + quoted_text(q.options.fallback);
        if (!q.fallbacks.text(n).empty()) message += " by " + std::string(q.fallbacks.text(n));
        message += ", and no other back end takes it";
        message += words_about(q, g, backends, n, [&](std::size_t b) { return q.backends.kind(b) != q.options.fallback; });
        return error{message + "; allow it, or add a back end that does"};
    }
    return {};
}

}  // namespace detail

/// Whether the plan's own partitioner keeps all that the options ask for; the error names the first that it does not. Eager never looks at
/// prices, and neither it nor exhaustive at what several candidates come to together.
[[nodiscard]] inline outcome<void> can_keep(const plan_options& options) {
    if (options.partitioner.rule() == selection_rule::exact) return {};
    const auto refused = [&](const std::string& what) {
        return error{"partitioner '" + to_string(options.partitioner) + "' does not keep " + what +
                     "; use exact or single:KIND, or leave it out"};
    };
    const bool is_eager = options.partitioner.rule() == selection_rule::eager;
    for (const plan_constraint& one : options.constraints)
        if (one.rule == constraint_rule::colocate || one.rule == constraint_rule::separate ||
            (is_eager && one.rule == constraint_rule::prefer))
            return refused(one.text);
    if (!options.limits.empty()) return refused(options.limits.front().text);
    if (options.objective != plan_objective::latency) return refused("the objective " + std::string(name_of(options.objective)));
    return {};
}

/// Enumerates the candidates of a graph on the back ends that take part. The error says which node is control flow, gives an output that
/// another one gives, or nobody takes, or which constraint speaks of no part that can be, which node nobody but the fallback takes, and
/// must not, which node nobody runs at its place, which two devices of one type nodes are to run on, or which existing part cannot stay.
template <attributed_graph G, class List>
[[nodiscard]] outcome<planning_problem> planning_problem_of(const G& g, const List& backends, const plan_options& options) {
    if (auto keeps = can_keep(options); !keeps) return keeps.failure();
    std::vector<placement_rule> placements = options.placements;
    if constexpr (std::same_as<G, ir_module>)
        if (placements.empty()) placements = placements_in(g);
    auto devices = devices_of(placements);
    if (!devices) return devices.failure();
    if (auto plain = has_no_control_flow(g); !plain) return plain.failure();
    if (auto once = has_each_output_once(g); !once) return once.failure();
    candidate_set set = enumerate(g, backends, options.enumeration);
    if (auto covered = can_be_covered(g, backends, set); !covered) return covered.failure();
    auto kept = keep_parts(std::span<const existing_part>(options.existing), backends_ref(backends));
    if (!kept) return kept.failure();
    const existing_borders borders(*kept, g.size());
    kept->insert(kept->end(), options.constraints.begin(), options.constraints.end());
    auto parts = part_rules_of(graph_ref(g), set, std::span<const plan_constraint>(*kept));
    if (!parts) return parts.failure();
    if (in_force<"partition.merge.off">()) parts->rules.merge = options.merge_parts;
    planning_problem q{g,
                       backends,
                       options,
                       std::move(set),
                       *std::move(parts),
                       borders,
                       fallback_rules(options.fallbacks, g.size()),
                       placement_rules(placements, g.size()),
                       *std::move(devices)};
    if (auto open = detail::leaves_each_node_a_way(q, g, backends); !open) return open.failure();
    return q;
}

}  // namespace inlay

#endif
