// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LAGRANGIAN_BRANCH_AND_BOUND_HPP
#define INLAY_SEARCH_CONSTRAINED_LAGRANGIAN_BRANCH_AND_BOUND_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/constrained/column_pool.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/lagrangian_costs.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/limited_task.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/constrained/restricted_master.hpp>
#include <inlay/search/constrained/tighten_bounds.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/model/candidate_bounds.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select_among.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

namespace detail {

/// Branch and bound over candidates. A sub-problem says which are left. It is bounded by Lagrange multipliers: the cheapest cover at prices
/// that charge for the limited quantities (`lagrangian_costs`, found by `select`) costs at most as much, less what the limits weigh. The
/// multipliers are those of the cheapest mix of all covers that came up (a cutting plane method; the duals of its linear program), drawn
/// towards the best so far. Limits enter the mix when a cover or the mix breaks them. With multipliers at which the limited quantities
/// alone come to more than the limits, there is no cover. A sub-problem that stays open loses the candidates that cannot be in a better
/// cover, and is split at a candidate of which the mix has a part, the nearer to a half and the more the multipliers charge for it the
/// sooner; or, where its mix is one cover, at the join this breaks.
///
/// Numbers are in scaled units, powers of two near what covers come to. A bound loses `bound_slack` of the combined price, more than
/// `select` and the sums may be off by.
class lagrangian_branch_and_bound {
public:
    /// The task speaks of places in `quantities`. All must outlive this.
    lagrangian_branch_and_bound(const problem_index& index, std::span<const quantity* const> quantities, const limited_task& task,
                                const select_options& options, const deadline& end)
        : index_(&index), task_(&task), pool_(index, quantities, task), options_(options), end_(&end), settler_(index) {
        for (const row& one : pool_.rows()) settler_.add(*one.what);
        for (const problem_candidate& c : index.of().candidates) backends_.insert(c.backend);
    }

    [[nodiscard]] limited_answer run() {
        // What every cover comes to may be too much.
        for (const row& one : pool_.rows())
            if (one.is_limit && !keeps_limit(one.what->always, one.most)) return {};
        if (task_->aim == search_aim::largest && task_->largest.empty()) return {};
        open_.insert({0, born_++, task_->admitted, {}});
        while (!open_.empty()) {
            if (pool_.closes(open_.begin()->bound)) {
                least_closed_ = std::min(least_closed_, open_.begin()->bound);
                break;
            }
            sub_problem next = std::move(open_.extract(next_open()).value());
            if (!process(next)) {
                // Stopped: this one is open still.
                open_.insert(std::move(next));
                break;
            }
            if (end_->passed()) break;
        }
        return report();
    }

private:
    using row = column_pool::row;
    using row_weights = column_pool::row_weights;

    struct sub_problem {
        double bound = 0;
        std::size_t born = 0;
        mutable std::vector<std::uint8_t> alive;
        /// The best multipliers of the sub-problem that it is a part of, scaled, by row.
        mutable row_weights start;

        bool operator<(const sub_problem& other) const { return bound != other.bound ? bound < other.bound : born > other.born; }
    };
    struct evaluation {
        bool is_infeasible = false;
        double bound = -impossible;
        std::optional<std::size_t> cover;
        bool is_new = false;
    };

    static constexpr double bound_slack = 2e-11;
    static constexpr double share_slack = 1e-9;
    static constexpr int most_steps = 400;
    static constexpr int most_steps_of_a_branch = 40;
    static constexpr int most_steps_of_a_dive = 8;

    /// The sub-problem with the least bound and the latest, which is the most settled, in turn; until a cover is known mostly the latest.
    [[nodiscard]] std::multiset<sub_problem>::const_iterator next_open() {
        const std::size_t least_every = pool_.best() ? 2 : 8;
        if (++picked_ % least_every == 0) return open_.begin();
        return std::max_element(open_.begin(), open_.end(), [](const sub_problem& a, const sub_problem& b) { return a.born < b.born; });
    }

    /// Drops candidates that break a limit by themselves, or with which the largest is not less than that of the best; false where none are
    /// left.
    [[nodiscard]] bool settle(std::vector<std::uint8_t>& alive) {
        const double best = pool_.best() && task_->aim == search_aim::largest ? pool_.best_own_value() * (1 - limit_slack) : impossible;
        const auto most = [&](std::size_t r) {
            const row& one = pool_.rows()[r];
            return one.is_limit ? one.most * (1 + 2 * limit_slack) : best;
        };
        return settler_(alive, most, [&](std::size_t r) {
            if (!pool_.rows()[r].is_limit) least_closed_ = std::min(least_closed_, best / pool_.value_scale());
        });
    }

    /// The cheapest cover at some prices, and the bound that follows.
    [[nodiscard]] evaluation evaluate(const std::vector<std::uint8_t>& alive, double of_value, const row_weights& weights) {
        select_options how = options_;
        if (const auto left = end_->left_ms()) how.budget_ms = *left;
        selection found;
        const bool is_plain = task_->aim == search_aim::cost && weights.empty() && of_value == 1;
        if (is_plain) {
            found = select_among(index_->of(), alive, how);
        } else {
            const problem combined = pool_.combine(of_value, weights);
            std::vector<std::uint8_t> admitted = alive;
            admitted.resize(combined.candidates.size(), 1);
            found = select_among(combined, admitted, how);
        }
        effort_.add(found.effort);
        if (found.too_large) too_large_ = found.reason;
        evaluation made;
        made.is_infeasible = found.status == selection_status::infeasible;
        if (made.is_infeasible) return made;
        made.bound = found.lower_bound.value_or(0) / (is_plain ? pool_.value_scale() : 1);
        if (!weights.empty()) made.bound = (made.bound - bound_slack * made.bound) + pool_.weigh(weights);
        if (!found.cost) return made;
        while (!found.chosen.empty() && found.chosen.back() >= index_->candidates()) found.chosen.pop_back();
        if (!has_scales_) {
            pool_.choose_scales(found.chosen);
            has_scales_ = true;
            made.bound /= pool_.value_scale();
            for (std::vector<candidate_index> known : options_.known_covers) {
                std::sort(known.begin(), known.end());
                const auto is_admitted = [&](candidate_index c) { return c < task_->admitted.size() && task_->admitted[c] != 0; };
                if (std::all_of(known.begin(), known.end(), is_admitted) && cover_cost(*index_, known)) (void)pool_.add(std::move(known));
            }
        }
        const auto [at, is_new] = pool_.add(std::move(found.chosen));
        made.cover = at;
        made.is_new = is_new;
        return made;
    }

    /// Bounds a sub-problem and splits it; false if the time was up, or the tables do not fit.
    [[nodiscard]] bool process(sub_problem& at) {
        if (!settle(at.alive)) return true;
        const bool at_root = at.born == 0;
        pool_.look_at(at.start);
        row_weights weights = at.start, best = at.start;
        if (at_root && task_->aim == search_aim::largest)
            for (std::size_t r = 0; r < pool_.rows().size(); ++r)
                if (!pool_.rows()[r].is_limit) weights.emplace_back(r, 1.0 / static_cast<double>(task_->largest.size()));
        double of_value = 1, bound = at.bound;
        bool has_best = false, stuck = false;
        std::optional<std::size_t> last;
        restricted_master mix;
        std::vector<std::size_t> columns;
        const int steps = at_root ? most_steps : pool_.best() ? most_steps_of_a_branch : most_steps_of_a_dive;
        for (int step = 0; step < steps; ++step) {
            const evaluation e = evaluate(at.alive, of_value, weights);
            if (!too_large_.empty()) return false;
            if (e.is_infeasible) return true;
            if (of_value == 0) {
                if (e.bound > 0) return true;
            } else {
                if (e.bound > bound || !has_best) {
                    best = weights;
                    if (at_root) note_multipliers(weights);
                    has_best = true;
                }
                bound = std::max(bound, e.bound);
                at.bound = bound;
                if (pool_.closes(bound)) {
                    least_closed_ = std::min(least_closed_, bound);
                    return true;
                }
            }
            if (!e.cover) return false;
            last = e.cover;
            if (pool_.rows().empty()) break;
            if (end_->passed()) return false;
            pool_.note_broken(*e.cover);
            columns = pool_.columns_of(at.alive, best);
            mix = pool_.mixed(columns);
            const bool converged =
                mix.keeps_limits && of_value == 1 &&
                mix.value - bound <= 0.1 * limit_slack * std::max(std::abs(bound), pool_.best() ? pool_.best_value() : 0.0);
            // Nothing new at the mix's own prices: as good as the arithmetic makes it.
            if (converged || (!e.is_new && (stuck || of_value == 0))) break;
            stuck = !e.is_new;
            const double before = of_value;
            of_value = mix.keeps_limits ? 1 : 0;
            weights = pool_.next_weights(mix, of_value == 1 && before == 1 && !stuck ? best : row_weights());
        }
        if (pool_.closes(bound)) {
            least_closed_ = std::min(least_closed_, bound);
            return true;
        }
        split(at, bound, best, has_best, mix, columns, *last);
        return true;
    }

    void note_multipliers(const row_weights& weights) {
        multipliers_.clear();
        for (const auto& [r, weight] : weights) {
            const row& one = pool_.rows()[r];
            multipliers_.push_back(
                {one.is_limit ? task_->limited[r] : task_->largest[r - task_->limited.size()], weight / one.scale * pool_.value_scale()});
        }
    }

    void push(std::vector<std::uint8_t> alive, double bound, const row_weights& start) {
        open_.insert({bound, born_++, std::move(alive), start});
    }

    void split(const sub_problem& at, double bound, const row_weights& best, bool has_best, const restricted_master& mix,
               const std::vector<std::size_t>& columns, std::size_t last) {
        std::vector<std::uint8_t> alive = at.alive;
        if (pool_.best() && has_best && !pool_.rows().empty()) drop_dear(alive, best);
        // What the mix has of each candidate.
        std::map<candidate_index, double> share;
        double all = 0;
        std::size_t whole = pool_.covers().size();
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (mix.shares[k] <= share_slack) continue;
            all += mix.shares[k];
            whole = columns[k];
            for (const candidate_index c : pool_.covers()[columns[k]].chosen) share[c] += mix.shares[k];
        }
        candidate_index at_half = no_candidate;
        double most_there = 0;
        for (const auto& [c, s] : share) {
            const double part = std::min(s, all - s) / all;
            if (part <= 1e-7 || alive[c] == 0) continue;
            double charged = 1e-3;
            for (const auto& [r, weight] : best) {
                const row& one = pool_.rows()[r];
                if (!one.what->of_candidate.empty()) charged += weight * one.what->of_candidate[c] / one.scale;
            }
            if (part * charged <= most_there * (1 + 1e-9)) continue;
            most_there = part * charged;
            at_half = c;
        }
        if (at_half != no_candidate) return split_at(std::move(alive), at_half, bound, best);
        const std::vector<candidate_index>& chosen = pool_.covers()[whole < pool_.covers().size() ? whole : last].chosen;
        if (const auto broken = pool_.first_broken(chosen)) return split_join(*broken, alive, bound, best);
        if (std::any_of(chosen.begin(), chosen.end(), [&](candidate_index c) { return alive[c] == 0; }))
            return push(std::move(alive), bound, best);
        // One cover is the mix, and the arithmetic leaves open whether it is the best: any of its candidates that is not settled.
        for (const candidate_index c : chosen)
            for (const node_id v : index_->members(c))
                for (const candidate_index other : index_->covering(v))
                    if (other != c && alive[other] != 0) return split_at(std::move(alive), c, bound, best);
        // It is the only one that is left, and is known.
    }

    void split_at(std::vector<std::uint8_t> alive, candidate_index c, double bound, const row_weights& best) {
        std::vector<std::uint8_t> with = alive;
        alive[c] = 0;
        admit_only(*index_, c, with);
        // What is pushed last is looked at first: until a cover is known, that without what the limits charge for.
        push(std::move(with), bound, best);
        push(std::move(alive), bound, best);
    }

    /// Sub-problems in which that constraint is kept, or broken elsewhere; each cover that keeps to it is in one of them.
    void split_join(const column_pool::broken_join& broken, const std::vector<std::uint8_t>& alive, double bound, const row_weights& best) {
        const auto goes = [&](std::vector<std::uint8_t>& to, node_id v, backend_id b, bool there) {
            for (const candidate_index c : index_->covering(v))
                if ((index_->of().candidates[c].backend == b) != there) to[c] = 0;
        };
        if (broken.rule->rule == constraint_rule::colocate) {
            for (const backend_id b : backends_) {
                std::vector<std::uint8_t> part = alive;
                for (const node_id v : broken.rule->nodes) goes(part, v, b, true);
                push(std::move(part), bound, best);
            }
            return;
        }
        std::vector<std::uint8_t> without = alive, with = alive;
        goes(without, broken.first, broken.backend, false);
        push(std::move(without), bound, best);
        goes(with, broken.first, broken.backend, true);
        goes(with, broken.second, broken.backend, false);
        push(std::move(with), bound, best);
    }

    /// Drops the candidates with which no cover is better than the best.
    void drop_dear(std::vector<std::uint8_t>& alive, const row_weights& weights) {
        const problem combined = pool_.combine(1, weights);
        std::vector<std::uint8_t> admitted = alive;
        admitted.resize(combined.candidates.size(), 1);
        std::vector<candidate_index> number;
        const problem some = problem_among(combined, admitted, &number);
        constexpr double small = 3e6;
        // Half of the room for the messages, which marginals take twice.
        const elimination_limit tables{std::min(small, options_.table_limit), options_.memory_limit / sizeof(fixed_cost) / 2};
        const std::vector<double> bounds = candidate_bounds(some, tables, *end_);
        const double add = pool_.weigh(weights);
        for (std::size_t k = 0; k < bounds.size(); ++k) {
            if (number[k] >= alive.size()) break;
            const double bound = bounds[k] < impossible ? bounds[k] - bound_slack * bounds[k] + add : impossible;
            if (!pool_.closes(bound)) continue;
            alive[number[k]] = 0;
            if (bound < impossible) least_closed_ = std::min(least_closed_, bound);
        }
    }

    [[nodiscard]] limited_answer report() {
        limited_answer made;
        made.effort = effort_;
        made.multipliers = multipliers_;
        double bound = least_closed_;
        bool is_open = false;
        if (!open_.empty() && !pool_.closes(open_.begin()->bound)) {
            is_open = true;
            bound = std::min(bound, open_.begin()->bound);
            made.reason = too_large_;
        }
        if (pool_.best()) {
            made.value = pool_.best_own_value();
            made.chosen = pool_.covers()[*pool_.best()].chosen;
            made.lower_bound = bound >= pool_.best_value() ? pool_.best_own_value() : std::max(0.0, bound * pool_.value_scale());
            made.status = is_open ? selection_status::gap : selection_status::optimal;
        } else if (is_open) {
            made.status = selection_status::gap;
            made.lower_bound = std::max(0.0, bound * pool_.value_scale());
        }
        return made;
    }

    const problem_index* index_;
    const limited_task* task_;
    column_pool pool_;
    select_options options_;
    const deadline* end_;
    limit_settler settler_;
    bool has_scales_ = false;
    /// Why no cover can be searched for.
    std::string too_large_;
    std::set<backend_id> backends_;
    /// The least bound of all that was closed because nothing in it can be better than the best.
    double least_closed_ = impossible;
    std::multiset<sub_problem> open_;
    std::size_t born_ = 0;
    std::size_t picked_ = 0;
    search_effort effort_;
    std::vector<quantity_weight> multipliers_;
};

}  // namespace detail

}  // namespace inlay

#endif
