// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_ELIMINATION_HPP
#define INLAY_SEARCH_ELIMINATION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/arena.hpp>
#include <inlay/search/elimination_bucket.hpp>
#include <inlay/search/elimination_order.hpp>
#include <inlay/search/model.hpp>
#include <inlay/search/rows.hpp>
#include <inlay/search/scaled.hpp>

namespace inlay {

/// Bucket elimination of a pairwise model along a plan: exact nonserial dynamic programming over flat tables.
///
/// `cost()` is the least cost; `assignment()` one assignment that reaches it: variables are decided in the reverse of the plan's
/// order, and each takes its lowest value among the best. `marginals()` gives for every value of every variable the least cost of
/// an assignment that has it, at about the price of two solutions. Where variables stay, `cost_with` alone has a meaning. Time and memory
/// are what the plan predicted. The model and the plan must outlive it.
class elimination {
public:
    elimination(const model& m, const elimination_plan& plan) : model_(&m), plan_(&plan) {
        const std::size_t n = m.variables();
        step_of_.assign(n, 0);
        for (std::size_t s = 0; s < plan.steps.size(); ++s) step_of_[plan.steps[s].variable] = static_cast<std::uint32_t>(s);
        first_in_.assign(n, none);
        single_.assign(n, none);
        next_single_.assign(n, none);
        price_ = m.unary;
        message_.resize(n);
        factors_.reserve(m.pairs.size() + n);
        for (const pair_table& p : m.pairs) {
            const std::span<detail::table_axis> axes = memory_.take<detail::table_axis>(2);
            axes[0] = {p.a, p.a_map.count, p.a_map.of.data(), p.b_map.count};
            axes[1] = {p.b, p.b_map.count, p.b_map.of.data(), 1};
            put(std::min(step_of_[p.a], step_of_[p.b]), {p.cost, axes, none, none});
        }
        total_ = m.constant;
        for (std::uint32_t s = 0; s < n - plan.staying; ++s) send(s);
    }

    elimination(const elimination&) = delete;
    elimination& operator=(const elimination&) = delete;

    /// The least cost of an assignment; `never` if there is none.
    [[nodiscard]] scaled cost() const { return total_; }

    /// Where variables a and b stay, and no others: the least cost of an assignment with these values of them. a must go first.
    [[nodiscard]] scaled cost_with(std::uint32_t a, std::size_t a_value, std::uint32_t b, std::size_t b_value) const {
        scaled sum = add(add(total_, price_[a][a_value]), price_[b][b_value]);
        for (std::uint32_t f = first_in_[step_of_[a]]; f != none; f = factors_[f].next) {
            std::size_t at = 0;
            for (const detail::table_axis& one : factors_[f].axes) at += one.of[one.variable == a ? a_value : b_value] * one.stride;
            sum = add(sum, factors_[f].table[at]);
        }
        return sum;
    }

    /// The first variable at whose step nothing was left to choose, if `cost()` is `never`.
    [[nodiscard]] std::optional<std::uint32_t> dead_end() const { return dead_end_; }

    /// The value of each variable in an assignment of least cost, which must not be `never`.
    [[nodiscard]] std::vector<std::uint32_t> assignment() const {
        std::vector<std::uint32_t> value(model_->variables(), 0);
        std::vector<scaled> cost;
        for (std::size_t s = plan_->steps.size(); s-- > 0;) {
            const std::uint32_t v = plan_->steps[s].variable;
            cost.assign(price_[v].begin(), price_[v].end());
            for (std::uint32_t f = first_in_[s]; f != none; f = factors_[f].next) {
                const scaled* table = factors_[f].table.data();
                const detail::table_axis* own = nullptr;
                for (const detail::table_axis& a : factors_[f].axes) {
                    if (a.variable == v)
                        own = &a;
                    else
                        table += a.of[value[a.variable]] * a.stride;
                }
                for (std::size_t x = 0; x < cost.size(); ++x) cost[x] = add(cost[x], table[own->of[x] * own->stride]);
            }
            value[v] = static_cast<std::uint32_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
        }
        return value;
    }

    /// Row i: for each value of variable i the least cost of an assignment that gives it this value.
    [[nodiscard]] rows<scaled> marginals() {
        rows<scaled> made = price_;
        if (total_ >= never) {
            std::fill(made.items.begin(), made.items.end(), never);
            return made;
        }
        const std::size_t n = plan_->steps.size();
        // What the rest of the model adds to each step's message, in the message's own classes.
        std::vector<std::span<const scaled>> outward(n);
        std::vector<scaled> through, least, least_of_row;
        for (std::uint32_t s = static_cast<std::uint32_t>(n); s-- > 0;) {
            const elimination_step& step = plan_->steps[s];
            look(s);
            const std::size_t own = bucket_.own(), lanes = bucket_.lanes(), room = bucket_.room();
            for (auto& p : bucket_.parts())
                if (p.factor->sender != none) bucket_.project(p);
            least.assign(own, never);
            least_of_row.resize(own);
            through.assign(own * room, never);
            // Roots of components see every other component's optimum.
            const scaled above = step.about.empty() ? total_ - root_cost_of(s) : 0;
            bucket_.sweep([&](std::size_t row, const scaled* sums, const scaled* lines) {
                const scaled* const rest = step.about.empty() ? &above : outward[s].data() + row * lanes;
                for (std::size_t k = 0; k < own; ++k) {
                    scaled* const to = through.data() + k * room;
                    for (std::size_t l = 0; l < lanes; ++l) to[l] = add(sums[k], rest[l]);
                }
                if (lines != nullptr) bucket_.add_all(lines, through.size(), through.data());
                for (std::size_t k = 0; k < own; ++k) {
                    const scaled* const line = through.data() + k * room;
                    least_of_row[k] = *std::min_element(line, line + lanes);
                    least[k] = std::min(least[k], least_of_row[k]);
                }
                for (const auto& p : bucket_.parts()) {
                    if (p.projected == nullptr) continue;
                    scaled* const to = p.projected + p.offset;
                    const std::vector<scaled>& from = p.in_lanes ? through : least_of_row;
                    for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::min(to[i], from[i]);
                }
            });
            for (const auto& p : bucket_.parts()) {
                if (p.projected == nullptr) continue;
                const std::span<const scaled> sent = p.factor->table;
                const std::span<scaled> out = memory_.take<scaled>(sent.size(), never);
                bucket_.each_line(p, [&](std::size_t from, std::size_t to) {
                    if (!p.in_lanes) {
                        out[to] = std::min(out[to], p.projected[from]);
                        return;
                    }
                    const std::span<const std::size_t> place = bucket_.lane_places();
                    for (std::size_t l = 0; l < lanes; ++l) out[to + place[l]] = std::min(out[to + place[l]], p.projected[from + l]);
                });
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] >= never || sent[i] >= never ? never : out[i] - sent[i];
                outward[p.factor->sender] = out;
            }
            scaled* const belief = made.items.data() + made.begin[step.variable];
            for (std::size_t x = 0; x < step.own.of.size(); ++x) {
                const std::uint32_t k = step.own.of[x];
                // `least` holds the class's cheapest value; another one differs from it by its own price alone.
                belief[x] = least[k] >= never || belief[x] >= never ? never : least[k] - bucket_.cheapest()[k] + belief[x];
            }
            for (std::uint32_t sender = single_[s]; sender != none; sender = next_single_[sender]) {
                const class_map& map = plan_->steps[sender].classes[0];
                const std::span<scaled> out = memory_.take<scaled>(map.count, never);
                for (std::size_t x = 0; x < map.of.size(); ++x)
                    if (belief[x] < never) out[map.of[x]] = std::min(out[map.of[x]], belief[x] - message_[sender][map.of[x]]);
                outward[sender] = out;
            }
        }
        return made;
    }

private:
    static constexpr std::uint32_t none = detail::bucket_factor::none;
    void put(std::uint32_t step, detail::bucket_factor f) {
        f.next = first_in_[step];
        first_in_[step] = static_cast<std::uint32_t>(factors_.size());
        factors_.push_back(f);
    }

    [[nodiscard]] scaled root_cost_of(std::size_t s) const { return message_[s][0]; }

    void look(std::uint32_t s) {
        const elimination_step& step = plan_->steps[s];
        bucket_.lay_out(step, price_[step.variable], factors_, first_in_[s]);
    }

    /// Eliminates the variable of a step: sends what its bucket costs at best to the next step that knows of it.
    void send(std::uint32_t s) {
        const elimination_step& step = plan_->steps[s];
        if (step.own.count == 0) {
            total_ = never;
            if (!dead_end_) dead_end_ = step.variable;
            message_[s] = memory_.take<scaled>(1, never);
            return;
        }
        look(s);
        std::size_t size = 1;
        for (const class_map& map : step.classes) size *= map.count;
        const std::span<scaled> out = memory_.take<scaled>(size);
        message_[s] = out;
        bucket_.sweep([&](std::size_t row, const scaled* sums, const scaled* lines) {
            bucket_.least(sums, lines, out.data() + row * bucket_.lanes());
        });
        scaled least = never;
        for (const scaled entry : out) least = std::min(least, entry);
        if (least >= never && !dead_end_) dead_end_ = step.variable;
        if (step.about.empty()) {
            total_ = add(total_, least);
            return;
        }
        const std::uint32_t next = step_of_[step.about[0]];
        if (step.about.size() == 1) {
            // About one variable only: a price of its values.
            scaled* const price = price_.items.data() + price_.begin[step.about[0]];
            const class_map& map = step.classes[0];
            for (std::size_t x = 0; x < map.of.size(); ++x) price[x] = add(price[x], out[map.of[x]]);
            next_single_[s] = single_[next];
            single_[next] = s;
            return;
        }
        const std::span<detail::table_axis> axes = memory_.take<detail::table_axis>(step.about.size());
        std::size_t stride = 1;
        for (std::size_t d = step.about.size(); d-- > 0;) {
            axes[d] = {step.about[d], step.classes[d].count, step.classes[d].of.data(), stride};
            stride *= step.classes[d].count;
        }
        put(next, {out, axes, s, none});
    }

    const model* model_;
    const elimination_plan* plan_;
    std::vector<std::uint32_t> step_of_;
    std::vector<detail::bucket_factor> factors_;
    /// Per step the first factor in its bucket.
    std::vector<std::uint32_t> first_in_;
    std::vector<std::span<const scaled>> message_;
    /// The prices of all values, with the messages about one variable added, and per step the senders of those.
    rows<scaled> price_;
    std::vector<std::uint32_t> single_, next_single_;
    scaled total_ = 0;
    std::optional<std::uint32_t> dead_end_;
    arena memory_;
    detail::elimination_bucket bucket_;
};

}  // namespace inlay

#endif
