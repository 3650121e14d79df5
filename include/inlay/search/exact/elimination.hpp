// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_ELIMINATION_HPP
#define INLAY_SEARCH_EXACT_ELIMINATION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/arena.hpp>
#include <inlay/search/exact/elimination_bucket.hpp>
#include <inlay/search/exact/elimination_order.hpp>
#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/rows.hpp>

namespace inlay {

/// Bucket elimination of a cost network along a plan: exact nonserial dynamic programming (Bertele and Brioschi 1972) over flat tables.
///
/// For who knows it from elsewhere: Dechter's bucket (Artificial Intelligence 113, 1999) is the list of tables that `first_in_` begins and
/// `elimination_bucket` lays out; `send` adds them up and minimises the variable out, which solvers of weighted constraint networks call
/// to join and to project, and puts the message into the bucket of the next variable that it is about. A message about one variable is
/// added to that variable's unary costs. `marginals` is the pass back, so that every variable knows its min-marginals: min-sum belief
/// propagation on a bucket tree (Kask et al., Artificial Intelligence 166, 2005). Nothing is approximated: where buckets are too wide there
/// are no mini-buckets (Dechter and Rish, JACM 50, 2003), `dual_ascent` bounds in their place. Unlike there, tables are over classes of
/// values that no neighbour tells apart, not over values.
///
/// `cost()` is the least cost; `assignment()` one assignment that reaches it: variables are decided in the reverse of the plan's
/// order, and each takes its lowest value among the best. `marginals()` gives for every value of every variable the least cost of
/// an assignment that has it, at about the price of two solutions. Where variables stay, `cost_with` alone has a meaning. Time and memory
/// are what the plan predicted. The network and the plan must outlive it.
class elimination {
public:
    elimination(const cost_network& m, const elimination_plan& plan) : model_(&m), plan_(&plan) {
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

    /// The least cost of an assignment; `infinite_cost` if there is none.
    [[nodiscard]] fixed_cost cost() const { return total_; }

    /// Where variables a and b stay, and no others: the least cost of an assignment with these values of them. a must go first.
    [[nodiscard]] fixed_cost cost_with(std::uint32_t a, std::size_t a_value, std::uint32_t b, std::size_t b_value) const {
        fixed_cost sum = add(add(total_, price_[a][a_value]), price_[b][b_value]);
        for (std::uint32_t f = first_in_[step_of_[a]]; f != none; f = factors_[f].next) {
            std::size_t at = 0;
            for (const detail::table_axis& one : factors_[f].axes) at += one.of[one.variable == a ? a_value : b_value] * one.stride;
            sum = add(sum, factors_[f].table[at]);
        }
        return sum;
    }

    /// The first variable at whose step nothing was left to choose, if `cost()` is `infinite_cost`.
    [[nodiscard]] std::optional<std::uint32_t> dead_end() const { return dead_end_; }

    /// The value of each variable in an assignment of least cost, which must not be `infinite_cost`.
    [[nodiscard]] std::vector<std::uint32_t> assignment() const {
        std::vector<std::uint32_t> value(model_->variables(), 0);
        std::vector<fixed_cost> cost;
        for (std::size_t s = plan_->steps.size(); s-- > 0;) {
            const std::uint32_t v = plan_->steps[s].variable;
            cost.assign(price_[v].begin(), price_[v].end());
            for (std::uint32_t f = first_in_[s]; f != none; f = factors_[f].next) {
                const fixed_cost* table = factors_[f].table.data();
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
    [[nodiscard]] rows<fixed_cost> marginals() {
        rows<fixed_cost> made = price_;
        if (total_ >= infinite_cost) {
            std::fill(made.items.begin(), made.items.end(), infinite_cost);
            return made;
        }
        pass_back back;
        back.outward.resize(plan_->steps.size());
        for (std::uint32_t s = static_cast<std::uint32_t>(plan_->steps.size()); s-- > 0;) {
            look(s);
            for (auto& p : bucket_.parts())
                if (p.factor->sender != none) bucket_.project(p);
            add_rest(s, back);
            for (const auto& p : bucket_.parts())
                if (p.projected != nullptr) back.outward[p.factor->sender] = outward_along(p);
            const std::span<fixed_cost> belief(made.items.data() + made.begin[plan_->steps[s].variable], plan_->steps[s].own.of.size());
            complete(belief, s, back.least);
            for (std::uint32_t sender = single_[s]; sender != none; sender = next_single_[sender])
                back.outward[sender] = outward_to_single(sender, belief);
        }
        return made;
    }

private:
    static constexpr std::uint32_t none = detail::bucket_factor::none;

    /// What `marginals` keeps from step to step, and room for one of them.
    struct pass_back {
        /// What the rest of the network adds to each step's message, in the message's own classes.
        std::vector<std::span<const fixed_cost>> outward;
        /// The cost of each class of a step's variable with each entry of a row; the least of them over the row, and over all rows.
        std::vector<fixed_cost> through, least_of_row, least;
    };

    /// Adds what the rest of the network costs to the bucket of a step, row by row, and notes the least for each class of its variable and
    /// for each entry of the messages in it.
    void add_rest(std::uint32_t s, pass_back& back) {
        const elimination_step& step = plan_->steps[s];
        const std::size_t own = bucket_.own(), lanes = bucket_.lanes(), room = bucket_.room();
        back.least.assign(own, infinite_cost);
        back.least_of_row.resize(own);
        back.through.assign(own * room, infinite_cost);
        // Roots of components see every other component's optimum.
        const fixed_cost above = step.about.empty() ? total_ - root_cost_of(s) : 0;
        bucket_.sweep([&](std::size_t row, const fixed_cost* sums, const fixed_cost* lines) {
            add_rest_to_row(step.about.empty() ? &above : back.outward[s].data() + row * lanes, sums, lines, back);
        });
    }

    void add_rest_to_row(const fixed_cost* rest, const fixed_cost* sums, const fixed_cost* lines, pass_back& back) {
        const std::size_t own = bucket_.own(), lanes = bucket_.lanes(), room = bucket_.room();
        for (std::size_t k = 0; k < own; ++k) {
            fixed_cost* const to = back.through.data() + k * room;
            for (std::size_t l = 0; l < lanes; ++l) to[l] = add(sums[k], rest[l]);
        }
        if (lines != nullptr) bucket_.add_all(lines, back.through.size(), back.through.data());
        for (std::size_t k = 0; k < own; ++k) {
            const fixed_cost* const line = back.through.data() + k * room;
            back.least_of_row[k] = *std::min_element(line, line + lanes);
            back.least[k] = std::min(back.least[k], back.least_of_row[k]);
        }
        for (const auto& p : bucket_.parts()) {
            if (p.projected == nullptr) continue;
            fixed_cost* const to = p.projected + p.offset;
            const std::vector<fixed_cost>& from = p.in_lanes ? back.through : back.least_of_row;
            for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::min(to[i], from[i]);
        }
    }

    /// What the rest adds to a message that stands in the bucket: what all costs with each entry, less the entry.
    template <class Part>
    [[nodiscard]] std::span<const fixed_cost> outward_along(const Part& p) {
        const std::span<const fixed_cost> sent = p.factor->table;
        const std::span<fixed_cost> out = memory_.take<fixed_cost>(sent.size(), infinite_cost);
        bucket_.each_line(p, [&](std::size_t from, std::size_t to) {
            if (!p.in_lanes) {
                out[to] = std::min(out[to], p.projected[from]);
                return;
            }
            const std::span<const std::size_t> place = bucket_.lane_places();
            for (std::size_t l = 0; l < bucket_.lanes(); ++l) out[to + place[l]] = std::min(out[to + place[l]], p.projected[from + l]);
        });
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = out[i] >= infinite_cost || sent[i] >= infinite_cost ? infinite_cost : out[i] - sent[i];
        return out;
    }

    /// The same for a message about one variable, which its prices hold.
    [[nodiscard]] std::span<const fixed_cost> outward_to_single(std::uint32_t sender, std::span<const fixed_cost> belief) {
        const class_map& map = plan_->steps[sender].classes[0];
        const std::span<fixed_cost> out = memory_.take<fixed_cost>(map.count, infinite_cost);
        for (std::size_t x = 0; x < map.of.size(); ++x)
            if (belief[x] < infinite_cost) out[map.of[x]] = std::min(out[map.of[x]], belief[x] - message_[sender][map.of[x]]);
        return out;
    }

    /// Makes min-marginals of the prices of a step's variable: `least` holds the cost with each class's cheapest value; another one differs
    /// from it by its own price alone.
    void complete(std::span<fixed_cost> belief, std::uint32_t s, const std::vector<fixed_cost>& least) const {
        const elimination_step& step = plan_->steps[s];
        for (std::size_t x = 0; x < belief.size(); ++x) {
            const std::uint32_t k = step.own.of[x];
            belief[x] =
                least[k] >= infinite_cost || belief[x] >= infinite_cost ? infinite_cost : least[k] - bucket_.cheapest()[k] + belief[x];
        }
    }

    void put(std::uint32_t step, detail::bucket_factor f) {
        f.next = first_in_[step];
        first_in_[step] = static_cast<std::uint32_t>(factors_.size());
        factors_.push_back(f);
    }

    [[nodiscard]] fixed_cost root_cost_of(std::size_t s) const { return message_[s][0]; }

    void look(std::uint32_t s) {
        const elimination_step& step = plan_->steps[s];
        bucket_.lay_out(step, price_[step.variable], factors_, first_in_[s]);
    }

    /// Eliminates the variable of a step: sends what its bucket costs at best to the next step that knows of it.
    void send(std::uint32_t s) {
        const elimination_step& step = plan_->steps[s];
        if (step.own.count == 0) {
            total_ = infinite_cost;
            if (!dead_end_) dead_end_ = step.variable;
            message_[s] = memory_.take<fixed_cost>(1, infinite_cost);
            return;
        }
        look(s);
        std::size_t size = 1;
        for (const class_map& map : step.classes) size *= map.count;
        const std::span<fixed_cost> out = memory_.take<fixed_cost>(size);
        message_[s] = out;
        bucket_.sweep([&](std::size_t row, const fixed_cost* sums, const fixed_cost* lines) {
            bucket_.least(sums, lines, out.data() + row * bucket_.lanes());
        });
        fixed_cost least = infinite_cost;
        for (const fixed_cost entry : out) least = std::min(least, entry);
        if (least >= infinite_cost && !dead_end_) dead_end_ = step.variable;
        if (step.about.empty()) {
            total_ = add(total_, least);
            return;
        }
        const std::uint32_t next = step_of_[step.about[0]];
        if (step.about.size() == 1) {
            // About one variable only: a price of its values.
            fixed_cost* const price = price_.items.data() + price_.begin[step.about[0]];
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

    const cost_network* model_;
    const elimination_plan* plan_;
    std::vector<std::uint32_t> step_of_;
    std::vector<detail::bucket_factor> factors_;
    /// Per step the first factor in its bucket.
    std::vector<std::uint32_t> first_in_;
    std::vector<std::span<const fixed_cost>> message_;
    /// The prices of all values, with the messages about one variable added, and per step the senders of those.
    rows<fixed_cost> price_;
    std::vector<std::uint32_t> single_, next_single_;
    fixed_cost total_ = 0;
    std::optional<std::uint32_t> dead_end_;
    arena memory_;
    detail::elimination_bucket bucket_;
};

}  // namespace inlay

#endif
