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

#include <inlay/search/elimination_order.hpp>
#include <inlay/search/model.hpp>
#include <inlay/search/rows.hpp>
#include <inlay/search/scaled.hpp>

namespace inlay {

/// Bucket elimination of a pairwise model along a plan: exact nonserial dynamic programming over flat tables.
///
/// `cost()` is the least cost; `assignment()` one assignment that reaches it: variables are decided in the reverse of the plan's
/// order, and each takes its lowest value among the best. `marginals()` gives for every value of every variable the least cost of
/// an assignment that has it, at about the price of two solutions. Time and memory are what the plan predicted.
/// The model and the plan must outlive it.
class elimination {
public:
    elimination(const model& m, const elimination_plan& plan) : model_(&m), plan_(&plan) {
        const std::size_t n = m.variables();
        step_of_.assign(n, 0);
        for (std::size_t s = 0; s < plan.steps.size(); ++s) step_of_[plan.steps[s].variable] = s;
        factors_.resize(n);
        price_ = m.unary;
        single_.resize(n);
        message_.assign(n, {});
        root_cost_.assign(n, 0);
        for (const pair_table& p : m.pairs) {
            const std::size_t s = std::min(step_of_[p.a], step_of_[p.b]);
            factor f;
            f.table = &p.cost;
            f.axes = {{p.a, &p.a_map, p.b_map.count}, {p.b, &p.b_map, 1}};
            factors_[s].push_back(std::move(f));
        }
        total_ = m.constant;
        for (std::size_t s = 0; s < n; ++s) send(s);
    }

    elimination(const elimination&) = delete;
    elimination& operator=(const elimination&) = delete;

    /// The least cost of an assignment; `never` if there is none.
    [[nodiscard]] scaled cost() const { return total_; }

    /// The first variable at whose step nothing was left to choose, if `cost()` is `never`.
    [[nodiscard]] std::optional<std::uint32_t> dead_end() const { return dead_end_; }

    /// The value of each variable in an assignment of least cost, which must not be `never`.
    [[nodiscard]] std::vector<std::uint32_t> assignment() const {
        std::vector<std::uint32_t> value(model_->variables(), 0);
        for (std::size_t s = plan_->steps.size(); s-- > 0;) {
            const std::uint32_t v = plan_->steps[s].variable;
            scaled best = never + 1;
            std::uint32_t best_value = 0;
            for (std::uint32_t x = 0; x < price_[v].size(); ++x) {
                value[v] = x;
                scaled cost = price_[v][x];
                for (const factor& f : factors_[s]) {
                    std::size_t at = 0;
                    for (const axis& a : f.axes) at += a.map->of[value[a.variable]] * a.stride;
                    cost = add(cost, (*f.table)[at]);
                }
                if (cost < best) {
                    best = cost;
                    best_value = x;
                }
            }
            value[v] = best_value;
        }
        return value;
    }

    /// Row i: for each value of variable i the least cost of an assignment that gives it this value.
    [[nodiscard]] rows<scaled> marginals() const {
        rows<scaled> made = price_;
        if (total_ >= never) {
            std::fill(made.items.begin(), made.items.end(), never);
            return made;
        }
        const std::size_t n = plan_->steps.size();
        // What the rest of the model adds to each step's message, in the message's own classes.
        std::vector<std::vector<scaled>> outward(n);
        for (std::size_t s = n; s-- > 0;) {
            const elimination_step& step = plan_->steps[s];
            view seen = look(s);
            std::vector<std::size_t> children;
            std::vector<std::vector<scaled>> projected(factors_[s].size());
            for (std::size_t f = 0; f < factors_[s].size(); ++f) {
                if (factors_[s][f].sender == none) continue;
                children.push_back(f);
                projected[f].assign(factors_[s][f].table->size(), never);
            }
            const std::size_t own = step.own.count;
            std::vector<scaled> least(own, never);
            // Roots of components see every other component's optimum.
            const scaled above = step.about.empty() ? total_ - root_cost_[s] : 0;
            sweep(seen, [&](std::size_t row, const scaled* sums) {
                const scaled rest = step.about.empty() ? above : outward[s][row];
                for (std::size_t k = 0; k < own; ++k) {
                    const scaled through = add(sums[k], rest);
                    least[k] = std::min(least[k], through);
                    for (const std::size_t f : children) {
                        scaled& entry = projected[f][seen.offset[f] + seen.own_offset[f][k]];
                        entry = std::min(entry, through);
                    }
                }
            });
            for (const std::size_t f : children) {
                const std::vector<scaled>& inward = *factors_[s][f].table;
                std::vector<scaled>& out = outward[factors_[s][f].sender];
                out = std::move(projected[f]);
                for (std::size_t i = 0; i < out.size(); ++i) {
                    out[i] = out[i] >= never || inward[i] >= never ? never : out[i] - inward[i];
                }
            }
            const std::uint32_t v = step.variable;
            scaled* belief = made.items.data() + made.begin[v];
            for (std::size_t x = 0; x < step.own.of.size(); ++x) {
                const std::uint32_t k = step.own.of[x];
                // `least` holds the class's cheapest value; another one differs from it by its own price alone.
                const scaled through = least[k];
                belief[x] = through >= never || belief[x] >= never ? never : through - seen.cheapest[k] + belief[x];
            }
            for (const std::size_t sender : single_[s]) {
                const class_map& map = plan_->steps[sender].classes[0];
                std::vector<scaled>& out = outward[sender];
                out.assign(map.count, never);
                for (std::size_t x = 0; x < map.of.size(); ++x) {
                    if (belief[x] < never) out[map.of[x]] = std::min(out[map.of[x]], belief[x] - message_[sender][map.of[x]]);
                }
            }
        }
        return made;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct axis {
        std::uint32_t variable;
        const class_map* map;
        std::size_t stride;
    };
    /// A table in the bucket of a step: of the model, or the message of an earlier step (`sender`).
    struct factor {
        const std::vector<scaled>* table = nullptr;
        std::vector<axis> axes;
        std::size_t sender = none;
    };
    /// A bucket laid out for sweeping over the classes of what its message is about.
    struct view {
        std::size_t step = 0;
        /// Per class of the step's own variable the least price of its values.
        std::vector<scaled> cheapest;
        /// Per factor and own class, where that class stands in the factor's table.
        std::vector<std::vector<std::size_t>> own_offset;
        /// Per factor, digit and class of the digit's variable: its share of the place in the table; empty where it has none.
        std::vector<std::vector<std::vector<std::size_t>>> digit_offset;
        /// Per digit the factors whose last digit it is; one more in front for those with none.
        std::vector<std::vector<std::size_t>> complete_at;
        /// Per factor the place of the digits as they stand, kept by `sweep`.
        std::vector<std::size_t> offset;
    };

    [[nodiscard]] static std::vector<std::uint32_t> examples(const class_map& map) {
        std::vector<std::uint32_t> made(map.count, 0);
        for (std::size_t x = map.of.size(); x-- > 0;) made[map.of[x]] = static_cast<std::uint32_t>(x);
        return made;
    }

    [[nodiscard]] view look(std::size_t s) const {
        const elimination_step& step = plan_->steps[s];
        const std::vector<factor>& factors = factors_[s];
        view seen;
        seen.step = s;
        seen.cheapest.assign(step.own.count, never);
        for (std::size_t x = 0; x < step.own.of.size(); ++x) {
            scaled& least = seen.cheapest[step.own.of[x]];
            least = std::min(least, price_[step.variable][x]);
        }
        const std::vector<std::uint32_t> own_example = examples(step.own);
        std::vector<std::vector<std::uint32_t>> digit_example;
        for (const class_map& map : step.classes) digit_example.push_back(examples(map));
        seen.complete_at.resize(step.about.size() + 1);
        seen.offset.assign(factors.size(), 0);
        for (std::size_t f = 0; f < factors.size(); ++f) {
            std::vector<std::size_t> own(step.own.count, 0);
            std::vector<std::vector<std::size_t>> digits(step.about.size());
            std::size_t last = 0;
            for (const axis& a : factors[f].axes) {
                if (a.variable == step.variable) {
                    for (std::size_t k = 0; k < own.size(); ++k) own[k] = a.map->of[own_example[k]] * a.stride;
                    continue;
                }
                const auto d = static_cast<std::size_t>(std::find(step.about.begin(), step.about.end(), a.variable) - step.about.begin());
                last = std::max(last, d + 1);
                for (const std::uint32_t x : digit_example[d]) digits[d].push_back(a.map->of[x] * a.stride);
            }
            seen.complete_at[last].push_back(f);
            seen.own_offset.push_back(std::move(own));
            seen.digit_offset.push_back(std::move(digits));
        }
        return seen;
    }

    /// Calls `visit(row, sums)` for every combination of the digits' classes, the last digit fastest: `sums[k]` is the sum of all
    /// factors and of the cheapest price for own class k.
    template <class Visit>
    void sweep(view& seen, const Visit& visit) const {
        const elimination_step& step = plan_->steps[seen.step];
        const std::vector<factor>& factors = factors_[seen.step];
        const std::size_t digits = step.about.size();
        const std::size_t own = step.own.count;
        // Row d: the sum of the factors that digits 0 to d - 1 determine.
        std::vector<scaled> sums((digits + 1) * own);
        const auto fill = [&](std::size_t level) {
            scaled* to = sums.data() + level * own;
            const scaled* from = level == 0 ? seen.cheapest.data() : to - own;
            std::copy(from, from + own, to);
            for (const std::size_t f : seen.complete_at[level]) {
                const scaled* table = factors[f].table->data() + seen.offset[f];
                const std::size_t* at = seen.own_offset[f].data();
                for (std::size_t k = 0; k < own; ++k) to[k] = add(to[k], table[at[k]]);
            }
        };
        std::vector<std::uint32_t> digit(digits, 0);
        const auto place = [&](std::size_t d) {
            for (std::size_t f = 0; f < factors.size(); ++f) {
                if (seen.digit_offset[f][d].empty()) continue;
                std::size_t offset = 0;
                for (std::size_t e = 0; e <= d; ++e) {
                    if (!seen.digit_offset[f][e].empty()) offset += seen.digit_offset[f][e][digit[e]];
                }
                seen.offset[f] = offset;
            }
        };
        for (std::size_t d = 0; d < digits; ++d) place(d);
        for (std::size_t level = 0; level <= digits; ++level) fill(level);
        for (std::size_t row = 0;; ++row) {
            visit(row, sums.data() + digits * own);
            std::size_t d = digits;
            while (d > 0 && ++digit[d - 1] == step.classes[d - 1].count) digit[--d] = 0;
            if (d == 0) return;
            for (std::size_t e = d - 1; e < digits; ++e) place(e);
            for (std::size_t level = d; level <= digits; ++level) fill(level);
        }
    }

    /// Eliminates the variable of a step: sends what its bucket costs at best to the next step that knows of it.
    void send(std::size_t s) {
        const elimination_step& step = plan_->steps[s];
        if (step.own.count == 0) {
            total_ = never;
            if (!dead_end_) dead_end_ = step.variable;
            return;
        }
        view seen = look(s);
        std::size_t size = 1;
        for (const class_map& map : step.classes) size *= map.count;
        std::vector<scaled>& out = message_[s];
        out.resize(size);
        const std::size_t own = step.own.count;
        scaled least = never;
        sweep(seen, [&](std::size_t row, const scaled* sums) {
            scaled best = sums[0];
            for (std::size_t k = 1; k < own; ++k) best = std::min(best, sums[k]);
            out[row] = best;
            least = std::min(least, best);
        });
        if (least >= never && !dead_end_) dead_end_ = step.variable;
        if (step.about.empty()) {
            root_cost_[s] = least;
            total_ = add(total_, least);
            return;
        }
        const std::size_t next = step_of_[step.about[0]];
        if (step.about.size() == 1) {
            // About one variable only: a price of its values.
            scaled* price = price_.items.data() + price_.begin[step.about[0]];
            const class_map& map = step.classes[0];
            for (std::size_t x = 0; x < map.of.size(); ++x) price[x] = add(price[x], out[map.of[x]]);
            single_[next].push_back(s);
            return;
        }
        factor f;
        f.table = &out;
        f.sender = s;
        std::size_t stride = 1;
        for (std::size_t d = step.about.size(); d-- > 0;) {
            f.axes.push_back({step.about[d], &step.classes[d], stride});
            stride *= step.classes[d].count;
        }
        factors_[next].push_back(std::move(f));
    }

    const model* model_;
    const elimination_plan* plan_;
    std::vector<std::size_t> step_of_;
    /// Per step what stands in its bucket.
    std::vector<std::vector<factor>> factors_;
    std::vector<std::vector<scaled>> message_;
    /// The prices of all values, with the messages about one variable added, and per step the senders of those.
    rows<scaled> price_;
    std::vector<std::vector<std::size_t>> single_;
    /// For a step that ends a connected component, its least cost.
    std::vector<scaled> root_cost_;
    scaled total_ = 0;
    std::optional<std::uint32_t> dead_end_;
};

}  // namespace inlay

#endif
