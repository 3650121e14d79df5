// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_HPP
#define INLAY_SEARCH_SELECT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/acyclicity.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/cover_model.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/exact.hpp>
#include <inlay/search/exhaustive.hpp>
#include <inlay/search/price.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline selection uncovered(node_id open, const char* why) {
    selection made;
    made.uncoverable = open;
    made.reason = "no candidate covers node " + std::to_string(open) + why + "; give one that does.";
    return made;
}

[[nodiscard]] inline selection select_eager(const problem& given, const select_options& options) {
    const problem_index index(given);
    selection made;
    made.status = selection_status::gap;
    made.lower_bound = 0.0;
    std::vector<candidate_index> taken = eager(index, options.priority.empty() ? eager_order(given) : options.priority);
    made.cost = price(index, taken);
    if (made.cost) {
        made.chosen = std::move(taken);
        return made;
    }
    const std::vector<candidate_index> owner = owners(index, taken);
    const auto open = std::find(owner.begin(), owner.end(), no_candidate);
    if (open != owner.end()) {
        made.reason = "the eager rule left node " + std::to_string(open - owner.begin()) +
                      " uncovered; give a candidate for that node alone, or use the exact partitioner.";
    } else {
        made.reason = "the eager rule took candidates that need an impossible conversion; use the exact partitioner.";
    }
    return made;
}

/// The exact selection of a problem whose every node is in some candidate.
class exact_selection {
public:
    exact_selection(const problem& given, const select_options& options)
        : given_(&given), options_(&options), end_(options.budget_ms, options.cancel), index_(given) {}

    [[nodiscard]] selection run() {
        std::vector<bool> admitted(index_.candidates(), true);
        if (given_->acyclic) {
            shapes_ = shapes_of(index_);
            for (std::size_t c = 0; c < admitted.size(); ++c) admitted[c] = shapes_.of[c] != candidate_shape::not_convex;
            for (std::size_t v = 0; v < index_.nodes(); ++v) {
                const auto covering = index_.covering(static_cast<node_id>(v));
                if (std::none_of(covering.begin(), covering.end(), [&](candidate_index c) { return bool{admitted[c]}; })) {
                    return without_marginals(uncovered(static_cast<node_id>(v), " without closing a cycle with itself"));
                }
            }
        }
        unit_ = scaling::for_total(largest_price(index_));
        covers_ = make_cover_model(index_, unit_, admitted);
        exact_search search(index_, covers_, unit_, options_->table_limit, end_, made_.effort);
        const bounded_cover found = search.solve(search.whole(), incumbent(search));
        report(search, found);
        if (options_->marginals) fill_marginals(search, found);
        return std::move(made_);
    }

private:
    /// The best of the covers that are known without searching: the caller's; and, where elimination alone may not answer, the
    /// eager one and, for each back end, the one that takes this back end's candidates first.
    [[nodiscard]] bounded_cover incumbent(const exact_search& search) const {
        bounded_cover best;
        const auto offer = [&](std::vector<candidate_index> chosen) {
            const scaled cost = search.price_of(chosen);
            if (cost >= best.cost) return;
            std::sort(chosen.begin(), chosen.end());
            best.cost = cost;
            best.chosen = std::move(chosen);
        };
        if (search.solves_at_once()) return best;
        for (const auto& known : options_->known_covers) offer(known);
        offer(eager(index_, options_->priority.empty() ? eager_order(*given_) : options_->priority));
        std::set<backend_id> backends;
        for (const problem_candidate& c : given_->candidates) backends.insert(c.backend);
        for (const backend_id first : backends) {
            std::vector<candidate_index> order = eager_order(*given_);
            // Large candidates first: a back end's fusions, before the parts that they are made of.
            std::stable_sort(order.begin(), order.end(), [&](candidate_index a, candidate_index b) {
                const bool a_first = given_->candidates[a].backend == first;
                const bool b_first = given_->candidates[b].backend == first;
                if (a_first != b_first) return a_first;
                return index_.members(a).size() > index_.members(b).size();
            });
            offer(eager(index_, order));
            if (end_.passed()) break;
        }
        return best;
    }

    void report(const exact_search& search, const bounded_cover& found) {
        if (found.cost < never) {
            made_.cost = price(index_, found.chosen);
            made_.chosen = found.chosen;
            made_.status = found.proved() ? selection_status::optimal : selection_status::gap;
            made_.lower_bound = found.proved() ? *made_.cost : std::min(*made_.cost, unit_.back(found.bound));
            return;
        }
        if (!found.proved()) {
            made_.status = selection_status::gap;
            made_.lower_bound = unit_.back(found.bound);
            made_.reason = "the search was stopped before it found a cover; give it more time.";
            return;
        }
        made_.status = selection_status::infeasible;
        made_.reason = "no choice of disjoint candidates covers every node with conversions that are possible";
        if (given_->acyclic) made_.reason += " and without a cycle between parts";
        if (const auto stuck = search.dead_end()) {
            made_.uncoverable = *stuck;
            made_.reason += ": nothing fits around node " + std::to_string(*stuck);
        }
        made_.reason += "; give more candidates or conversions.";
    }

    /// Marginals come from one elimination where cycles cannot change them; where they can, or where the elimination is too wide,
    /// a candidate whose value is not confirmed by a cover is searched for on its own while that is affordable.
    void fill_marginals(exact_search& search, const bounded_cover& found) {
        const std::size_t count = index_.candidates();
        if (found.cost >= never && found.proved()) {
            made_ = without_marginals(std::move(made_));
            return;
        }
        std::vector<scaled> value = search.marginals();
        const bool eliminated = !value.empty();
        if (!eliminated) value = search.marginal_bounds();
        if (value.empty()) value.assign(count, found.bound);
        std::vector<bool> exact(count, eliminated && shapes_.dangerous.empty());
        for (std::size_t c = 0; c < count; ++c) {
            if (covers_.standing[c] != static_cast<candidate_index>(c)) continue;
            value[c] = std::max(value[c], std::min(found.bound, never));
        }
        const auto confirm = [&](const bounded_cover& cover) {
            for (const candidate_index c : cover.chosen) {
                const candidate_index stands = covers_.standing[c];
                if (stands == c && cover.cost <= value[c]) exact[c] = true;
            }
        };
        if (found.cost < never) confirm(found);
        std::uint64_t work = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto c = static_cast<candidate_index>(i);
            if (covers_.standing[c] != c || exact[c]) continue;
            if (value[c] >= never) {
                exact[c] = true;
                continue;
            }
            if (work > most_marginal_work || end_.passed()) continue;
            domain with = search.whole();
            search.require(with, c);
            const search_effort before = made_.effort;
            const bounded_cover cheapest = search.solve(std::move(with), {}, most_branches_per_marginal);
            work += made_.effort.table_entries - before.table_entries +
                    (made_.effort.passes - before.passes + made_.effort.branches - before.branches) * covers_.m.unary.items.size();
            value[c] = std::max(value[c], cheapest.bound);
            exact[c] = cheapest.proved();
            if (exact[c]) value[c] = cheapest.cost;
            confirm(cheapest);
        }
        write_marginals(found, value, exact);
    }

    void write_marginals(const bounded_cover& found, const std::vector<scaled>& value, std::vector<bool>& exact) {
        made_.marginals.resize(index_.candidates());
        for (std::size_t c = 0; c < index_.candidates(); ++c) {
            const candidate_index stands = covers_.standing[c];
            if (stands == no_candidate) {
                exact[c] = true;
                continue;
            }
            exact[c] = exact[stands];
            if (value[stands] >= never) continue;
            // The same nodes in the same formats: only the candidates' own costs differ.
            const scaled dearer = unit_.of(given_->candidates[c].cost) - unit_.of(given_->candidates[stands].cost);
            made_.marginals[c] = unit_.back(value[stands] + dearer);
            if (made_.lower_bound) made_.marginals[c] = std::max(*made_.marginals[c], *made_.lower_bound);
        }
        if (found.proved() && made_.cost) {
            for (const candidate_index c : found.chosen) made_.marginals[c] = made_.cost;
        }
        if (std::find(exact.begin(), exact.end(), false) != exact.end()) made_.marginals_exact = std::move(exact);
    }

    [[nodiscard]] selection without_marginals(selection made) const {
        if (options_->marginals) made.marginals.assign(index_.candidates(), std::nullopt);
        return made;
    }

    /// What re-solving for marginals may cost, in table entries, and the sub-problems that one candidate may take.
    static constexpr std::uint64_t most_marginal_work = 200'000'000;
    static constexpr std::uint64_t most_branches_per_marginal = 200;

    const problem* given_;
    const select_options* options_;
    deadline end_;
    problem_index index_;
    candidate_shapes shapes_;
    scaling unit_;
    cover_model covers_;
    selection made_;
};

}  // namespace detail

/// The cheapest cover of a problem that `check` accepts; see `select_options` for the other rules that can stand in its place.
///
/// The exact search proves its answer unless it is stopped (`select_options::budget_ms`, `cancel`); then, or with the eager rule,
/// the status is `gap`. It is never worse than the eager cover, nor than any of `known_covers`. The answer depends on the problem
/// and the options alone; `exact_search` states how ties are broken. A problem too large for plain enumeration is refused: status
/// `gap`, no cover, the reason in `reason`.
[[nodiscard]] inline selection select(const problem& given, const select_options& options = {}) {
    if (given.nodes == 0) {
        selection made;
        made.status = selection_status::optimal;
        made.cost = made.lower_bound = 0.0;
        return made;
    }
    if (const node_id open = first_uncovered(given); open != no_node) {
        selection made = detail::uncovered(open, "");
        if (options.marginals) made.marginals.assign(given.candidates.size(), std::nullopt);
        return made;
    }
    if (options.partitioner == selection_rule::eager) return detail::select_eager(given, options);
    if (options.partitioner == selection_rule::exhaustive) {
        outcome<selection> found = exhaustive(given);
        if (!found) {
            selection refused;
            refused.status = selection_status::gap;
            refused.lower_bound = 0.0;
            refused.reason = found.failure().message;
            return refused;
        }
        if (!options.marginals) found->marginals.clear();
        return *std::move(found);
    }
    return detail::exact_selection(given, options).run();
}

}  // namespace inlay

#endif
