// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_IPP
#define INLAY_SEARCH_SELECT_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/select.hpp>

#include <inlay/search/check.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/exact/exact.hpp>
#include <inlay/search/exhaustive.hpp>
#include <inlay/search/model/acyclicity.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/dominated.hpp>
#include <inlay/search/model/make_cover_network.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/repeats/select_by_repeats.hpp>
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
    made.cost = cover_cost(index, taken);
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
        std::vector<bool> admitted = convex_candidates(index_);
        if (const node_id open = first_uncovered(index_, admitted); open != no_node)
            return without_marginals(uncovered(open, " without closing a cycle with itself"));
        // Cycles between parts are looked for where a cover has one; marginals have to know beforehand which may.
        if (options_->marginals && given_->acyclic) dangerous_ = shapes_of(index_).dangerous;
        const scaling coarsest = scaling::for_total(largest_price(index_));
        const auto holds_all = [&] { return unit_.exponent <= coarsest.exponent; };
        unit_ = coarsest;
        known_ = options_->known_covers;
        if (options_->marginals) {
            // The cover is that of a search without marginals, which looks at fewer candidates and so breaks ties in its own way.
            select_options alone = *options_;
            alone.marginals = false;
            chosen_alone_ = exact_selection(*given_, alone).run();
            made_.effort = chosen_alone_.effort;
            if (chosen_alone_.cost) known_.push_back(chosen_alone_.chosen);
        }
        if (end_.passed() && keep_best_ready()) return with_open_marginals(std::move(made_));
        if (!options_->marginals && solve_by_repeats()) return std::move(made_);
        // A dominated candidate can still have a marginal.
        if (!options_->marginals) admitted = without_dominated(index_, admitted);
        for (;;) {
            covers_ = make_cover_network(index_, unit_, admitted, options_->memory_limit / sizeof(fixed_cost));
            if (covers_.too_large) return with_open_marginals(without_tables());
            exact_search search(index_, covers_, unit_, tables(), end_, made_.effort);
            bounded_cover found = search.solve(search.domains().whole(),
                                               search.solves_at_once() && !options_->marginals ? bounded_cover{} : incumbent(search));
            if (!found.proved() && search.solves_at_once()) {
                // Stopped among sub-problems after all.
                bounded_cover known = incumbent(search);
                if (known.cost < found.cost) {
                    found.cost = known.cost;
                    found.chosen = std::move(known.chosen);
                }
            }
            report(search, found);
            if (chosen_alone_.status == selection_status::optimal) {
                made_.status = chosen_alone_.status;
                made_.cost = made_.lower_bound = chosen_alone_.cost;
                made_.chosen = chosen_alone_.chosen;
            }
            // Prices far above the optimum make the unit coarse. Once a cover is known, none of those can be in the optimum.
            const double wanted = made_.cost.value_or(0);
            if (found.cost < infinite_cost && found.proved() && wanted > 0 && !fine_enough(wanted) && unit_.reach() > 8 * wanted) {
                known_.push_back(found.chosen);
                unit_ = scaling::for_total(wanted);
                continue;
            }
            if (!options_->marginals) return std::move(made_);
            if (found.cost >= infinite_cost && found.proved()) return without_marginals(std::move(made_));
            fill_marginals(search, found, holds_all());
            break;
        }
        // Dear marginals need a coarser unit than the optimum, a cheap one a finer: they are found step by step.
        while (!holds_all() && !end_.passed()) {
            constexpr int step = 14;
            unit_.exponent -= step;
            covers_ = make_cover_network(index_, unit_, admitted);
            exact_search search(index_, covers_, unit_, tables(), end_, made_.effort);
            fill_marginals(search, {}, holds_all());
        }
        finish_marginals();
        return std::move(made_);
    }

private:
    /// The covers that are known without searching: the caller's, the eager one and, for each back end, the one that takes this back end's
    /// candidates first. An elimination of the whole that is not stopped needs none of them.
    [[nodiscard]] std::vector<std::vector<candidate_index>> ready_covers() const {
        std::vector<std::vector<candidate_index>> made = known_;
        const std::vector<candidate_index> usual = eager_order(*given_);
        made.push_back(eager(index_, options_->priority.empty() ? usual : options_->priority));
        std::vector<backend_id> firsts;
        for (const candidate_index c : usual)
            if (firsts.empty() || firsts.back() != given_->candidates[c].backend) firsts.push_back(given_->candidates[c].backend);
        const std::size_t before = made.size();
        made.resize(before + firsts.size());
        options_->executor.run(firsts.size(), [&](std::size_t i) {
            // However little time there is, the first is made.
            if (i != 0 && end_.passed()) return;
            made[before + i] = eager(index_, order_for(index_, firsts[i], usual));
        });
        for (auto& cover : made) std::sort(cover.begin(), cover.end());
        return made;
    }

    /// The best of them; of equals the first, on any number of threads.
    [[nodiscard]] bounded_cover incumbent(const exact_search& search) const {
        bounded_cover best;
        for (auto& cover : ready_covers()) {
            const fixed_cost cost = search.price_of(cover);
            if (cost >= best.cost) continue;
            best.cost = cost;
            best.chosen = std::move(cover);
        }
        return best;
    }

    /// Answers with the best of them, which needs no tables; false if none is a cover.
    [[nodiscard]] bool keep_best_ready() {
        for (auto& cover : ready_covers()) {
            const std::optional<double> cost = cover_cost(index_, cover);
            if (!cost || (made_.cost && *cost >= *made_.cost)) continue;
            made_.cost = cost;
            made_.chosen = std::move(cover);
        }
        if (!made_.cost) return false;
        made_.status = selection_status::gap;
        made_.lower_bound = 0.0;
        return true;
    }

    /// The best of them where the tables of the search are too large to be made.
    [[nodiscard]] selection without_tables() {
        if (!keep_best_ready()) made_.lower_bound = 0.0;
        made_.status = selection_status::gap;
        made_.too_large = true;
        constexpr double kib = 1024;
        made_.reason = "the tables of the search would take more than the " +
                       std::to_string(static_cast<std::uint64_t>(options_->memory_limit / kib)) +
                       " KiB that it may use, so that only covers that need no search were looked at; give fewer formats or candidates, or "
                       "a higher memory limit.";
        return std::move(made_);
    }

    void report(const exact_search& search, const bounded_cover& found) {
        if (found.cost < infinite_cost) {
            made_.cost = cover_cost(index_, found.chosen);
            made_.chosen = found.chosen;
            made_.status = found.proved() ? selection_status::optimal : selection_status::gap;
            made_.lower_bound = found.proved() ? *made_.cost : std::min(*made_.cost, bound_of(found));
            return;
        }
        if (!found.proved()) {
            made_.status = selection_status::gap;
            made_.lower_bound = bound_of(found);
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

    /// Large problems that repeat themselves are solved by a few of their stretches, if that gives a cover without cycles.
    [[nodiscard]] bool solve_by_repeats() {
        constexpr std::size_t large = 2000;
        if (index_.nodes() < large) return false;
        std::optional<repeated_cover> found = select_by_repeats(index_, unit_, tables());
        if (!found || !covers_once(index_, found->around)) return false;
        if (given_->acyclic && !find_cycle(index_, owners(index_, found->around)).empty()) return false;
        const std::optional<double> cost = cover_cost(index_, found->around);
        if (!cost || !fine_enough(*cost)) return false;
        made_.status = selection_status::optimal;
        made_.cost = made_.lower_bound = cost;
        made_.chosen = std::move(found->around);
        made_.effort.table_entries = static_cast<std::uint64_t>(found->entries);
        made_.effort.branches = 1;
        return true;
    }

    /// Marginals take the messages twice, and are worth a larger elimination: without one they are found one by one.
    [[nodiscard]] elimination_limit tables() const {
        const double messages = options_->memory_limit / sizeof(fixed_cost);
        return options_->marginals ? elimination_limit{options_->table_limit * 8, messages / 2}
                                   : elimination_limit{options_->table_limit, messages};
    }

    [[nodiscard]] double terms() const { return static_cast<double>(index_.nodes()) + static_cast<double>(given_->edges.size()); }

    /// A bound in the problem's own numbers, with what rounding to units may have added taken off.
    [[nodiscard]] double bound_of(const bounded_cover& found) const {
        return std::max(0.0, unit_.back(found.bound) - unit_.error_of(terms()));
    }

    /// Whether rounding to the unit is far below what an optimal answer may be off by.
    [[nodiscard]] bool fine_enough(double cost) const {
        constexpr double tolerance = 1e-11;
        return unit_.error_of(terms()) <= tolerance * cost;
    }

    /// Marginals come from one elimination where cycles cannot change them; where they can, or where the elimination is too wide,
    /// a candidate whose value is not confirmed by a cover is searched for on its own while that is affordable. Those that are
    /// beyond the unit's reach stay open, unless `all` says that nothing is.
    void fill_marginals(exact_search& search, const bounded_cover& found, bool all) {
        const std::size_t count = index_.candidates();
        if (marginal_.empty()) {
            marginal_.resize(count);
            settled_.assign(count, false);
            exact_.assign(count, false);
        }
        std::vector<fixed_cost> value = search.marginals();
        const bool eliminated = !value.empty();
        if (!eliminated) value = search.marginal_bounds();
        const fixed_cost least = found.cost < infinite_cost ? found.bound : 0;
        if (value.empty()) value.assign(count, least);
        std::vector<bool> exact(count, eliminated && dangerous_.empty());
        for (fixed_cost& v : value) v = std::max(v, least);
        const auto confirm = [&](const bounded_cover& cover) {
            for (const candidate_index c : cover.chosen) {
                if (covers_.representative[c] == c && cover.cost <= value[c]) exact[c] = true;
            }
        };
        if (found.cost < infinite_cost) confirm(found);
        if (eliminated && !dangerous_.empty() && found.proved() && found.cost < infinite_cost) {
            // Of the parts that can close a cycle those of the cheapest cover close none together. What costs no more with them alone needs
            // no others.
            domain safe = search.domains().whole();
            for (const candidate_index c : dangerous_)
                if (covers_.representative[c] == c && !std::binary_search(found.chosen.begin(), found.chosen.end(), c))
                    search.domains().forbid(safe, c);
            const std::vector<fixed_cost> with_those = search.marginals(safe);
            for (std::size_t c = 0; c < with_those.size(); ++c)
                if (with_those[c] <= value[c]) exact[c] = true;
        }
        // Those that are open are searched for side by side, so many at a time on any number of threads: each begins with the prices of the
        // search for all, and what it finds counts for the next.
        constexpr std::size_t at_a_time = 8;
        std::vector<candidate_index> open;
        for (std::size_t next = 0; next < count;) {
            open.clear();
            for (; next < count && open.size() < at_a_time; ++next) {
                const auto c = static_cast<candidate_index>(next);
                if (covers_.representative[c] == c && !settled_[c] && !exact[c] && value[c] < beyond_reach) open.push_back(c);
            }
            if (open.empty() || marginal_work_ > most_marginal_work || end_.passed()) break;
            std::vector<bounded_cover> cheapest(open.size());
            std::vector<search_effort> effort(open.size());
            options_->executor.run(open.size(), [&](std::size_t i) {
                if (i != 0 && end_.passed()) return;
                exact_search with_one(search, effort[i]);
                domain with = with_one.domains().whole();
                with_one.domains().require(with, open[i]);
                cheapest[i] = with_one.solve(std::move(with), {}, most_branches_per_marginal);
            });
            for (std::size_t i = 0; i < open.size(); ++i) {
                const std::uint64_t sweeps = effort[i].passes + effort[i].branches;
                marginal_work_ += effort[i].table_entries + sweeps * covers_.m.unary.items.size();
                made_.effort.add(effort[i]);
                const candidate_index c = open[i];
                value[c] = std::max(value[c], cheapest[i].bound);
                if (cheapest[i].proved()) {
                    value[c] = std::max(value[c], cheapest[i].cost);
                    exact[c] = true;
                }
                confirm(cheapest[i]);
            }
        }
        for (std::size_t c = 0; c < count; ++c) {
            if (covers_.representative[c] != static_cast<candidate_index>(c) || settled_[c]) continue;
            if (value[c] < beyond_reach) {
                marginal_[c] = unit_.back(value[c]);
                settled_[c] = true;
                exact_[c] = exact[c];
            } else if (all) {
                marginal_[c].reset();
                settled_[c] = exact_[c] = true;
            } else {
                // Dearer than anything within reach: that is a bound until a coarser unit says more.
                marginal_[c] = std::max(marginal_[c].value_or(0), unit_.reach());
            }
        }
    }

    void finish_marginals() {
        made_.marginals.resize(index_.candidates());
        std::vector<bool> exact(index_.candidates(), true);
        for (std::size_t c = 0; c < index_.candidates(); ++c) {
            const candidate_index stands = covers_.representative[c];
            if (stands == no_candidate) continue;
            exact[c] = exact_[stands];
            if (!marginal_[stands]) continue;
            // The same nodes in the same formats: only the candidates' own costs differ.
            const double value = *marginal_[stands] + (given_->candidates[c].cost - given_->candidates[stands].cost);
            made_.marginals[c] = made_.lower_bound ? std::max(value, *made_.lower_bound) : value;
        }
        if (made_.status == selection_status::optimal) {
            for (const candidate_index c : made_.chosen) made_.marginals[c] = made_.cost;
        }
        if (std::find(exact.begin(), exact.end(), false) != exact.end()) made_.marginals_exact = std::move(exact);
    }

    /// Nothing is known of what the best cover with a candidate costs.
    [[nodiscard]] selection with_open_marginals(selection made) const {
        if (!options_->marginals) return made;
        made.marginals.assign(index_.candidates(), made.lower_bound.value_or(0));
        made.marginals_exact.assign(index_.candidates(), false);
        return made;
    }

    /// There is no cover, with no candidate.
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
    std::vector<candidate_index> dangerous_;
    scaling unit_;
    cover_network covers_;
    std::vector<std::vector<candidate_index>> known_;
    selection made_;
    /// Where marginals are asked for: what was selected without them.
    selection chosen_alone_;
    /// Per candidate that stands for itself: the marginal so far, whether it is final, and whether it is exact.
    std::vector<std::optional<double>> marginal_;
    std::vector<bool> settled_;
    std::vector<bool> exact_;
    std::uint64_t marginal_work_ = 0;
};

}  // namespace detail

selection select(const problem& given, const select_options& options) {
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
