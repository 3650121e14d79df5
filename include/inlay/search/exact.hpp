// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_HPP
#define INLAY_SEARCH_EXACT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/acyclicity.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/cover_model.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/domain.hpp>
#include <inlay/search/draw.hpp>
#include <inlay/search/dual_ascent.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/elimination.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// What a branch-and-bound run over one domain found, in whole units.
struct bounded_cover {
    /// `never` if nothing was found.
    scaled cost = never;
    /// `never` if it is proved that there is nothing.
    scaled bound = 0;
    std::vector<candidate_index> chosen;

    [[nodiscard]] bool proved() const { return bound >= cost; }
};

/// The exact search in whole units: best-first branch and bound whose leaves are eliminations.
///
/// A sub-problem is the model with some values taken away. If its elimination is predicted to be affordable, it is solved outright;
/// if its best cover has a cycle between parts, it is split by which porous part of the cycle is missing. If it is too wide, dual
/// ascent gives a bound and covers and drops values until the rest is affordable, closed, or has to be split: at the cycle of the
/// cheapest cover that it drew, or else at a node. Covers with cycles are straightened, so that the bound soon meets a cover near it.
/// Ties: an elimination decides nodes in the reverse of its order, each takes its first candidate among the best; between
/// sub-problems the one with the lower bound, then the later one, is taken first and only a cheaper cover replaces another.
class exact_search {
public:
    exact_search(const problem_index& index, const cover_model& covers, const scaling& unit, const elimination_limit& tables, const deadline& end,
                 search_effort& effort)
        : index_(&index), covers_(&covers), domains_(index, covers), unit_(unit), end_(&end), effort_(&effort) {
        // Long chains of small tables are not wide.
        constexpr double variables_within = 4000;
        limit_ = tables.work * std::max(1.0, static_cast<double>(covers.m.variables()) / variables_within);
        kept_ = tables.kept;
        whole_plan_ = plan_elimination(covers.m, affordable(limit_));
        effort.predicted_entries = whole_plan_.entries;
        order_ = order_along_nodes(covers);
    }

    /// Whether the whole problem is narrow enough to be eliminated, so that covers known beforehand are of no use.
    [[nodiscard]] bool solves_at_once() const { return !whole_plan_.too_wide; }

    [[nodiscard]] const cover_domains& domains() const { return domains_; }

    /// The price of a cover in whole units; `never` if it is none, or has a cycle where none may be.
    [[nodiscard]] scaled price_of(std::span<const candidate_index> chosen) const {
        if (!covers_once(*index_, chosen)) return never;
        const std::vector<candidate_index> owner = owners(*index_, chosen);
        if (!forbidden_cycle(owner).empty()) return never;
        return price_of(chosen, owner);
    }

    /// The cheapest cover in a domain, or what was found when the time was up or `most_branches` sub-problems had been looked at.
    /// `known` is a cover to beat, of cost `never` if there is none.
    [[nodiscard]] bounded_cover solve(domain root, bounded_cover known, std::uint64_t most_branches = ~std::uint64_t{0}) {
        best_ = std::move(known);
        best_.bound = 0;
        root_ = root;
        improved_ = never;
        straightened_ = 0;
        open_.clear();
        open_.insert({0, 0, std::move(root)});
        born_ = 1;
        std::uint64_t looked_at = 0;
        while (!open_.empty()) {
            if (open_.begin()->bound >= best_.cost) break;
            if (looked_at > 0 && (looked_at >= most_branches || end_->passed())) break;
            ++looked_at;
            ++effort_->branches;
            branch next = std::move(open_.extract(open_.begin()).value());
            explore(std::move(next));
        }
        best_.bound = open_.empty() ? best_.cost : std::min(best_.cost, open_.begin()->bound);
        open_.clear();
        return best_;
    }

    /// After `solve` found nothing: a node at which the search saw that nothing fits, if one can be named.
    [[nodiscard]] std::optional<node_id> dead_end() const { return dead_end_; }

    /// The least cost of a cover with each candidate where cycles are not looked at, by one elimination of the whole; empty if
    /// that is too wide. `never` where there is none, or the candidate was not admitted.
    [[nodiscard]] std::vector<scaled> marginals() {
        if (whole_plan_.too_wide) return {};
        return of_candidates(eliminated_whole().marginals(), nullptr);
    }

    /// The same among the covers of a domain.
    [[nodiscard]] std::vector<scaled> marginals(const domain& alive) const {
        const restricted_model part = restricted(covers_->m, alive);
        if (empty_variable(part.m)) return {};
        const elimination_plan plan = plan_elimination(part.m, affordable(limit_));
        if (plan.too_wide) return {};
        count(plan);
        return of_candidates(elimination(part.m, plan).marginals(), &part.values);
    }

    /// For each candidate a lower bound of the cost of a cover with it, where elimination is too wide; from dual ascent.
    [[nodiscard]] std::vector<scaled> marginal_bounds() const { return marginal_bounds_; }

private:
    /// The least price of each candidate's values at its first node; `left` says which values there are, null for all.
    [[nodiscard]] std::vector<scaled> of_candidates(const rows<scaled>& price, const rows<std::uint32_t>* left) const {
        std::vector<scaled> made(index_->candidates(), never);
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            for (std::size_t x = 0; x < price[v].size(); ++x) {
                const candidate_index c = covers_->meaning[v][left == nullptr ? x : (*left)[v][x]];
                if (index_->members(c)[0] == v) made[c] = std::min(made[c], price[v][x]);
            }
        }
        return made;
    }

    [[nodiscard]] scaled price_of(std::span<const candidate_index> chosen, const std::vector<candidate_index>& owner) const {
        scaled total = 0;
        detail::each_price(*index_, chosen, owner, [&](double part) { total = add(total, unit_.of(part)); });
        return total;
    }

    /// A cycle between the parts of a cover where none may be; empty where there is none.
    [[nodiscard]] std::vector<candidate_index> forbidden_cycle(const std::vector<candidate_index>& owner) const {
        return index_->of().acyclic ? find_cycle(*index_, owner) : std::vector<candidate_index>();
    }

    /// A cover whose parts close a cycle, and its price if that were allowed.
    struct cyclic_cover {
        scaled cost = never;
        std::vector<candidate_index> chosen;
        std::vector<candidate_index> cycle;
    };

    struct branch {
        scaled bound;
        std::uint64_t born;
        mutable domain alive;

        bool operator<(const branch& other) const { return bound != other.bound ? bound < other.bound : born > other.born; }
    };

    /// Passes of dual ascent on one sub-problem, how often covers are drawn from it, and how little a pass may raise the bound.
    static constexpr int most_passes = 300;
    static constexpr int most_passes_of_a_branch = 48;
    static constexpr int passes_between_covers = 8;
    static constexpr int stall_share = 100;
    /// While the ascent goes on, an elimination may fill so many times the entries that its passes have gone through.
    static constexpr double work_share = 4;
    /// An elimination that dual ascent could not avoid may be this many times as large.
    static constexpr double patience = 5;

    void count(const elimination_plan& plan) const {
        effort_->table_entries += static_cast<std::uint64_t>(plan.entries);
        effort_->width = std::max(effort_->width, plan.width);
    }

    void offer(std::vector<candidate_index> chosen, scaled cost) {
        if (cost >= best_.cost) return;
        std::sort(chosen.begin(), chosen.end());
        best_.cost = cost;
        best_.chosen = std::move(chosen);
    }

    void push(domain alive, scaled bound) {
        if (bound < best_.cost) open_.insert({bound, born_++, std::move(alive)});
    }

    [[nodiscard]] static std::optional<std::uint32_t> empty_variable(const model& m) {
        for (std::size_t i = 0; i < m.variables(); ++i) {
            if (m.unary[i].empty()) return static_cast<std::uint32_t>(i);
        }
        return std::nullopt;
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
        constexpr double cheap = 1e5;
        const elimination_plan plan = plan_elimination(narrower.m, affordable(best_.cost < never ? std::min(cheap, limit_) : limit_));
        if (plan.too_wide)
            ascend(at);
        else
            finish(at, narrower.m, &narrower.values, plan);
    }

    /// Solves a sub-problem by elimination. `values` says which are left, null for all.
    void finish(const branch& at, const model& sub, const rows<std::uint32_t>* values, const elimination_plan& plan) {
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
        if (solved.cost() >= never) {
            if (const auto variable = solved.dead_end()) note_dead_end(*variable);
            return;
        }
        const scaled bound = std::max(at.bound, solved.cost());
        if (bound >= best_.cost) return;
        std::vector<candidate_index> chosen = domains_.cover_of(values, solved.assignment());
        std::vector<candidate_index> cycle = forbidden_cycle(owners(*index_, chosen));
        if (cycle.empty()) {
            offer(std::move(chosen), solved.cost());
            return;
        }
        ++effort_->cuts;
        split_cycle(at.alive, cycle, bound);
        straighten({solved.cost(), std::move(chosen), std::move(cycle)});
    }

    /// Of the candidates on a cycle not all can be chosen: the first is not; or it is, and the second is not; and so on. Only
    /// porous ones need to be asked about.
    void split_cycle(const domain& alive, const std::vector<candidate_index>& cycle, scaled bound) {
        domain rest = alive;
        for (const candidate_index c : cycle) {
            if (!is_porous(c)) continue;
            domain without = rest;
            domains_.forbid(without, c);
            push(std::move(without), bound);
            domains_.require(rest, c);
        }
    }

    [[nodiscard]] bool is_porous(candidate_index c) {
        // A part of one node never is.
        if (index_->members(c).size() < 2) return false;
        if (!shape_) shape_.emplace(*index_);
        return (*shape_)(c) != candidate_shape::flow_through;
    }

    /// The limit of tables, less where a budget would not allow for filling them.
    [[nodiscard]] elimination_limit affordable(double limit) const {
        constexpr double entries_a_ms = 1e5;
        constexpr double always = 5e4;
        const std::optional<double> left = end_->left_ms();
        return {left ? std::min(limit, std::max(always, *left * entries_a_ms)) : limit, kept_};
    }

    /// Bounds a sub-problem that is too wide by dual ascent, and splits it if that does not settle it.
    void ascend(branch& at) {
        const bool at_root = at.born == 0;
        if (!dual_) {
            for (const pair_table& p : covers_->m.pairs) entries_a_pass_ += static_cast<double>(p.cost.size());
            dual_.emplace(covers_->m, order_);
            draw_.emplace(*index_, *covers_, order_);
        }
        dual_ascent& dual = *dual_;
        dual.reset(at.alive);
        closest_ = {};
        const int most = at_root ? most_passes : most_passes_of_a_branch;
        scaled last = 0;
        std::size_t dropped_before = 0;
        std::size_t dropped = 0;
        for (int round = 0; round < most; ++round) {
            dual.pass(round % 2 == 0);
            ++effort_->passes;
            const scaled bound = dual.bound();
            if (bound >= best_.cost) return;
            const bool last_round = round + 1 == most || end_->passed();
            if (round % passes_between_covers == 1 || last_round) {
                draw(dual, round % 2 != 0);
                if (bound >= best_.cost) return;
                if (round > passes_between_covers || last_round) guess(dual, work_share * static_cast<double>(round + 1) * entries_a_pass_);
                if (bound >= best_.cost) return;
            }
            if (best_.cost < never) dropped += dual.fix(best_.cost);
            // Much has been dropped: perhaps the rest is narrow enough.
            if (dropped * 8 > dropped_before * 8 + covers_->m.unary.items.size() && round % 4 == 3) {
                dropped_before = dropped;
                const double so_far = work_share * static_cast<double>(round + 1) * entries_a_pass_;
                if (finish_rest({std::max(at.bound, bound), at.born, domains_.consistent(dual.alive_values())}, std::min(limit_, so_far))) return;
            }
            if (last_round) break;
            if (round % 8 == 7) {
                const scaled open = best_.cost < never ? best_.cost - bound : bound;
                if (bound - last < std::max<scaled>(1, open / stall_share)) break;
                last = bound;
            }
        }
        at.bound = std::max(at.bound, dual.bound());
        if (at.bound >= best_.cost) return;
        if (at_root && is_whole(at)) keep_marginal_bounds(dual);
        if (!closest_.cycle.empty()) straighten(closest_);
        improve();
        if (best_.cost < never) dual.fix(best_.cost);
        const branch rest{at.bound, at.born, domains_.consistent(dual.alive_values())};
        if (finish_rest(rest, at_root ? limit_ * patience : limit_)) return;
        if (closest_.cost < best_.cost) {
            ++effort_->cuts;
            split_cycle(rest.alive, closest_.cycle, rest.bound);
        } else {
            split_node(rest, dual);
        }
    }

    [[nodiscard]] static bool is_whole(const branch& at) {
        return std::find(at.alive.begin(), at.alive.end(), std::uint8_t{0}) == at.alive.end();
    }

    /// Solves what dual ascent has left of a sub-problem, if that is affordable now.
    [[nodiscard]] bool finish_rest(const branch& rest, double limit) {
        const restricted_model core = restricted(covers_->m, rest.alive);
        if (empty_variable(core.m)) return true;
        const elimination_plan plan = plan_elimination(core.m, affordable(limit));
        if (plan.too_wide) return false;
        finish(rest, core.m, &core.values, plan);
        return true;
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
            (void)finish_rest(at, 1e18);
            return;
        }
        candidate_index best = no_candidate;
        scaled least = never + 1;
        for (std::size_t k = 0; k < covers_->meaning[chosen_node].size(); ++k) {
            const candidate_index c = covers_->meaning[chosen_node][k];
            if (alive[covers_->m.unary.begin[chosen_node] + k] == 0) continue;
            const scaled slack = dual.slack(chosen_node, k);
            if (slack < least) {
                least = slack;
                best = c;
            }
        }
        domain without = alive;
        domains_.forbid(without, best);
        push(std::move(without), at.bound);
        domain with = alive;
        domains_.require(with, best);
        push(std::move(with), at.bound);
    }

    /// Offers the best cover of the values with the least slack, as many as are cheap to eliminate: the further the ascent, the fewer
    /// others can be in the optimum.
    void guess(const dual_ascent& dual, double limit) {
        constexpr std::size_t values_a_node = 4;
        std::vector<scaled> slack;
        for (std::size_t v = 0; v < covers_->nodes; ++v)
            for (std::size_t x = 0; x < covers_->meaning[v].size(); ++x) slack.push_back(dual.slack(v, x));
        std::vector<scaled> least = slack;
        const std::size_t keep = std::min(least.size(), covers_->nodes * values_a_node) - 1;
        std::nth_element(least.begin(), least.begin() + static_cast<std::ptrdiff_t>(keep), least.end());
        const scaled most = std::min(least[keep], never - 1);
        domain some(dual.alive_values().begin(), dual.alive_values().end());
        // The nodes' values stand before those of hubs.
        for (std::size_t i = 0; i < slack.size(); ++i) some[i] = static_cast<std::uint8_t>(some[i] & (slack[i] <= most ? 1 : 0));
        cyclic_cover found = eliminated(domains_.consistent(some), affordable(std::min(limit_, limit)));
        if (found.cost >= best_.cost || found.cost >= closest_.cost) return;
        found.cycle = forbidden_cycle(owners(*index_, found.chosen));
        if (found.cycle.empty()) return offer(std::move(found.chosen), found.cost);
        closest_ = std::move(found);
    }

    /// Offers a cover that is drawn from the prices of dual ascent; one with a cycle is kept as the closest, and mended.
    void draw(const dual_ascent& dual, bool forward) {
        std::vector<candidate_index> chosen = (*draw_)(dual, forward);
        if (!covers_once(*index_, chosen)) return repair(chosen, dual);
        const std::vector<candidate_index> owner = owners(*index_, chosen);
        const scaled cost = price_of(chosen, owner);
        std::vector<candidate_index> cycle = forbidden_cycle(owner);
        if (cost < never && cycle.empty()) return offer(std::move(chosen), cost);
        if (cost < closest_.cost) closest_ = {cost, chosen, std::move(cycle)};
        repair(chosen, dual);
    }

    /// Makes a cover without cycles of one that has some: for one cycle after the other the porous part is forbidden whose absence costs the
    /// least when all around it is chosen anew and the rest stands.
    void straighten(cyclic_cover at) {
        constexpr int most_covers = 16;
        constexpr int most_cycles = 64;
        constexpr std::size_t around = 32;
        if (straightened_ == most_covers) return;
        ++straightened_;
        std::vector<candidate_index> without;
        for (int round = 0; round < most_cycles && at.cost < best_.cost; ++round) {
            cyclic_cover next;
            candidate_index missing = no_candidate;
            for (const candidate_index c : at.cycle) {
                if (!is_porous(c) || end_->passed()) continue;
                const auto members = index_->members(c);
                without.push_back(c);
                cyclic_cover found = in_window(at.chosen, members.front() < around ? 0 : members.front() - around, members.back() + around, without);
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

    /// Makes a cover of candidates that are none, or have a cycle between parts: the eager rule takes what fits of them, and fills
    /// the holes with what raises the bound the least.
    void repair(std::vector<candidate_index>& drawn, const dual_ascent& dual) {
        std::vector<std::pair<scaled, candidate_index>> rest;
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size(); ++k) {
                const bool same = k > 0 && meaning[k] == meaning[k - 1];
                if (!same && index_->members(meaning[k])[0] == v) rest.emplace_back(0, meaning[k]);
            }
        }
        for (auto& [raise, c] : rest) {
            for (const node_id v : index_->members(c)) {
                scaled least = never;
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
        const scaled cost = price_of(taken);
        offer(std::move(taken), cost);
    }

    /// Improves the best cover by solving windows of it exactly while the rest stands, as long as that helps.
    void improve() {
        constexpr std::size_t smallest = 24;
        constexpr std::size_t largest = 192;
        constexpr int most_rounds = 3;
        for (int round = 0; round < most_rounds && best_.cost < improved_; ++round) {
            improved_ = best_.cost;
            for (std::size_t size = smallest; size <= largest; size *= 2) {
                for (std::size_t first = 0; first < covers_->nodes; first += size / 2) {
                    if (end_->passed()) return;
                    improve_window(first, first + size);
                }
            }
        }
        improved_ = best_.cost;
    }

    void improve_window(std::size_t first, std::size_t last) {
        cyclic_cover found = in_window(best_.chosen, first, last, {});
        if (found.cost >= best_.cost) return;
        const scaled cost = price_of(found.chosen);
        offer(std::move(found.chosen), cost);
    }

    /// The cheapest cover, cycles not looked at, that differs from a given one only within nodes `first` to `last - 1`, and has none of some
    /// candidates; without a cost if that is too wide.
    [[nodiscard]] cyclic_cover in_window(const std::vector<candidate_index>& cover, std::size_t first, std::size_t last,
                                         const std::vector<candidate_index>& without) const {
        domain alive = domains_.window(cover, first, last);
        if (alive.empty()) return {};
        for (const candidate_index c : without) domains_.forbid(alive, c);
        for (std::size_t i = 0; i < alive.size(); ++i) alive[i] = static_cast<std::uint8_t>(alive[i] & root_[i]);
        constexpr double window_limit = 3e5;
        return eliminated(alive, {window_limit, kept_});
    }

    /// The cheapest cover in a domain, cycles not looked at; without a cost if there is none, or that takes more than `limit` table entries.
    [[nodiscard]] cyclic_cover eliminated(const domain& alive, const elimination_limit& limit) const {
        const restricted_model part = restricted(covers_->m, alive);
        if (empty_variable(part.m)) return {};
        const elimination_plan plan = plan_elimination(part.m, limit);
        if (plan.too_wide) return {};
        count(plan);
        const elimination solved(part.m, plan);
        if (solved.cost() >= never) return {};
        return {solved.cost(), domains_.cover_of(&part.values, solved.assignment()), {}};
    }

    void keep_marginal_bounds(const dual_ascent& dual) {
        marginal_bounds_.assign(index_->candidates(), 0);
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            for (std::size_t k = 0; k < meaning.size();) {
                const candidate_index c = meaning[k];
                scaled least = never;
                for (; k < meaning.size() && meaning[k] == c; ++k) {
                    // A dropped value is in no cover below the best known one: that is the bound it leaves.
                    least = std::min(least, dual.alive(v, k) ? add(dual.bound(), dual.slack(v, k)) : best_.cost);
                }
                marginal_bounds_[c] = std::max(marginal_bounds_[c], least);
            }
        }
    }

    const problem_index* index_;
    const cover_model* covers_;
    cover_domains domains_;
    scaling unit_;
    const deadline* end_;
    search_effort* effort_;
    double limit_ = 0;
    double kept_ = 0;
    elimination_plan whole_plan_;
    std::optional<elimination> whole_;
    std::vector<std::uint32_t> order_;
    bounded_cover best_;
    domain root_;
    /// The cost that windows could not improve.
    scaled improved_ = never;
    /// The cheapest cover with a cycle that dual ascent on one sub-problem has drawn, and how many such covers were straightened.
    cyclic_cover closest_;
    int straightened_ = 0;
    std::optional<dual_ascent> dual_;
    std::set<branch> open_;
    std::uint64_t born_ = 0;
    std::optional<node_id> dead_end_;
    std::optional<detail::shape_of_candidate> shape_;
    std::optional<cover_drawer> draw_;
    std::vector<scaled> marginal_bounds_;
    /// Of the tables of all pairs.
    double entries_a_pass_ = 0;
};

}  // namespace inlay

#endif
