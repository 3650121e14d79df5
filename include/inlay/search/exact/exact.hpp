// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_EXACT_HPP
#define INLAY_SEARCH_EXACT_EXACT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/exact/bounded_cover.hpp>
#include <inlay/search/exact/dual_ascent.hpp>
#include <inlay/search/exact/elimination.hpp>
#include <inlay/search/exact/primal_heuristics.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/cycle_cuts.hpp>
#include <inlay/search/model/domain.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// The exact search in whole units: best-first branch and bound whose leaves are eliminations.
///
/// A sub-problem is the network with some values taken away. If its elimination is predicted to be affordable, it is solved outright; if
/// its best cover has a cycle between parts, it is split by which part of the cycle is missing. If it is too wide, dual ascent gives a
/// bound and covers. Covers with cycles give cuts (`cycle_separator`), which stay in the network for all sub-problems; values and
/// candidates whose reduced cost is too high are dropped. That goes on until the rest is affordable, closed, or has to be split: at the
/// cycle of the cheapest cover that was drawn, at a candidate that strong branching chooses (Applegate, Bixby, Chvatal and Cook 1995), or
/// else at a node. Ties: an elimination decides nodes in the reverse of its order, each takes its first candidate among the best; between
/// sub-problems the one with the lower bound, then the later one, is taken first and only a cheaper cover replaces another.
class exact_search : private primal_heuristics {
public:
    exact_search(const problem_index& index, const cover_network& covers, const scaling& unit, const elimination_limit& tables,
                 const deadline& end, search_effort& effort)
        : primal_heuristics(index, covers, unit, tables, end, effort) {
        // Long chains of small tables are not wide.
        constexpr double variables_within = 4000;
        limit_ = tables.work * std::max(1.0, static_cast<double>(covers.m.variables()) / variables_within);
        whole_plan_ = plan_elimination(covers.m, affordable(limit_));
        effort.predicted_entries = whole_plan_.entries;
        ascent_order_ = order_along_nodes(covers);
    }

    /// A search of sub-problems that begins where `from` is now: with its prices of dual ascent, which it moves for itself alone.
    exact_search(const exact_search& from, search_effort& effort)
        : primal_heuristics(*from.index_, *from.covers_, from.unit_, {from.limit_, from.kept_}, *from.end_, effort),
          ascent_order_(from.ascent_order_),
          dual_(from.dual_),
          entries_a_pass_(from.entries_a_pass_) {
        limit_ = from.limit_;
        whole_plan_.too_wide = true;
        if (dual_) rounding_.emplace(*index_, *covers_, ascent_order_);
    }

    /// Whether the whole problem is narrow enough to be eliminated, so that covers known beforehand are of no use.
    [[nodiscard]] bool solves_at_once() const { return !whole_plan_.too_wide; }

    using primal_heuristics::domains;
    using primal_heuristics::price_of;

    /// The cheapest cover in a domain, or what was found when the time was up or `most_branches` sub-problems had been looked at.
    /// `known` is a cover to beat, of cost `infinite_cost` if there is none.
    [[nodiscard]] INLAY_FUNCTION bounded_cover solve(domain root, bounded_cover known, std::uint64_t most_branches = ~std::uint64_t{0});

    /// After `solve` found nothing: a node at which the search saw that nothing fits, if one can be named.
    [[nodiscard]] std::optional<node_id> dead_end() const { return dead_end_; }

    /// The least cost of a cover with each candidate where cycles are not looked at, by one elimination of the whole; empty if
    /// that is too wide. `infinite_cost` where there is none, or the candidate was not admitted.
    [[nodiscard]] std::vector<fixed_cost> marginals() {
        if (whole_plan_.too_wide) return {};
        return of_candidates(eliminated_whole().marginals(), nullptr);
    }

    /// The same among the covers of a domain.
    [[nodiscard]] std::vector<fixed_cost> marginals(const domain& alive) const {
        const restricted_model part = restricted(covers_->m, alive);
        if (empty_variable(part.m)) return {};
        const elimination_plan plan = plan_elimination(part.m, affordable(limit_));
        if (plan.too_wide) return {};
        count(plan);
        return of_candidates(elimination(part.m, plan).marginals(), &part.values);
    }

    /// For each candidate a lower bound of the cost of a cover with it, where elimination is too wide; from dual ascent.
    [[nodiscard]] std::vector<fixed_cost> marginal_bounds() const { return marginal_bounds_; }

private:
    /// The least price of each candidate's values at its first node; `left` says which values there are, null for all.
    [[nodiscard]] INLAY_FUNCTION std::vector<fixed_cost> of_candidates(const rows<fixed_cost>& price,
                                                                       const rows<std::uint32_t>* left) const;

    struct branch {
        fixed_cost bound;
        std::uint64_t born;
        mutable domain alive;
        /// Those of dual ascent where it was split off; empty where they are not kept.
        mutable std::vector<fixed_cost> prices;

        bool operator<(const branch& other) const { return bound != other.bound ? bound < other.bound : born > other.born; }
    };

    /// Passes of dual ascent on one sub-problem, how often covers are drawn from it, and how little a pass may raise the bound.
    static constexpr int most_passes = 300;
    static constexpr int most_passes_of_a_branch = 48;
    static constexpr int most_passes_with_cuts = 600;
    static constexpr int passes_between_covers = 8;
    static constexpr int stall_share = 100;
    /// Prices that all sub-problems of one search may keep.
    static constexpr std::size_t most_prices_kept = std::size_t{1} << 25;
    /// A large elimination of what is left of the root may be this many times as large as one that is made at once.
    static constexpr double last_resort = 200;
    /// While the ascent goes on, an elimination may fill so many times the entries that its passes have gone through.
    static constexpr double work_share = 4;
    /// An elimination that dual ascent could not avoid may be this many times as large.
    static constexpr double patience = 5;

    /// `prices` are what the sub-problem goes on from; those of another part of the tree would begin far below its bound.
    void push(domain alive, fixed_cost bound, std::vector<fixed_cost> prices) {
        if (bound < best_.cost) open_.insert({bound, born_++, std::move(alive), std::move(prices)});
    }

    /// The prices as they are now, for a sub-problem; empty where too many are kept already.
    [[nodiscard]] std::vector<fixed_cost> prices_now() const {
        if (!dual_ || dual_->prices().size() * (open_.size() + 1) > most_prices_kept) return {};
        return dual_->prices();
    }

    void note_dead_end(std::uint32_t variable) {
        if (!dead_end_ && variable < covers_->nodes) dead_end_ = variable;
    }

    INLAY_FUNCTION void explore(branch at);

    /// Solves a sub-problem by elimination. `values` says which are left, null for all.
    void finish(const branch& at, const cost_network& sub, const rows<std::uint32_t>* values, const elimination_plan& plan) {
        count(plan);
        settle(at, values, elimination(sub, plan));
    }

    /// The elimination of the whole problem, which is made once.
    [[nodiscard]] elimination& eliminated_whole() {
        if (!whole_) {
            count(whole_plan_);
            whole_.emplace(covers_->m, whole_plan_);
        }
        return *whole_;
    }

    /// Takes the answer of a sub-problem's elimination; splits the sub-problem if the answer has a cycle.
    INLAY_FUNCTION void settle(const branch& at, const rows<std::uint32_t>* values, const elimination& solved);

    /// Of the candidates on a cycle not all can be chosen: the first is not; or it is, and the second is not; and so on. Only
    /// those that may close one need to be asked about.
    INLAY_FUNCTION void split_cycle(const domain& alive, const std::vector<candidate_index>& cycle, fixed_cost bound);

    /// Bounds a sub-problem that is too wide by dual ascent, and splits it if that does not settle it.
    INLAY_FUNCTION void ascend(branch& at);

    /// Splits a sub-problem at the candidate that raises the bounds of both halves the most, of those that covers drawn from the prices
    /// disagree about (strong branching); false where they agree.
    [[nodiscard]] INLAY_FUNCTION bool split_candidate(const branch& at);

    /// Drops what no cover below the best known one has: single values, and candidates by what they raise the bound at all their nodes
    /// together. Returns how many values that are.
    INLAY_FUNCTION std::size_t fix(dual_ascent& dual);

    /// Makes cuts of the covers with cycles that came up, and goes on with the network that has them; false where there are none.
    INLAY_FUNCTION bool cut_cycles();

    /// Turns the prices of the open sub-problems into prices of a network with more tables.
    void take_prices_over(const dual_ascent& next) {
        for (const branch& at : open_)
            if (!at.prices.empty()) at.prices = next.taken_over(*dual_, at.prices);
    }

    [[nodiscard]] static bool is_whole(const branch& at) {
        return std::find(at.alive.begin(), at.alive.end(), std::uint8_t{0}) == at.alive.end();
    }

    /// A domain with all values of the variables that cuts have added since it was made.
    [[nodiscard]] domain with_new_variables(domain alive) const {
        alive.resize(covers_->m.unary.items.size(), 1);
        return alive;
    }

    /// Solves what dual ascent has left of a sub-problem, if that is affordable now. A larger elimination, up to `resort`, is remembered in
    /// case that splitting does not settle it.
    [[nodiscard]] INLAY_FUNCTION bool finish_rest(const branch& rest, double limit, double resort = 0);

    /// What the sub-problems since then have cost, in entries.
    [[nodiscard]] double work_since(const search_effort& before) const {
        return static_cast<double>(effort_->table_entries - before.table_entries) +
               work_share * entries_a_pass_ * static_cast<double>(effort_->passes - before.passes);
    }

    /// Splitting has cost as much as that elimination: it takes the place of all that is open.
    void take_resort() {
        const branch rest{std::max(resort_->bound, open_.begin()->bound), born_++, with_new_variables(std::move(resort_->alive)), {}};
        open_.clear();
        // If it has a cycle its sub-problems are as large.
        limit_ = std::max(limit_, resort_->work);
        resort_.reset();
        if (!finish_rest(rest, limit_)) push(rest.alive, rest.bound, {});
    }

    /// Splits a sub-problem at the node that the most others hang on: its best candidate is chosen, or is not.
    INLAY_FUNCTION void split_node(const branch& at, const dual_ascent& dual);

    INLAY_FUNCTION void keep_marginal_bounds(const dual_ascent& dual);

    /// What is left of the root, and what its elimination takes.
    struct large_rest {
        fixed_cost bound;
        double work;
        domain alive;
    };

    elimination_plan whole_plan_;
    std::optional<elimination> whole_;
    std::optional<large_rest> resort_;
    /// The least bound of what there was neither time nor room to settle.
    fixed_cost unsettled_ = infinite_cost;
    std::vector<std::uint32_t> ascent_order_;
    std::optional<dual_ascent> dual_;
    /// Made when the first cover with a cycle comes up.
    std::optional<cycle_separator> separator_;
    std::vector<cycle_cut> cuts_;
    /// The network without cuts, and those with the cuts so far and with those before.
    const cover_network* base_ = nullptr;
    std::array<std::optional<cover_network>, 2> with_cuts_;
    /// For each candidate by how much it raises the bound of dual ascent.
    std::vector<fixed_cost> raise_;
    std::set<branch> open_;
    std::uint64_t born_ = 0;
    std::optional<node_id> dead_end_;
    std::vector<fixed_cost> marginal_bounds_;
    /// Of the tables of all pairs.
    double entries_a_pass_ = 0;
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/exact/exact.ipp>
#endif

#endif
