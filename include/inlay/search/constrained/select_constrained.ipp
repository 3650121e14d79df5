// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_SELECT_CONSTRAINED_IPP
#define INLAY_SEARCH_CONSTRAINED_SELECT_CONSTRAINED_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/constrained/select_constrained.hpp>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/lagrangian_branch_and_bound.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_under.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/select_among.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

namespace detail {

/// The search under constraints and limits, and for what clashes.
class constrained_search {
public:
    constrained_search(const problem& given, std::span<const constraint> constraints, std::span<const limit> limits,
                       const select_options& options)
        : given_(&given),
          fined_(with_preferences(given, constraints)),
          index_(fined_),
          constraints_(constraints),
          limits_(limits),
          quantities_(pointers(limits)),
          options_(options),
          end_(options.budget_ms, options.cancel) {}

    [[nodiscard]] constrained_selection run() {
        constrained_selection made;
        std::vector<std::size_t> all(constraints_.size() + limits_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        limited_answer answer = solve(all, search_aim::cost);
        made.found.status = answer.status;
        made.found.cost = answer.value;
        made.found.lower_bound = answer.lower_bound;
        made.found.chosen = std::move(answer.chosen);
        made.found.effort = answer.effort;
        made.found.too_large = !answer.reason.empty();
        made.found.reason = answer.reason;
        made.multipliers.assign(limits_.size(), 0);
        for (const quantity_weight& w : answer.multipliers) made.multipliers[w.quantity] = w.weight;
        const std::string what = limits_.empty() ? "all constraints" : constraints_.empty() ? "all limits" : "all constraints and limits";
        if (made.found.cost) {
            made.price = cover_cost(problem_index(*given_), made.found.chosen);
            const cover_parts parts(index_, made.found.chosen);
            for (std::size_t i = 0; i < limits_.size(); ++i) made.amounts.push_back(quantity_index(limits_[i].what, fined_).amount(parts));
            return made;
        }
        if (answer.status == selection_status::gap) {
            if (made.found.reason.empty())
                made.found.reason = "the search was stopped before it found a cover that keeps to " + what + "; give it more time.";
            return made;
        }
        made.found.reason = "no cover keeps to " + what + "; take one of those away that clash.";
        selection without = select_among(fined_, std::vector<std::uint8_t>(fined_.candidates.size(), 1), timed());
        if (without.status == selection_status::infeasible)
            made.found = std::move(without);
        else
            find_clash(made, std::move(all));
        return made;
    }

private:
    [[nodiscard]] static std::vector<const quantity*> pointers(std::span<const limit> limits) {
        std::vector<const quantity*> made;
        for (const limit& one : limits) made.push_back(&one.what);
        return made;
    }
    [[nodiscard]] select_options timed() const {
        select_options how = options_;
        if (const auto left = end_.left_ms()) how.budget_ms = *left;
        return how;
    }

    /// The best cover that keeps to some of the constraints and, numbered after them, limits.
    [[nodiscard]] limited_answer solve(const std::vector<std::size_t>& some, search_aim aim) const {
        limited_task task;
        task.aim = aim;
        task.admitted.assign(index_.candidates(), 1);
        for (const std::size_t i : some) {
            if (i >= constraints_.size()) {
                task.limited.push_back(i - constraints_.size());
                task.most.push_back(limits_[i - constraints_.size()].most);
                continue;
            }
            const constraint& one = constraints_[i];
            if (one.rule == constraint_rule::colocate || one.rule == constraint_rule::separate) task.joins.push_back(&one);
            for (std::size_t c = 0; c < task.admitted.size(); ++c)
                if (rules_out(one, index_, static_cast<candidate_index>(c))) task.admitted[c] = 0;
        }
        return lagrangian_branch_and_bound(index_, quantities_, task, options_, end_).run();
    }

    /// Takes constraints and limits away as long as the rest clashes still; then looks at all smaller sets, if these are not too many.
    void find_clash(constrained_selection& made, std::vector<std::size_t> all) const {
        // A preference is never in the way.
        std::erase_if(all, [&](std::size_t i) { return i < constraints_.size() && constraints_[i].rule == constraint_rule::prefer; });
        const auto clashes = [&](const std::vector<std::size_t>& some) {
            return solve(some, search_aim::any).status == selection_status::infeasible;
        };
        std::vector<std::size_t> clash = all;
        // Many at once first: of hundreds of limits few matter.
        for (std::size_t many = std::max<std::size_t>(1, clash.size() / 2);; many /= 2) {
            for (std::size_t end = clash.size(); end > 0 && !end_.passed();) {
                const std::size_t begin = end > many ? end - many : 0;
                std::vector<std::size_t> rest = clash;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin), rest.begin() + static_cast<std::ptrdiff_t>(end));
                if (clashes(rest)) clash = std::move(rest);
                end = begin;
            }
            if (many <= 1) break;
        }
        made.clash_size = clash.size();
        const auto tell = [&](const std::vector<std::size_t>& set) {
            for (const std::size_t i : set) {
                if (i < constraints_.size())
                    made.clash.push_back(i);
                else
                    made.clash_limits.push_back(i - constraints_.size());
            }
        };
        constexpr std::size_t most_sets = 2000;
        std::size_t looked_at = 0;
        for (std::size_t size = 1; size < clash.size(); ++size) {
            std::vector<std::size_t> places(size), some(size);
            for (std::size_t i = 0; i < size; ++i) places[i] = i;
            for (bool more = true; more;) {
                for (std::size_t i = 0; i < size; ++i) some[i] = all[places[i]];
                const bool is_stopped = ++looked_at > most_sets || end_.passed();
                if (is_stopped || clashes(some)) {
                    made.clash_size = size;
                    return tell(is_stopped ? clash : some);
                }
                std::size_t i = size;
                while (i > 0 && places[i - 1] == all.size() - size + i - 1) --i;
                more = i > 0;
                if (more) {
                    ++places[i - 1];
                    for (std::size_t j = i; j < size; ++j) places[j] = places[j - 1] + 1;
                }
            }
        }
        tell(clash);
    }

    const problem* given_;
    problem fined_;
    problem_index index_;
    std::span<const constraint> constraints_;
    std::span<const limit> limits_;
    std::vector<const quantity*> quantities_;
    select_options options_;
    deadline end_;
};

}  // namespace detail

constrained_selection select_constrained(const problem& given, std::span<const constraint> constraints, std::span<const limit> limits,
                                         const select_options& options) {
    if (given.nodes == 0 || first_uncovered(given) != no_node) {
        constrained_selection made;
        made.found = select(given, options);
        made.price = made.found.cost;
        for (std::size_t i = 0; made.found.cost && i < limits.size(); ++i) {
            made.amounts.push_back(limits[i].what.always);
            if (!keeps_limit(made.amounts[i], limits[i].most)) made.clash_limits = {i};
        }
        if (made.clash_limits.empty()) return made;
        made = {.found = {},
                .price = {},
                .amounts = {},
                .clash = {},
                .clash_limits = std::move(made.clash_limits),
                .clash_size = 1,
                .multipliers = {}};
        made.found.reason = "no cover keeps to all limits; take one of those away that clash.";
        return made;
    }
    return detail::constrained_search(given, constraints, limits, options).run();
}

constrained_selection select_constrained(const problem& given, std::span<const constraint> constraints, const select_options& options) {
    return select_constrained(given, constraints, std::span<const limit>(), options);
}

}  // namespace inlay

#endif
