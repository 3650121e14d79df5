// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_LIST_OF_IPP
#define INLAY_PLAN_PLAN_LIST_OF_IPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/plan/plan_list_of.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/cost/lower_bound_ref.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/plan/plan_list.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_part_rules.hpp>
#include <inlay/plan/plan_quantities.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/price_cache.hpp>
#include <inlay/plan/solve_once.hpp>
#include <inlay/plan/stated_constraints.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/pareto.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

namespace detail {

/// Refers to all that it is made from.
class plan_lister {
public:
    plan_lister(planning_problem question, meter_ref pricing, lower_bound_ref bound, plan_objective second)
        : question_(std::move(question)),
          prices_(question_.graph, question_.backends, question_.set, bound, question_.options.launch_seconds, question_.options.failures),
          meter_(pricing) {
        made_.second = second;
        question_.joules = joules_of(question_, second);
    }
    plan_lister(const plan_lister&) = delete;
    plan_lister& operator=(const plan_lister&) = delete;

    /// The list; to be called once. The budget holds for all that is done; where it ends, or the search is cancelled, what was found by
    /// then is given.
    [[nodiscard]] outcome<plan_list> operator()() {
        const plan_options& options = question_.options;
        if (auto listable = can_list(options); !listable) return listable.failure();
        const deadline end(options.search.budget_ms, options.search.cancel);
        for (;; ++made_.pricing_rounds) {
            prices_.want_nothing();
            const auto is_new = list_once(end);
            if (!is_new) return is_new.failure();
            const bool is_last = !*is_new || end.passed() || made_.pricing_rounds >= options.pricing_rounds;
            const bool has_learned = prices_.ask(meter_);
            if (!is_last && has_learned) continue;
            if (!*is_new || has_learned)
                if (auto repriced = reprice(); !repriced) return repriced.failure();
            break;
        }
        for (plan_point& point : made_.points) {
            auto cut = partition(question_.graph, question_.set, point.chosen, question_.parts);
            if (!cut) return cut.failure();
            point.cut = *std::move(cut);
            point.is_priced = is_priced(point);
        }
        made_.programs.push_back({std::move(question_.set)});
        return std::move(made_);
    }

private:
    /// Lists plans under today's prices, and notes what they want; false where that was stopped before there was any, and the list of an
    /// earlier round stands.
    outcome<bool> list_once(const deadline& end) {
        const selection_problem stated = prices_.state(question_.without_barred(prices_.seconds()));
        if (auto sound = check(stated.numbers); !sound) return sound.failure();
        const auto rules = search_rules_of(question_, stated);
        if (!rules) return rules.failure();
        pareto_options how;
        how.search = question_.options.search;
        if (const auto left = end.left_ms()) how.search.budget_ms = *left;
        const auto amounts = amounts_of(question_, stated, made_.second);
        if (!amounts) return amounts.failure();
        const pareto_list found = pareto(stated.numbers, *amounts, rules->constraints, rules->limits, how);
        if (found.points.empty()) {
            if (found.status == selection_status::infeasible) return why_none(found);
            if (made_.points.empty()) return error{found.reason};
            return false;
        }
        made_.points.clear();
        made_.is_complete = found.complete;
        made_.beyond_costs = found.beyond_costs;
        for (const pareto_point& p : found.points) {
            plan_point point;
            for (const candidate_index k : p.chosen)
                if (stated.candidate_of[k] != selection_problem::none) point.chosen.push_back(stated.candidate_of[k]);
            std::sort(point.chosen.begin(), point.chosen.end());
            point.seconds = p.cost;
            point.second = p.second;
            point.seconds_bound = std::min(p.cost, p.cost_bound);
            point.second_bound = std::min(p.second, p.second_bound);
            point.is_proved = p.is_proved();
            prices_.want(point.chosen);
            made_.points.push_back(std::move(point));
        }
        return true;
    }

    /// The search for one plan tells why there is none.
    [[nodiscard]] error why_none(const pareto_list& found) const {
        const auto one = solve_once(question_, prices_, partitioner::exact());
        if (!one) return one.failure();
        const plan_options& options = question_.options;
        if (options.ended != nullptr && options.partitioner.is_exact()) *options.ended = one->made.status;
        return error{one->made.reason.empty() ? found.reason : one->made.reason};
    }

    /// Gives the points of a list that was stopped what they come to under today's prices, without a new search. Prices only grew, so that
    /// what no plan at all costs less than stays; other bounds are about plans beside points that are no longer what they were. Points that
    /// turn out to be beaten, to break a limit, or not to run at all, leave; an error where none is left.
    outcome<void> reprice() {
        const selection_problem stated = prices_.state(question_.without_barred(prices_.seconds()));
        const auto rules = search_rules_of(question_, stated);
        if (!rules) return rules.failure();
        const problem_index index(stated.numbers);
        const auto amounts = amounts_of(question_, stated, made_.second);
        if (!amounts) return amounts.failure();
        const double least_cost = made_.points.front().seconds_bound;
        made_.beyond_costs = least_cost;
        std::vector<plan_point> points;
        for (plan_point& point : made_.points) {
            const auto cover = cover_of(stated, point);
            const auto cost = cover ? cover_cost(index, *cover) : std::nullopt;
            if (!cost || !(*cost < impossible)) continue;
            const auto is_kept = [&](const limit& one) {
                return keeps_limit(quantity_of(index, one.what, *cover).value_or(impossible), one.most);
            };
            if (!std::all_of(rules->limits.begin(), rules->limits.end(), is_kept)) continue;
            point.seconds_bound = least_cost;
            if (*cost != point.seconds) point.second_bound = 0;
            point.seconds = *cost;
            point.second = 0;
            for (const quantity& q : *amounts) point.second = std::max(point.second, quantity_of(index, q, *cover).value_or(0));
            point.is_proved =
                point.seconds <= point.seconds_bound * (1 + limit_slack) && point.second <= point.second_bound * (1 + limit_slack);
            points.push_back(std::move(point));
        }
        std::stable_sort(points.begin(), points.end(), [](const plan_point& a, const plan_point& b) {
            return a.seconds != b.seconds ? a.seconds < b.seconds : a.second < b.second;
        });
        made_.points.clear();
        for (plan_point& point : points)
            if (made_.points.empty() || point.second < made_.points.back().second) made_.points.push_back(std::move(point));
        made_.is_complete = false;
        if (made_.points.empty()) return error{"the search was stopped before it found a plan that does at true prices; give it more time"};
        return {};
    }

    /// A point's candidates in the problem's numbers, with the free ones; none where one of them is known not to run.
    [[nodiscard]] static std::optional<std::vector<candidate_index>> cover_of(const selection_problem& stated, const plan_point& point) {
        std::vector<candidate_index> cover;
        for (std::size_t k = 0; k < stated.candidate_of.size(); ++k)
            if (stated.candidate_of[k] == selection_problem::none) cover.push_back(static_cast<candidate_index>(k));
        for (const std::size_t c : point.chosen) {
            if (stated.number_of[c] == selection_problem::none) return std::nullopt;
            cover.push_back(stated.number_of[c]);
        }
        std::sort(cover.begin(), cover.end());
        return cover;
    }

    [[nodiscard]] bool is_priced(const plan_point& point) const {
        return std::all_of(point.chosen.begin(), point.chosen.end(), [&](std::size_t c) { return prices_.is_known(prices_.alone(c)); }) &&
               std::all_of(point.cut.conversions.begin(), point.cut.conversions.end(),
                           [&](const conversion& c) { return prices_.is_known(prices_.price(c)); });
    }

    planning_problem question_;
    price_cache prices_;
    meter_ref meter_;
    plan_list made_;
};

}  // namespace detail

outcome<plan_list> plan_list_of(planning_problem question, meter_ref pricing, lower_bound_ref bound, plan_objective second) {
    return detail::plan_lister(std::move(question), pricing, bound, second)();
}

}  // namespace inlay

#endif
