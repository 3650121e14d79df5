// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_CONSTRAINED_HPP
#define INLAY_SEARCH_SELECT_CONSTRAINED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/constraints.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// The answer to a problem with constraints.
struct constrained_selection {
    /// As `select` gives it, without marginals; `cost` and `lower_bound` are those of the problem in which preferences that are not kept cost
    /// what they are worth.
    selection found;
    /// What the chosen candidates cost by themselves.
    std::optional<double> price;
    /// Where there is no cover that keeps to all constraints, but one without them: places of constraints to which together no cover keeps. No
    /// smaller set clashes that was looked at: all sets of fewer than `clash_size` constraints were, and without any one of these it is none.
    std::vector<std::size_t> clash;
    /// All smaller sets were looked at.
    std::size_t clash_size = 0;
};

namespace detail {

/// The search under constraints: without those that join nodes first, then, as long as the cheapest answer breaks one of them, split by which
/// back end its nodes go to.
class constrained_search {
public:
    constrained_search(const problem& given, std::span<const constraint> constraints, const select_options& options)
        : index_(given), constraints_(constraints), options_(options), end_(options.budget_ms, options.cancel) {
        options_.marginals = false;
        options_.priority.clear();
        options_.known_covers.clear();
        for (const problem_candidate& c : given.candidates) backends_.insert(c.backend);
    }

    [[nodiscard]] constrained_selection run() {
        constrained_selection made;
        std::vector<std::size_t> all(constraints_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        made.found = solve(all);
        if (made.found.cost) made.price = cover_cost(index_, made.found.chosen);
        if (made.found.status != selection_status::infeasible) return made;
        selection without = select(index_.of(), options_);
        if (without.status == selection_status::infeasible)
            made.found = std::move(without);
        else
            find_clash(made, std::move(all));
        return made;
    }

private:
    /// One node goes to a back end, or does not.
    struct decision {
        node_id node;
        backend_id backend;
        bool goes;

        friend bool operator==(const decision&, const decision&) = default;
    };
    struct sub_problem {
        double bound;
        std::size_t born;
        std::vector<decision> decisions;
        selection found;

        bool operator<(const sub_problem& other) const { return bound != other.bound ? bound < other.bound : born < other.born; }
    };

    /// The cheapest cover that keeps to some of the constraints, given by their places.
    [[nodiscard]] selection solve(const std::vector<std::size_t>& some) {
        std::vector<double> fine(index_.candidates(), 0);
        std::vector<decision> decisions;
        for (const std::size_t i : some) {
            const constraint& one = constraints_[i];
            for (const node_id v : one.nodes) {
                if (one.rule == constraint_rule::pin || one.rule == constraint_rule::forbid) decisions.push_back({v, one.backend, one.rule == constraint_rule::pin});
                if (one.rule != constraint_rule::prefer) continue;
                for (const candidate_index c : index_.covering(v))
                    if (index_.of().candidates[c].backend != one.backend) fine[c] += one.worth;
            }
        }
        std::multiset<sub_problem> open;
        std::size_t born = 0;
        search_effort effort;
        const auto add = [&](std::vector<decision> of) {
            selection found = select_with(of, fine);
            effort.table_entries += found.effort.table_entries;
            effort.branches += found.effort.branches;
            effort.passes += found.effort.passes;
            effort.cuts += found.effort.cuts;
            effort.width = std::max(effort.width, found.effort.width);
            if (found.status != selection_status::infeasible) open.insert({found.lower_bound.value_or(0), born++, std::move(of), std::move(found)});
        };
        add(std::move(decisions));
        selection best;
        best.reason = "no cover keeps to all constraints; take one of those away that clash.";
        while (!open.empty()) {
            sub_problem next = std::move(open.extract(open.begin()).value());
            const constraint* broken = next.found.cost ? first_broken(some, next.found.chosen) : nullptr;
            if (next.found.cost && broken == nullptr) {
                best = std::move(next.found);
                break;
            }
            if (!next.found.cost || end_.passed()) {
                // Out of time: what is known is that nothing is cheaper than this.
                best = {};
                best.status = selection_status::gap;
                best.lower_bound = next.bound;
                best.reason = "the search was stopped before it found a cover that keeps to all constraints; give it more time.";
                break;
            }
            for (std::vector<decision>& child : split(*broken, next)) add(std::move(child));
        }
        best.effort = effort;
        return best;
    }

    /// Selects among the candidates that keep to decisions.
    [[nodiscard]] selection select_with(const std::vector<decision>& decisions, const std::vector<double>& fine) const {
        std::vector<bool> out(index_.candidates(), false);
        for (const decision& d : decisions)
            for (const candidate_index c : index_.covering(d.node))
                if ((index_.of().candidates[c].backend == d.backend) != d.goes) out[c] = true;
        problem some = index_.of();
        some.candidates.clear();
        std::vector<candidate_index> number;
        for (std::size_t c = 0; c < out.size(); ++c) {
            if (out[c]) continue;
            some.candidates.push_back(index_.of().candidates[c]);
            some.candidates.back().cost += fine[c];
            number.push_back(static_cast<candidate_index>(c));
        }
        select_options options = options_;
        if (const auto left = end_.left_ms()) options.budget_ms = *left;
        selection found = select(some, options);
        for (candidate_index& c : found.chosen) c = number[c];
        return found;
    }

    /// The first of the constraints that join nodes which a cover does not keep to.
    [[nodiscard]] const constraint* first_broken(const std::vector<std::size_t>& some, const std::vector<candidate_index>& chosen) {
        const std::vector<candidate_index> owner = owners(index_, chosen);
        for (const std::size_t i : some) {
            const constraint& one = constraints_[i];
            const auto backend = [&](node_id v) { return index_.of().candidates[owner[v]].backend; };
            for (std::size_t a = 0; a < one.nodes.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) {
                    const bool same = backend(one.nodes[a]) == backend(one.nodes[b]);
                    if ((one.rule == constraint_rule::colocate && !same) || (one.rule == constraint_rule::separate && same)) {
                        together_ = {one.nodes[b], one.nodes[a], backend(one.nodes[a])};
                        return &one;
                    }
                }
        }
        return nullptr;
    }

    /// Sub-problems in which that constraint is kept, or broken elsewhere; each cover that keeps to it is in one of them.
    [[nodiscard]] std::vector<std::vector<decision>> split(const constraint& broken, const sub_problem& at) const {
        std::vector<std::vector<decision>> parts;
        if (broken.rule == constraint_rule::colocate) {
            for (const backend_id b : backends_) {
                parts.push_back(at.decisions);
                for (const node_id v : broken.nodes) parts.back().push_back({v, b, true});
            }
            return parts;
        }
        parts.assign(2, at.decisions);
        parts[0].push_back({together_.first, together_.backend, false});
        parts[1].push_back({together_.first, together_.backend, true});
        parts[1].push_back({together_.second, together_.backend, false});
        return parts;
    }

    /// Takes constraints away as long as the rest clashes still; then looks at all smaller sets, if these are not too many.
    void find_clash(constrained_selection& made, std::vector<std::size_t> clash) {
        const auto clashes = [&](const std::vector<std::size_t>& some) { return solve(some).status == selection_status::infeasible; };
        for (std::size_t at = clash.size(); at-- > 0 && !end_.passed();) {
            std::vector<std::size_t> rest = clash;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
            if (clashes(rest)) clash = std::move(rest);
        }
        constexpr std::size_t most_sets = 2000;
        std::size_t looked_at = 0;
        made.clash_size = clash.size();
        for (std::size_t size = 1; size < clash.size(); ++size) {
            std::vector<std::size_t> some(size);
            for (std::size_t i = 0; i < size; ++i) some[i] = i;
            for (bool more = true; more;) {
                if (++looked_at > most_sets || end_.passed()) {
                    made.clash_size = size;
                    made.clash = std::move(clash);
                    return;
                }
                if (clashes(some)) {
                    made.clash_size = size;
                    made.clash = std::move(some);
                    return;
                }
                std::size_t i = size;
                while (i > 0 && some[i - 1] == constraints_.size() - size + i - 1) --i;
                more = i > 0;
                if (more) {
                    ++some[i - 1];
                    for (std::size_t j = i; j < size; ++j) some[j] = some[j - 1] + 1;
                }
            }
        }
        made.clash = std::move(clash);
    }

    problem_index index_;
    std::span<const constraint> constraints_;
    select_options options_;
    deadline end_;
    std::set<backend_id> backends_;
    /// Of a separation that is broken: two nodes on one back end.
    struct {
        node_id first = 0;
        node_id second = 0;
        backend_id backend = 0;
    } together_;
};

}  // namespace detail

/// The cheapest cover of a problem that keeps to constraints; `check` must accept both. Pins and forbids take candidates away, preferences make
/// others dearer; colocations and separations are kept by splitting, as long as the cheapest answer breaks one. Every node must be in some
/// candidate.
[[nodiscard]] inline constrained_selection select_constrained(const problem& given, std::span<const constraint> constraints, const select_options& options = {}) {
    if (given.nodes == 0 || first_uncovered(given) != no_node) {
        constrained_selection made;
        made.found = select(given, options);
        made.price = made.found.cost;
        return made;
    }
    return detail::constrained_search(given, constraints, options).run();
}

}  // namespace inlay

#endif
