// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PIPELINE_HPP
#define INLAY_PIPELINE_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/backend_list.hpp>
#include <inlay/codegen/list_lint.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/partition/plan.hpp>
#include <inlay/partition/plan_list.hpp>
#include <inlay/partition/plan_lister.hpp>
#include <inlay/partition/plan_objective.hpp>
#include <inlay/partition/plan_options.hpp>
#include <inlay/partition/plan_question.hpp>
#include <inlay/partition/planner.hpp>
#include <inlay/partition/rehearsal.hpp>

namespace inlay {

/// Whether a partitioner has that name where back ends of these kinds take part; else one sentence with the nearest that is known.
[[nodiscard]] inline outcome<void> knows_partitioner(const std::string& name, const std::vector<std::string>& kinds) {
    const std::vector<std::string> rules{"exact", "eager", "exhaustive"};
    if (std::find(rules.begin(), rules.end(), name) != rules.end()) return {};
    if (!name.starts_with("single:"))
        return error{"there is no partitioner " + quoted_text(name) + name_hint(name, rules) +
                     "; write exact, eager, exhaustive or single:KIND"};
    const std::string kind = name.substr(7);
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return {};
    return error{"partitioner " + quoted_text(name) + " names a back end that takes no part" + name_hint(kind, kinds)};
}

namespace detail {

/// The same of all partitioners that a plan's options name.
template <class List>
[[nodiscard]] outcome<void> knows_partitioners(const List& backends, const plan_options& options) {
    std::vector<std::string> kinds;
    for (const std::size_t number : backends.chosen()) kinds.emplace_back(backends.kind(number));
    if (auto known = knows_partitioner(options.partitioner, kinds); !known) return known;
    if (options.partitioner == "eager")
        if (const auto notes = list_notes(backends); !notes.empty()) return error{notes.front()};
    for (const std::string& other : options.others)
        if (auto known = knows_partitioner(other, kinds); !known) return known;
    return {};
}

}  // namespace detail

/// The arrows as one call: enumerate, price, select, partition. `backends` is a `backend_list`. `bound(region_view)` and
/// `bound(type, from, to)` give admissible lower bounds of prices in seconds. `rehearse` runs covers as whole programs. The error says
/// which node no back end takes, or why no cover exists.
template <attributed_graph G, class List, meter Meter, class Bound, rehearser Rehearser>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options,
                                      Rehearser& rehearse) {
    if (auto known = detail::knows_partitioners(backends, options); !known) return known.failure();
    auto question = question_of(g, backends, options);
    if (!question) return question.failure();
    return planner(*std::move(question), pricing, bound, rehearse)();
}

/// A plan where each piece costs what it costs by itself.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options = {}) {
    no_rehearsal none;
    return make_plan(g, backends, pricing, bound, options, none);
}

/// The plans of which none is beaten in both its time and a second objective, under prices of pieces by themselves; see `plan_list`.
/// Constraints, limits, budget and cancellation of the options hold; who decides is always `exact`.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan_list> list_plans(const G& g, const List& backends, Meter& pricing, Bound&& bound, plan_objective second,
                                            const plan_options& options = {}) {
    if (second == plan_objective::latency)
        return error{"the second objective of a list of plans is peak or load; plans are told by their time first"};
    if (auto known = detail::knows_partitioners(backends, options); !known) return known.failure();
    auto question = question_of(g, backends, options);
    if (!question) return question.failure();
    return plan_lister(*std::move(question), pricing, bound, second)();
}

}  // namespace inlay

#endif
