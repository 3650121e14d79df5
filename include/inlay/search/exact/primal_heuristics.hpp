// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_PRIMAL_HEURISTICS_HPP
#define INLAY_SEARCH_EXACT_PRIMAL_HEURISTICS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/exact/bounded_cover.hpp>
#include <inlay/search/exact/dual_ascent.hpp>
#include <inlay/search/exact/elimination.hpp>
#include <inlay/search/exact/rounding.hpp>
#include <inlay/search/model/acyclicity.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/domain.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// A cover whose parts close a cycle, and its price if that were allowed.
struct cyclic_cover {
    fixed_cost cost = infinite_cost;
    std::vector<candidate_index> chosen;
    std::vector<candidate_index> cycle;
};

/// Makes covers out of what a search has at hand, and keeps the best: drawn from the prices of dual ascent, eliminated among the values of
/// least slack, mended where they have holes or a cycle between parts, and improved window by window. `exact_search` goes by it; what it
/// refers to must outlive it.
class primal_heuristics {
public:
    primal_heuristics(const problem_index& index, const cover_network& covers, const scaling& unit, const elimination_limit& tables,
                      const deadline& end, search_effort& effort)
        : index_(&index),
          covers_(&covers),
          domains_(index, covers),
          unit_(unit),
          end_(&end),
          effort_(&effort),
          limit_(tables.work),
          kept_(tables.kept) {}

    [[nodiscard]] const cover_domains& domains() const { return domains_; }

    /// The price of a cover in whole units; `infinite_cost` if it is none, or has a cycle where none may be.
    [[nodiscard]] fixed_cost price_of(std::span<const candidate_index> chosen) const {
        if (!covers_once(*index_, chosen)) return infinite_cost;
        const std::vector<candidate_index> owner = owners(*index_, chosen);
        if (!forbidden_cycle(owner).empty()) return infinite_cost;
        return price_of(chosen, owner);
    }

    /// Begins anew, with a cover to beat, of cost `infinite_cost` if there is none; only covers of the domain are made.
    void begin(const domain& root, bounded_cover known) {
        best_ = std::move(known);
        best_.bound = 0;
        root_ = root;
        improved_ = infinite_cost;
        cycles_broken_ = 0;
    }

    /// The best cover since then.
    [[nodiscard]] const bounded_cover& best() const { return best_; }

    /// Takes a cover of that cost if it is the best.
    void offer(std::vector<candidate_index> chosen, fixed_cost cost) {
        if (cost >= best_.cost) return;
        std::sort(chosen.begin(), chosen.end());
        best_.cost = cost;
        best_.chosen = std::move(chosen);
    }

    /// Improves the best cover by solving windows of it exactly while the rest stands, as long as that helps: every other window of a size
    /// at once, so that all together take a few eliminations however long the model is.
    void improve() {
        constexpr std::size_t smallest = 24;
        constexpr std::size_t largest = 192;
        constexpr int most_rounds = 3;
        constexpr int most_splits = 3;
        for (int round = 0; round < most_rounds && best_.cost < improved_; ++round) {
            improved_ = best_.cost;
            for (std::size_t size = smallest; size <= largest; size *= 2) {
                for (std::size_t first = 0; first < std::min(2 * size, covers_->nodes); first += size / 2)
                    improve_windows(first, size, (covers_->nodes - first + 2 * size - 1) / (2 * size), most_splits);
            }
            if (has_far_parts()) improve_around();
        }
        improved_ = best_.cost;
    }

    /// Makes a cover without cycles of one that has some: for one cycle after the other the part is forbidden whose absence costs
    /// the least when all around it is chosen anew and the rest stands.
    void break_cycles(cyclic_cover at) {
        constexpr int most_covers = 16;
        constexpr int most_cycles = 64;
        constexpr std::size_t around = 32;
        if (cycles_broken_ == most_covers) return;
        ++cycles_broken_;
        std::vector<candidate_index> without;
        for (int round = 0; round < most_cycles && at.cost < best_.cost; ++round) {
            cyclic_cover next;
            candidate_index missing = no_candidate;
            for (const candidate_index c : at.cycle) {
                if (!may_close_cycle(c) || end_->passed()) continue;
                const auto members = index_->members(c);
                without.push_back(c);
                std::vector<std::uint8_t> within(covers_->nodes, 0);
                mark(within, members.front() < around ? 0 : members.front() - around, members.back() + around);
                cyclic_cover found = in_window(at.chosen, within, without, window_limit);
                without.pop_back();
                if (found.cost >= next.cost) continue;
                next = std::move(found);
                missing = c;
            }
            if (missing == no_candidate) return;
            without.push_back(missing);
            next.cycle = forbidden_cycle(owners(*index_, next.chosen));
            if (next.cycle.empty()) return offer(std::move(next.chosen), next.cost);
            at = std::move(next);
        }
    }

protected:
    /// What the elimination of one window may take.
    static constexpr double window_limit = 3e5;

    [[nodiscard]] fixed_cost price_of(std::span<const candidate_index> chosen, const std::vector<candidate_index>& owner) const {
        fixed_cost total = 0;
        detail::each_price(*index_, chosen, owner, [&](double part) { total = add(total, unit_.of(part)); });
        return total;
    }

    /// A cycle between the parts of a cover where none may be; empty where there is none.
    [[nodiscard]] std::vector<candidate_index> forbidden_cycle(const std::vector<candidate_index>& owner) const {
        return index_->of().acyclic ? find_cycle(*index_, owner) : std::vector<candidate_index>();
    }

    void count(const elimination_plan& plan) const {
        effort_->table_entries += static_cast<std::uint64_t>(plan.entries);
        effort_->width = std::max(effort_->width, plan.width);
    }

    [[nodiscard]] static std::optional<std::uint32_t> empty_variable(const cost_network& m) {
        for (std::size_t i = 0; i < m.variables(); ++i) {
            if (m.unary[i].empty()) return static_cast<std::uint32_t>(i);
        }
        return std::nullopt;
    }

    [[nodiscard]] bool may_close_cycle(candidate_index c) {
        // A part of one node never is.
        if (index_->members(c).size() < 2) return false;
        if (!shape_) shape_.emplace(*index_);
        return (*shape_)(c) != candidate_shape::flow_through;
    }

    /// The limit of tables, less where a budget would not allow for filling them.
    [[nodiscard]] elimination_limit affordable(double limit) const {
        constexpr double entries_a_ms = 5e5;
        constexpr double always = 5e4;
        const std::optional<double> left = end_->left_ms();
        return {left ? std::min(limit, std::max(always, *left * entries_a_ms)) : limit, kept_};
    }

    /// Offers the best cover of the values with the least slack, as many as are cheap to eliminate: the further the ascent, the fewer
    /// others can be in the optimum.
    void guess(const dual_ascent& dual, double limit) {
        constexpr std::size_t most_values_a_node = 4;
        std::vector<fixed_cost> slack;
        for (std::size_t v = 0; v < covers_->nodes; ++v)
            for (std::size_t x = 0; x < covers_->meaning[v].size(); ++x) slack.push_back(dual.slack(v, x));
        std::vector<fixed_cost> least = slack;
        for (std::size_t values_a_node = most_values_a_node; values_a_node > 1; --values_a_node) {
            const std::size_t keep = std::min(least.size(), covers_->nodes * values_a_node) - 1;
            std::nth_element(least.begin(), least.begin() + static_cast<std::ptrdiff_t>(keep), least.end());
            const fixed_cost most = std::min(least[keep], infinite_cost - 1);
            domain some(dual.alive_values().begin(), dual.alive_values().end());
            // The nodes' values stand before those of auxiliary variables.
            for (std::size_t i = 0; i < slack.size(); ++i) some[i] = static_cast<std::uint8_t>(some[i] & (slack[i] <= most ? 1 : 0));
            cyclic_cover found = eliminated(domains_.consistent(some), affordable(std::min(limit_, limit)));
            if (found.cost >= infinite_cost) continue;
            if (found.cost >= best_.cost || found.cost >= closest_.cost) return;
            found.cycle = forbidden_cycle(owners(*index_, found.chosen));
            if (found.cycle.empty()) return offer(std::move(found.chosen), found.cost);
            with_cycles_.push_back(found.chosen);
            closest_ = std::move(found);
            return;
        }
    }

    /// Offers covers on the way to one that dual ascent agrees with: again and again the part that it is surest of, of those drawn, is
    /// required, and the prices are moved on. They are put back at the end; `passes` says how many it made.
    void dive(dual_ascent& dual, std::uint64_t& passes) {
        constexpr int most_steps = 48;
        constexpr int passes_a_step = 4;
        constexpr std::size_t share = 10;
        const std::vector<fixed_cost> before = dual.prices();
        const domain alive_before(dual.alive_values().begin(), dual.alive_values().end());
        const std::uint32_t draws = draws_;
        const std::vector<std::uint32_t> drawn = drawn_;
        domain alive = alive_before;
        std::vector<std::uint8_t> settled(index_->candidates(), 0);
        std::vector<std::pair<fixed_cost, candidate_index>> open;
        for (int step = 0; step < most_steps && dual.bound() < best_.cost && !end_->passed(); ++step) {
            const std::vector<candidate_index> chosen = (*rounding_)(dual, step % 2 == 0);
            open.clear();
            for (const candidate_index c : chosen) {
                if (settled[c] != 0) continue;
                fixed_cost sure = infinite_cost;
                for (const node_id v : index_->members(c)) {
                    const auto meaning = covers_->meaning[v];
                    for (std::size_t x = 0; x < meaning.size(); ++x)
                        if (meaning[x] != c) sure = std::min(sure, dual.slack(v, x));
                }
                open.emplace_back(-sure, c);
            }
            if (open.empty()) break;
            std::sort(open.begin(), open.end());
            const std::size_t count = std::max<std::size_t>(4, open.size() / share);
            for (std::size_t i = 0; i < std::min(open.size(), count); ++i) {
                if (!domains_.has(alive, open[i].second)) continue;
                domains_.require(alive, open[i].second);
                settled[open[i].second] = 1;
            }
            alive = domains_.consistent(alive);
            dual.reset(alive);
            for (int pass = 0; pass < passes_a_step; ++pass) dual.pass(pass % 2 == 0);
            passes += passes_a_step;
            if (dual.bound() >= best_.cost) break;
            rounding(dual, step % 2 != 0);
        }
        draws_ = draws;
        drawn_ = drawn;
        dual.take(before);
        dual.reset(alive_before);
        dual.pass(true);
        ++passes;
    }

    /// Offers a cover that is drawn from the prices of dual ascent; one with a cycle is kept as the closest, and mended.
    void rounding(const dual_ascent& dual, bool forward) {
        std::vector<candidate_index> chosen = (*rounding_)(dual, forward);
        ++draws_;
        drawn_.resize(index_->candidates(), 0);
        for (const candidate_index c : chosen) ++drawn_[c];
        if (!covers_once(*index_, chosen)) return repair(chosen, dual);
        const std::vector<candidate_index> owner = owners(*index_, chosen);
        const fixed_cost cost = price_of(chosen, owner);
        std::vector<candidate_index> cycle = forbidden_cycle(owner);
        if (cost < infinite_cost && cycle.empty()) return offer(std::move(chosen), cost);
        if (!cycle.empty()) with_cycles_.push_back(chosen);
        if (cost < closest_.cost) closest_ = {cost, chosen, std::move(cycle)};
        repair(chosen, dual);
    }

    /// Makes a cover of candidates that are none, or have a cycle between parts: the eager rule takes what fits of them, and fills the
    /// holes with what raises the bound the least.
    void repair(std::vector<candidate_index>& drawn, const dual_ascent& dual) {
        std::vector<std::pair<fixed_cost, candidate_index>> rest;
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size(); ++k) {
                const bool same = k > 0 && meaning[k] == meaning[k - 1];
                if (!same && index_->members(meaning[k])[0] == v) rest.emplace_back(0, meaning[k]);
            }
        }
        for (auto& [raise, c] : rest) {
            for (const node_id v : index_->members(c)) {
                fixed_cost least = infinite_cost;
                const auto [first, last] = covers_->values_of(v, c);
                for (std::uint32_t x = first; x < last; ++x) {
                    if (root_[covers_->m.unary.begin[v] + x] != 0) least = std::min(least, dual.slack(v, x));
                }
                raise = add(raise, least);
            }
        }
        std::sort(rest.begin(), rest.end());
        std::vector<candidate_index> order = std::move(drawn);
        for (const auto& [raise, c] : rest) order.push_back(c);
        std::vector<candidate_index> taken = eager(*index_, order);
        if (!std::all_of(taken.begin(), taken.end(), [&](candidate_index c) { return domains_.has(root_, c); })) return;
        const fixed_cost cost = price_of(taken);
        offer(std::move(taken), cost);
    }

    /// Solves `count` windows of a size, of which the first begins at node `first` and there is room for another one after each; half of
    /// them and then the others where all are too wide, or close a cycle, and so on `splits` times.
    void improve_windows(std::size_t first, std::size_t size, std::size_t count, int splits) {
        if (end_->passed()) return;
        std::vector<std::uint8_t> within(covers_->nodes, 0);
        for (std::size_t i = 0; i < count; ++i) mark(within, first + 2 * i * size, first + (2 * i + 1) * size);
        cyclic_cover found = in_window(best_.chosen, within, {}, window_limit * static_cast<double>(count));
        const fixed_cost cost = found.cost < best_.cost ? price_of(found.chosen) : infinite_cost;
        if (cost < infinite_cost) return offer(std::move(found.chosen), cost);
        if (found.cost < best_.cost) with_cycles_.push_back(found.chosen);
        if (count == 1 || splits == 0 || (found.cost < infinite_cost && found.cost >= best_.cost)) return;
        improve_windows(first, size, count / 2, splits - 1);
        improve_windows(first + 2 * (count / 2) * size, size, count - count / 2, splits - 1);
    }

    /// Windows may have become of use that were not, as there are cuts for what closed a cycle in them.
    void look_again() { improved_ = infinite_cost; }

    /// Whether there are many candidates whose last node lies far from the others in the order and reads none of them: no window has such
    /// a part.
    [[nodiscard]] bool has_far_parts() {
        constexpr std::size_t far = 24;
        constexpr std::size_t one_in = 32;
        if (!far_parts_) {
            std::size_t count = 0;
            for (std::size_t c = 0; c < index_->candidates(); ++c) {
                const auto members = index_->members(static_cast<candidate_index>(c));
                if (members.back() - members.front() <= far) continue;
                const auto leads_to_last = [&](node_id v) {
                    const auto users = index_->users(v);
                    return std::find(users.begin(), users.end(), members.back()) != users.end();
                };
                count += std::none_of(members.begin(), members.end(), leads_to_last) ? 1u : 0u;
            }
            far_parts_ = count * one_in > index_->candidates();
        }
        return *far_parts_;
    }

    /// The same with the surroundings of each of many nodes, over edges and over candidates, in place of windows.
    void improve_around() {
        constexpr std::size_t smallest = 24;
        constexpr std::size_t largest = 96;
        const std::size_t nodes = covers_->nodes;
        const auto beside = detail::make_rows<std::uint32_t>(nodes, [&](auto visit) {
            for (const pair_table& p : covers_->m.pairs) {
                if (p.a >= nodes || p.b >= nodes) continue;
                visit(p.a, p.b);
                visit(p.b, p.a);
            }
        });
        std::vector<std::uint32_t> queue;
        for (std::size_t size = smallest; size <= largest; size *= 2) {
            for (std::size_t start = 0; start < nodes; start += size / 8) {
                if (end_->passed()) return;
                std::vector<std::uint8_t> within(nodes, 0);
                queue.assign(1, static_cast<std::uint32_t>(start));
                within[start] = 1;
                for (std::size_t next = 0; next < queue.size() && queue.size() < size; ++next) {
                    for (const std::uint32_t w : beside[queue[next]]) {
                        if (within[w] != 0) continue;
                        within[w] = 1;
                        queue.push_back(w);
                    }
                }
                // A part of the cover is either all within or not at all.
                for (const candidate_index c : best_.chosen) {
                    const auto members = index_->members(c);
                    if (std::any_of(members.begin(), members.end(), [&](node_id v) { return within[v] != 0; }))
                        for (const node_id v : members) within[v] = 1;
                }
                cyclic_cover found = in_window(best_.chosen, within, {}, window_limit);
                if (found.cost >= best_.cost) continue;
                const fixed_cost cost = price_of(found.chosen);
                if (cost < infinite_cost)
                    offer(std::move(found.chosen), cost);
                else
                    with_cycles_.push_back(std::move(found.chosen));
            }
        }
    }

    static void mark(std::vector<std::uint8_t>& within, std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < std::min(last, within.size()); ++v) within[v] = 1;
    }

    /// The cheapest cover, cycles not looked at, that differs from a given one only within some nodes, and has none of some candidates;
    /// without a cost if that takes more than `limit` table entries.
    [[nodiscard]] cyclic_cover in_window(const std::vector<candidate_index>& cover, std::span<const std::uint8_t> within,
                                         const std::vector<candidate_index>& without, double limit) const {
        domain alive = domains_.window(cover, within);
        if (alive.empty()) return {};
        for (const candidate_index c : without) domains_.forbid(alive, c);
        for (std::size_t i = 0; i < alive.size(); ++i) alive[i] = static_cast<std::uint8_t>(alive[i] & root_[i]);
        return eliminated(alive, affordable(limit));
    }

    /// The cheapest cover in a domain, cycles not looked at; without a cost if there is none, or that takes more than `limit` table
    /// entries.
    [[nodiscard]] cyclic_cover eliminated(const domain& alive, const elimination_limit& limit) const {
        const restricted_model part = restricted(covers_->m, alive);
        if (empty_variable(part.m)) return {};
        const elimination_plan plan = plan_elimination(part.m, limit);
        if (plan.too_wide) return {};
        count(plan);
        const elimination solved(part.m, plan);
        if (solved.cost() >= infinite_cost) return {};
        return {solved.cost(), domains_.cover_of(&part.values, solved.assignment()), {}};
    }

    const problem_index* index_;
    const cover_network* covers_;
    cover_domains domains_;
    scaling unit_;
    const deadline* end_;
    search_effort* effort_;
    /// What one elimination may take.
    double limit_ = 0;
    double kept_ = 0;
    bounded_cover best_;
    domain root_;
    /// The cheapest cover with a cycle that dual ascent on one sub-problem has drawn.
    cyclic_cover closest_;
    /// How often covers were drawn on one sub-problem, and each candidate in them.
    std::uint32_t draws_ = 0;
    std::vector<std::uint32_t> drawn_;
    /// Covers with cycles that came up since cuts were last made of them.
    std::vector<std::vector<candidate_index>> with_cycles_;
    std::optional<cover_rounding> rounding_;

private:
    /// The cost that windows could not improve.
    fixed_cost improved_ = infinite_cost;
    /// How many covers with cycles break_cycles was given.
    int cycles_broken_ = 0;
    std::optional<bool> far_parts_;
    std::optional<detail::shape_of_candidate> shape_;
};

}  // namespace inlay

#endif
