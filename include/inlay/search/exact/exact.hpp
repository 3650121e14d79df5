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
    [[nodiscard]] bounded_cover solve(domain root, bounded_cover known, std::uint64_t most_branches = ~std::uint64_t{0}) {
        begin(root, std::move(known));
        open_.clear();
        open_.insert({0, 0, std::move(root), {}});
        born_ = 1;
        resort_.reset();
        unsettled_ = infinite_cost;
        const double limit_before = limit_;
        const search_effort effort_before = *effort_;
        std::uint64_t looked_at = 0;
        while (!open_.empty()) {
            if (open_.begin()->bound >= best_.cost) break;
            if (looked_at > 0 && (looked_at >= most_branches || end_->passed())) break;
            ++looked_at;
            ++effort_->branches;
            if (resort_ && work_since(effort_before) > resort_->work) {
                take_resort();
                continue;
            }
            branch next = std::move(open_.extract(open_.begin()).value());
            next.alive = with_new_variables(std::move(next.alive));
            explore(std::move(next));
        }
        best_.bound = std::min({best_.cost, unsettled_, open_.empty() ? infinite_cost : open_.begin()->bound});
        open_.clear();
        limit_ = limit_before;
        return best_;
    }

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
    [[nodiscard]] std::vector<fixed_cost> of_candidates(const rows<fixed_cost>& price, const rows<std::uint32_t>* left) const {
        std::vector<fixed_cost> made(index_->candidates(), infinite_cost);
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            for (std::size_t x = 0; x < price[v].size(); ++x) {
                const candidate_index c = covers_->meaning[v][left == nullptr ? x : (*left)[v][x]];
                if (index_->members(c)[0] == v) made[c] = std::min(made[c], price[v][x]);
            }
        }
        return made;
    }

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

    void explore(branch at) {
        if (is_whole(at)) {
            if (whole_plan_.too_wide)
                ascend(at);
            else
                settle(at, nullptr, eliminated_whole());
            return;
        }
        const restricted_model narrower = restricted(covers_->m, at.alive);
        if (const auto empty = empty_variable(narrower.m)) {
            note_dead_end(*empty);
            return;
        }
        // What a cover is known for, a bound may settle for less than an elimination costs.
        constexpr double cheap_within = 1e5, variables_within = 1000;
        const double cheap = cheap_within * std::max(1.0, static_cast<double>(covers_->m.variables()) / variables_within);
        const elimination_plan plan =
            plan_elimination(narrower.m, affordable(best_.cost < infinite_cost ? std::min(cheap, limit_) : limit_));
        if (plan.too_wide)
            ascend(at);
        else
            finish(at, narrower.m, &narrower.values, plan);
    }

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
    void settle(const branch& at, const rows<std::uint32_t>* values, const elimination& solved) {
        if (solved.cost() >= infinite_cost) {
            if (const auto variable = solved.dead_end()) note_dead_end(*variable);
            return;
        }
        const fixed_cost bound = std::max(at.bound, solved.cost());
        if (bound >= best_.cost) return;
        std::vector<candidate_index> chosen = domains_.cover_of(values, solved.assignment());
        std::vector<candidate_index> cycle = forbidden_cycle(owners(*index_, chosen));
        if (cycle.empty()) {
            offer(std::move(chosen), solved.cost());
            return;
        }
        ++effort_->cuts;
        split_cycle(at.alive, cycle, bound);
        break_cycles({solved.cost(), std::move(chosen), std::move(cycle)});
    }

    /// Of the candidates on a cycle not all can be chosen: the first is not; or it is, and the second is not; and so on. Only
    /// those that may close one need to be asked about.
    void split_cycle(const domain& alive, const std::vector<candidate_index>& cycle, fixed_cost bound) {
        domain rest = alive;
        for (const candidate_index c : cycle) {
            if (!may_close_cycle(c)) continue;
            domain without = rest;
            domains_.forbid(without, c);
            push(std::move(without), bound, prices_now());
            domains_.require(rest, c);
        }
    }

    /// Bounds a sub-problem that is too wide by dual ascent, and splits it if that does not settle it.
    void ascend(branch& at) {
        const bool at_root = at.born == 0;
        if (!dual_) {
            for (const pair_table& p : covers_->m.pairs) entries_a_pass_ += static_cast<double>(p.cost.size());
            dual_.emplace(covers_->m, ascent_order_);
            rounding_.emplace(*index_, *covers_, ascent_order_);
        }
        if (!at.prices.empty()) dual_->take(at.prices);
        dual_->reset(at.alive);
        closest_ = {};
        with_cycles_.clear();
        draws_ = 0;
        drawn_.assign(index_->candidates(), 0);
        int most = at_root ? most_passes : most_passes_of_a_branch;
        int again = at_root ? 8 : at.born % 8 == 0 ? 1 : 0;
        fixed_cost last = 0;
        std::size_t dropped_before = 0;
        std::size_t dropped = 0;
        for (int round = 0; round < most; ++round) {
            dual_ascent& dual = *dual_;
            dual.pass(round % 2 == 0);
            ++effort_->passes;
            const fixed_cost bound = dual.bound();
            if (bound >= best_.cost) return;
            const bool last_round = round + 1 == most || end_->passed();
            if (round % passes_between_covers == 1 || last_round) {
                rounding(dual, round % 2 != 0);
                if (bound >= best_.cost) return;
                if (round > passes_between_covers || last_round) guess(dual, work_share * static_cast<double>(round + 1) * entries_a_pass_);
                if (bound >= best_.cost) return;
            }
            if (best_.cost < infinite_cost) dropped += fix(dual);
            if (round < most_passes_with_cuts && !end_->passed() && cut_cycles()) {
                most = std::max(most, round + 48);
                last = 0;
                continue;
            }
            // Much has been dropped: perhaps the rest is narrow enough.
            if (dropped * 8 > dropped_before * 8 + covers_->m.unary.items.size() && round % 4 == 3) {
                dropped_before = dropped;
                const double so_far = work_share * static_cast<double>(round + 1) * entries_a_pass_;
                if (finish_rest({std::max(at.bound, bound), at.born, domains_.consistent(dual.alive_values()), {}},
                                std::min(limit_, so_far)))
                    return;
            }
            bool stalled = last_round;
            if (round % 8 == 7) {
                const fixed_cost open = best_.cost < infinite_cost ? best_.cost - bound : bound;
                stalled = stalled || bound - last < std::max<fixed_cost>(1, open / (at_root ? stall_share * 10 : stall_share));
                last = bound;
            }
            if (!stalled) continue;
            if (again == 0 || end_->passed()) break;
            --again;
            dive(dual, effort_->passes);
            improve();
            if (!cut_cycles()) break;
            most = std::max(most, round + 48);
            last = 0;
        }
        dual_ascent& dual = *dual_;
        at.bound = std::max(at.bound, dual.bound());
        if (at.bound >= best_.cost) return;
        if (at_root && is_whole(at)) keep_marginal_bounds(dual);
        if (!closest_.cycle.empty()) break_cycles(closest_);
        improve();
        if (best_.cost < infinite_cost) fix(dual);
        const branch rest{at.bound, at.born, domains_.consistent(dual.alive_values()), {}};
        if (at_root ? finish_rest(rest, limit_ * patience, limit_ * last_resort) : finish_rest(rest, limit_)) return;
        if (closest_.cost < best_.cost) {
            ++effort_->cuts;
            split_cycle(rest.alive, closest_.cycle, rest.bound);
        } else if (!split_candidate(rest)) {
            split_node(rest, dual);
        }
    }

    /// Splits a sub-problem at the candidate that raises the bounds of both halves the most, of those that covers drawn from the prices
    /// disagree about (strong branching); false where they agree.
    [[nodiscard]] bool split_candidate(const branch& at) {
        constexpr std::size_t most_tried = 12;
        constexpr int passes_a_try = 4;
        std::vector<std::pair<std::uint32_t, candidate_index>> unsure;
        for (std::size_t c = 0; c < drawn_.size(); ++c) {
            const std::uint32_t times = drawn_[c];
            if (times == 0 || times == draws_ || !domains_.has(at.alive, static_cast<candidate_index>(c))) continue;
            unsure.emplace_back(std::max(times, draws_ - times) - std::min(times, draws_ - times), static_cast<candidate_index>(c));
        }
        std::sort(unsure.begin(), unsure.end());
        if (unsure.size() > most_tried) unsure.resize(most_tried);
        branch without{0, 0, {}, {}}, with{0, 0, {}, {}};
        const std::vector<fixed_cost> before = dual_->prices();
        double best = -1;
        for (const auto& [far, c] : unsure) {
            if (best >= 0 && end_->passed()) break;
            branch less{at.bound, 0, at.alive, {}}, more{at.bound, 0, at.alive, {}};
            domains_.forbid(less.alive, c);
            domains_.require(more.alive, c);
            for (branch* half : {&less, &more}) {
                dual_ascent& tried = *dual_;
                tried.take(before);
                tried.reset(half->alive);
                for (int pass = 0; pass < passes_a_try; ++pass) tried.pass(pass % 2 == 0);
                effort_->passes += passes_a_try;
                half->bound = std::min(best_.cost, std::max(at.bound, tried.bound()));
            }
            const auto gain = [&](const branch& half) { return unit_.back(half.bound - at.bound) + 1e-9; };
            const double score = gain(less) * gain(more);
            if (score <= best) continue;
            best = score;
            without = std::move(less);
            with = std::move(more);
        }
        dual_->take(before);
        if (best < 0) return false;
        push(std::move(without.alive), without.bound, prices_now());
        push(std::move(with.alive), with.bound, prices_now());
        return true;
    }

    /// Drops what no cover below the best known one has: single values, and candidates by what they raise the bound at all their nodes
    /// together. Returns how many values that are.
    std::size_t fix(dual_ascent& dual) {
        std::size_t dropped = dual.fix(best_.cost);
        raise_.assign(index_->candidates(), 0);
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size();) {
                const candidate_index c = meaning[k];
                fixed_cost least = infinite_cost;
                for (; k < meaning.size() && meaning[k] == c; ++k) least = std::min(least, dual.slack(v, k));
                raise_[c] = add(raise_[c], least);
            }
        }
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size(); ++k) {
                if (!dual.alive(v, k) || add(dual.bound(), raise_[meaning[k]]) < best_.cost) continue;
                dual.remove(v, k);
                ++dropped;
            }
        }
        return dropped;
    }

    /// Makes cuts of the covers with cycles that came up, and goes on with the network that has them; false where there are none.
    bool cut_cycles() {
        if (with_cycles_.empty()) return false;
        if (!separator_) separator_.emplace(*index_);
        // Cliques grow by what the bound would choose first.
        std::vector<std::pair<fixed_cost, candidate_index>> by_slack;
        std::vector<candidate_index> others;
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size();) {
                const candidate_index c = meaning[k];
                fixed_cost least = infinite_cost;
                for (; k < meaning.size() && meaning[k] == c; ++k) least = std::min(least, dual_->slack(v, k));
                if (least < infinite_cost && index_->members(c).size() > 1 && index_->members(c)[0] == v) by_slack.emplace_back(least, c);
            }
        }
        std::sort(by_slack.begin(), by_slack.end());
        for (const auto& [slack, c] : by_slack) others.push_back(c);
        const std::size_t before = cuts_.size();
        for (const auto& chosen : with_cycles_)
            for (cycle_cut& cut : separator_->broken_by(chosen, others)) cuts_.push_back(std::move(cut));
        with_cycles_.clear();
        if (cuts_.size() == before) return false;
        if (!base_) base_ = covers_;
        effort_->cuts += cuts_.size() - before;
        // The ascent refers to the network that it moves prices in, so that the next one is made beside it.
        std::optional<cover_network>& slot = with_cuts_[covers_ == (with_cuts_[0] ? &*with_cuts_[0] : nullptr) ? 1 : 0];
        const cover_network& larger = slot.emplace(with_cuts(*base_, cuts_));
        domain alive(dual_->alive_values().begin(), dual_->alive_values().end());
        alive.resize(larger.m.unary.items.size(), 1);
        root_.resize(alive.size(), 1);
        ascent_order_ = order_along_nodes(larger);
        dual_ascent next(larger.m, ascent_order_);
        next.take(next.taken_over(*dual_, dual_->prices()));
        take_prices_over(next);
        next.reset(alive);
        dual_.emplace(std::move(next));
        covers_ = &larger;
        domains_ = cover_domains(*index_, *covers_);
        rounding_.emplace(*index_, *covers_, ascent_order_);
        closest_ = {};
        look_again();
        return true;
    }

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
    [[nodiscard]] bool finish_rest(const branch& rest, double limit, double resort = 0) {
        const restricted_model core = restricted(covers_->m, rest.alive);
        if (empty_variable(core.m)) return true;
        const elimination_plan plan = plan_elimination(core.m, affordable(std::max(limit, resort)));
        if (plan.too_wide) return false;
        if (resort > limit && plan.work > affordable(limit).work) {
            resort_ = {rest.bound, plan.work, rest.alive};
            return false;
        }
        finish(rest, core.m, &core.values, plan);
        return true;
    }

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
    void split_node(const branch& at, const dual_ascent& dual) {
        const domain& alive = at.alive;
        std::vector<std::size_t> degree(covers_->m.variables(), 0);
        for (const pair_table& p : covers_->m.pairs) {
            ++degree[p.a];
            ++degree[p.b];
        }
        std::size_t chosen_node = covers_->nodes;
        std::size_t most = 0;
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            std::size_t open = 0;
            candidate_index before = no_candidate;
            for (std::size_t k = 0; k < covers_->meaning[v].size(); ++k) {
                if (alive[covers_->m.unary.begin[v] + k] == 0 || covers_->meaning[v][k] == before) continue;
                before = covers_->meaning[v][k];
                ++open;
            }
            if (open < 2) continue;
            const std::size_t weight = open * (degree[v] + 1);
            if (weight > most) {
                most = weight;
                chosen_node = v;
            }
        }
        if (chosen_node == covers_->nodes) {
            // Every candidate is decided: formats that are made ready are all that is left.
            if (!finish_rest(at, 1e18)) unsettled_ = std::min(unsettled_, at.bound);
            return;
        }
        candidate_index best = no_candidate;
        fixed_cost least = infinite_cost + 1;
        for (std::size_t k = 0; k < covers_->meaning[chosen_node].size(); ++k) {
            const candidate_index c = covers_->meaning[chosen_node][k];
            if (alive[covers_->m.unary.begin[chosen_node] + k] == 0) continue;
            const fixed_cost slack = dual.slack(chosen_node, k);
            if (slack < least) {
                least = slack;
                best = c;
            }
        }
        domain without = alive;
        domains_.forbid(without, best);
        push(std::move(without), at.bound, prices_now());
        domain with = alive;
        domains_.require(with, best);
        push(std::move(with), at.bound, prices_now());
    }

    void keep_marginal_bounds(const dual_ascent& dual) {
        marginal_bounds_.assign(index_->candidates(), 0);
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size();) {
                const candidate_index c = meaning[k];
                fixed_cost least = infinite_cost;
                for (; k < meaning.size() && meaning[k] == c; ++k) {
                    // A dropped value is in no cover below the best known one: that is the bound it leaves.
                    least = std::min(least, dual.alive(v, k) ? add(dual.bound(), dual.slack(v, k)) : best_.cost);
                }
                marginal_bounds_[c] = std::max(marginal_bounds_[c], least);
            }
        }
    }

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

#endif
