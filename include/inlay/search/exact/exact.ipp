// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_EXACT_IPP
#define INLAY_SEARCH_EXACT_EXACT_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <inlay/search/exact/exact.hpp>

namespace inlay {

bounded_cover exact_search::solve(domain root, bounded_cover known, std::uint64_t most_branches) {
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

std::vector<fixed_cost> exact_search::of_candidates(const rows<fixed_cost>& price, const rows<std::uint32_t>* left) const {
    std::vector<fixed_cost> made(index_->candidates(), infinite_cost);
    for (std::size_t v = 0; v < covers_->nodes; ++v) {
        for (std::size_t x = 0; x < price[v].size(); ++x) {
            const candidate_index c = covers_->meaning[v][left == nullptr ? x : (*left)[v][x]];
            if (index_->members(c)[0] == v) made[c] = std::min(made[c], price[v][x]);
        }
    }
    return made;
}

void exact_search::explore(branch at) {
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
    const elimination_plan plan = plan_elimination(narrower.m, affordable(best_.cost < infinite_cost ? std::min(cheap, limit_) : limit_));
    if (plan.too_wide)
        ascend(at);
    else
        finish(at, narrower.m, &narrower.values, plan);
}

void exact_search::settle(const branch& at, const rows<std::uint32_t>* values, const elimination& solved) {
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

void exact_search::split_cycle(const domain& alive, const std::vector<candidate_index>& cycle, fixed_cost bound) {
    domain rest = alive;
    for (const candidate_index c : cycle) {
        if (!may_close_cycle(c)) continue;
        domain without = rest;
        domains_.forbid(without, c);
        push(std::move(without), bound, prices_now());
        domains_.require(rest, c);
    }
}

void exact_search::ascend(branch& at) {
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
            if (finish_rest({std::max(at.bound, bound), at.born, domains_.consistent(dual.alive_values()), {}}, std::min(limit_, so_far)))
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

bool exact_search::split_candidate(const branch& at) {
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

std::size_t exact_search::fix(dual_ascent& dual) {
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

bool exact_search::cut_cycles() {
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

bool exact_search::finish_rest(const branch& rest, double limit, double resort) {
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

void exact_search::split_node(const branch& at, const dual_ascent& dual) {
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

void exact_search::keep_marginal_bounds(const dual_ascent& dual) {
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

}  // namespace inlay

#endif
