// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PIPELINE_HPP
#define INLAY_PIPELINE_HPP

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/backend_list.hpp>
#include <inlay/codegen/before_partitioning.hpp>
#include <inlay/codegen/list_lint.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_list.hpp>
#include <inlay/plan/plan_list_of.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_of.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/program_meter.hpp>

namespace inlay {

namespace detail {

/// Whether the back ends that take part are enough for all partitioners that a plan's options name; for eager, its list must be in order.
template <class List>
[[nodiscard]] outcome<void> can_decide(const List& backends, const plan_options& options) {
    std::vector<std::string> kinds;
    for (const std::size_t number : backends.chosen()) kinds.emplace_back(backends.kind(number));
    if (auto known = takes_part(options.partitioner, kinds); !known) return known;
    if (options.partitioner.rule() == selection_rule::eager)
        if (const auto notes = list_notes(backends); !notes.empty()) return error{notes.front()};
    for (const partitioner& other : options.others)
        if (auto known = takes_part(other, kinds); !known) return known;
    return {};
}

/// Plans a graph as it is.
template <attributed_graph G, class List, meter Meter, class Bound, program_meter Rehearser>
[[nodiscard]] outcome<plan> plan_as_given(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options,
                                          Rehearser& whole) {
    auto question = planning_problem_of(g, backends, options);
    if (!question) return question.failure();
    return plan_of(*std::move(question), pricing, bound, whole);
}

/// Whether the options speak of nodes by number, so that they mean one program alone.
[[nodiscard]] inline bool names_nodes(const plan_options& options) {
    bool any = !options.existing.empty() || !options.enumeration.owned.empty();
    for (const plan_constraint& one : options.constraints) any = any || !one.nodes.empty();
    for (const fallback_rule& one : options.fallbacks) any = any || !one.nodes.empty();
    return any;
}

/// Plans every program that the phases of back ends make of one, and gives the cheapest plan; of equal ones the first. A program for one
/// back end's sake that has no plan is left out; the error is that of the first.
template <class List, meter Meter, class Bound, program_meter Rehearser>
[[nodiscard]] outcome<plan> plan_prepared(const ir_module& given, const List& backends, Meter& pricing, Bound&& bound,
                                          const plan_options& options, Rehearser& whole) {
    auto ready = prepare(backends, given);
    if (!ready) return ready.failure();
    if (ready->size() == 1 && ready->front().phases.empty()) return plan_as_given(given, backends, pricing, bound, options, whole);
    if (names_nodes(options))
        return error{
            "the options name nodes of the program as it was given, which phases of back ends change before it is partitioned; call "
            "`prepare`, name nodes of what it gives, and plan that with `run_phases` off"};
    // A program meter runs the program that it was made for.
    no_program_meter none;
    std::optional<plan> best;
    for (prepared_program& each : *ready) {
        auto made = plan_as_given(each.program, backends, pricing, bound, options, none);
        if (!made && !best) return made.failure();
        if (!made || (best && !(*made->chosen.seconds < *best->chosen.seconds))) continue;
        best = *std::move(made);
        best->program = each;
    }
    best->shared_program = std::move(ready->front());
    return *std::move(best);
}

}  // namespace detail

/// The arrows as one call: run the phases of back ends before partitioning, enumerate, price, select, partition. `backends` is a
/// `backend_list`. `bound(region_view)` and `bound(type, from, to)` give admissible lower bounds of prices in seconds. `whole` runs covers
/// as whole programs; where phases changed the program, it is not asked. The error says which phase failed, which node no back end takes,
/// or why no cover exists.
template <attributed_graph G, class List, meter Meter, class Bound, program_meter Rehearser>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options,
                                      Rehearser& whole) {
    if (auto known = detail::can_decide(backends, options); !known) return known.failure();
    if constexpr (has_phases_before<List>) {
        if (options.run_phases) {
            if constexpr (std::same_as<G, ir_module>)
                return detail::plan_prepared(g, backends, pricing, bound, options, whole);
            else
                return error{
                    "a back end of this list has phases before partitioning, which take an `ir_module`; plan on one, or switch "
                    "`run_phases` off"};
        }
    }
    return detail::plan_as_given(g, backends, pricing, bound, options, whole);
}

/// A plan where each piece costs what it costs by itself.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options = {}) {
    no_program_meter none;
    return make_plan(g, backends, pricing, bound, options, none);
}

/// The plans of which none is beaten in both its time and a second objective, under prices of pieces by themselves; see `plan_list`.
/// Constraints, limits, budget and cancellation of the options hold; who decides is always `exact`.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan_list> list_plans(const G& g, const List& backends, Meter& pricing, Bound&& bound, plan_objective second,
                                            const plan_options& options = {}) {
    if (second == plan_objective::latency)
        return error{"the second objective of a list of plans is peak or load; plans are told by their time first"};
    if (auto known = detail::can_decide(backends, options); !known) return known.failure();
    auto question = planning_problem_of(g, backends, options);
    if (!question) return question.failure();
    return plan_list_of(*std::move(question), pricing, bound, second);
}

}  // namespace inlay

#endif
