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

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/before_partitioning.hpp>
#include <inlay/codegen/list/list_lint.hpp>
#include <inlay/codegen/list/prepared_program.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/plan/merge_plan_lists.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_list.hpp>
#include <inlay/plan/plan_list_of.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_of.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/program_meter.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/selection.hpp>

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
    for (const placement_rule& one : options.placements) any = any || !one.nodes.empty();
    return any;
}

/// The programs that phases of back ends make of a graph; none where they are not run or change nothing. The error says which phase failed,
/// or why they cannot be run.
template <attributed_graph G, class List>
[[nodiscard]] outcome<std::vector<prepared_program>> programs_of(const G& g, const List& backends, const plan_options& options) {
    std::vector<prepared_program> none;
    if (!options.run_phases) return none;
    if constexpr (std::same_as<G, ir_module>) {
        auto ready = prepare(backends, g);
        if (!ready) return ready.failure();
        if (ready->size() == 1 && ready->front().phases.empty()) return none;
        if (names_nodes(options))
            return error{
                "the options name nodes of the program as it was given, which phases of back ends change before it is partitioned; call "
                "`prepare`, name nodes of what it gives, and plan that with `run_phases` off"};
        return ready;
    } else {
        return error{
            "a back end of this list has phases before partitioning, which take an `ir_module`; plan on one, or switch "
            "`run_phases` off"};
    }
}

/// Plans every one of several programs, and gives the cheapest plan; of equal ones the first. A program for one back end's sake that has no
/// plan is left out; the error is that of the first.
template <class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan> plan_prepared(std::vector<prepared_program> ready, const List& backends, Meter& pricing, Bound&& bound,
                                          const plan_options& options) {
    // A program meter runs the program that it was made for.
    no_program_meter none;
    std::optional<plan> best;
    std::size_t of = 0;
    for (std::size_t i = 0; i < ready.size(); ++i) {
        auto made = plan_as_given(ready[i].program, backends, pricing, bound, options, none);
        if (!made && !best) return made.failure();
        if (!made || (best && !(*made->chosen.seconds < *best->chosen.seconds))) continue;
        best = *std::move(made);
        of = i;
    }
    // The plan refers to the types and attributes of its program, which stand where they are when that is moved.
    best->shared_program = ready.front();
    best->program = std::move(ready[of]);
    return *std::move(best);
}

/// Lists the plans of every one of several programs, each in its share of the budget, and merges the lists. A program for one back end's
/// sake that has no plan adds none, and one whose search was stopped before it found any leaves the list open; the error is that of the
/// first.
template <class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan_list> list_prepared(std::vector<prepared_program> ready, const List& backends, Meter& pricing, Bound&& bound,
                                               plan_objective second, const plan_options& options) {
    const deadline end(options.search.budget_ms, options.search.cancel);
    std::vector<plan_list> lists;
    for (std::size_t i = 0; i < ready.size(); ++i) {
        selection_status ended = selection_status::gap;
        plan_options own = options;
        if (const auto left = end.left_ms()) own.search.budget_ms = *left / static_cast<double>(ready.size() - i);
        if (i > 0) {
            own.partitioner = partitioner::exact();
            own.ended = &ended;
        }
        plan_list& list = lists.emplace_back();
        list.second = second;
        list.programs.emplace_back();
        auto question = planning_problem_of(ready[i].program, backends, own);
        if (!question && i == 0) return question.failure();
        if (!question) {
            list.is_complete = true;
        } else if (auto made = plan_list_of(*std::move(question), pricing, bound, second)) {
            list = *std::move(made);
        } else if (i == 0) {
            return made.failure();
        } else if (ended == selection_status::infeasible) {
            list.is_complete = true;
        } else {
            list.beyond_costs = 0;
        }
        list.programs.front().prepared = std::move(ready[i]);
    }
    return merge_plan_lists(std::move(lists));
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
        auto ready = detail::programs_of(g, backends, options);
        if (!ready) return ready.failure();
        if (!ready->empty()) return detail::plan_prepared(*std::move(ready), backends, pricing, bound, options);
    }
    return detail::plan_as_given(g, backends, pricing, bound, options, whole);
}

/// A plan where each piece costs what it costs by itself.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options = {}) {
    no_program_meter none;
    return make_plan(g, backends, pricing, bound, options, none);
}

/// The plans of which none is beaten in both its time and a second objective, under prices of pieces by themselves; see `plan_list`. Where
/// phases of back ends make several programs of one, each point says which it is for. Constraints, limits, budget and cancellation of the
/// options hold; who decides is always `exact`.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan_list> list_plans(const G& g, const List& backends, Meter& pricing, Bound&& bound, plan_objective second,
                                            const plan_options& options = {}) {
    if (second == plan_objective::latency)
        return error{"the second objective of a list of plans is peak, load or energy; plans are told by their time first"};
    if (auto known = detail::can_decide(backends, options); !known) return known.failure();
    if (auto listable = can_list(options); !listable) return listable.failure();
    if constexpr (has_phases_before<List>) {
        auto ready = detail::programs_of(g, backends, options);
        if (!ready) return ready.failure();
        if (!ready->empty()) return detail::list_prepared(*std::move(ready), backends, pricing, bound, second, options);
    }
    auto question = planning_problem_of(g, backends, options);
    if (!question) return question.failure();
    return plan_list_of(*std::move(question), pricing, bound, second);
}

}  // namespace inlay

#endif
