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
        bucket_.assign(n, none);
        single_.assign(n, none);
        next_single_.assign(n, none);
        price_ = m.unary;
        message_.resize(n);
        factors_.reserve(m.pairs.size() + n);
        for (const pair_table& p : m.pairs) {
            const std::span<axis> axes = memory_.take<axis>(2);
            axes[0] = {p.a, p.a_map.of.data(), p.b_map.count};
            axes[1] = {p.b, p.b_map.of.data(), 1};
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
        for (std::uint32_t f = bucket_[step_of_[a]]; f != none; f = factors_[f].next) {
            std::size_t at = 0;
            for (const axis& one : factors_[f].axes) at += one.of[one.variable == a ? a_value : b_value] * one.stride;
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
            for (std::uint32_t f = bucket_[s]; f != none; f = factors_[f].next) {
                const scaled* table = factors_[f].table.data();
                const axis* own = nullptr;
                for (const axis& a : factors_[f].axes) {
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
            const std::size_t own = step.own.count;
            for (part& p : parts_)
                if (factors_[p.factor].sender != none) p.projected = scratch_.take<scaled>(p.table.size(), never).data();
            least.assign(own, never);
            least_of_row.resize(own);
            through.assign(own * room_, never);
            // Roots of components see every other component's optimum.
            const scaled above = step.about.empty() ? total_ - root_cost_of(s) : 0;
            sweep(s, [&](std::size_t row, const scaled* sums) {
                const scaled* const rest = step.about.empty() ? &above : outward[s].data() + row * lanes_;
                for (std::size_t k = 0; k < own; ++k) {
                    scaled* const to = through.data() + k * room_;
                    for (std::size_t l = 0; l < lanes_; ++l) to[l] = add(sums[k], rest[l]);
                }
                for (const part& p : parts_)
                    if (p.in_lanes) add_all(p.table.data() + p.offset, through.size(), through.data());
                for (std::size_t k = 0; k < own; ++k) {
                    const scaled* const line = through.data() + k * room_;
                    least_of_row[k] = *std::min_element(line, line + lanes_);
                    least[k] = std::min(least[k], least_of_row[k]);
                }
                for (const part& p : parts_) {
                    if (p.projected == nullptr) continue;
                    scaled* const to = p.projected + p.offset;
                    const std::vector<scaled>& from = p.in_lanes ? through : least_of_row;
                    for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::min(to[i], from[i]);
                }
            });
            for (const part& p : parts_) {
                if (p.projected == nullptr) continue;
                const factor& f = factors_[p.factor];
                const std::span<scaled> out = memory_.take<scaled>(f.table.size(), never);
                each_line(s, p, [&](std::size_t from, std::size_t to) {
                    if (!p.in_lanes) {
                        out[to] = std::min(out[to], p.projected[from]);
                        return;
                    }
                    for (std::size_t l = 0; l < lanes_; ++l)
                        out[to + lane_share_[l]] = std::min(out[to + lane_share_[l]], p.projected[from + l]);
                });
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] >= never || f.table[i] >= never ? never : out[i] - f.table[i];
                outward[f.sender] = out;
            }
            scaled* const belief = made.items.data() + made.begin[step.variable];
            for (std::size_t x = 0; x < step.own.of.size(); ++x) {
                const std::uint32_t k = step.own.of[x];
                // `least` holds the class's cheapest value; another one differs from it by its own price alone.
                belief[x] = least[k] >= never || belief[x] >= never ? never : least[k] - cheapest_[k] + belief[x];
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
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    /// So many lanes are summed at once, in registers.
    static constexpr std::size_t together = 4;

    struct axis {
        std::uint32_t variable;
        const std::uint32_t* of;
        std::size_t stride;
    };
    /// A table in the bucket of a step: of the model, or the message of an earlier step (`sender`).
    struct factor {
        std::span<const scaled> table;
        std::span<const axis> axes;
        std::uint32_t sender;
        std::uint32_t next;
    };
    /// A factor laid out for the step that sweeps over it: by the digits that it knows of, in their order, then by the classes of the
    /// step's own variable, then by lanes if it knows of the last digit and that is the one in lanes: `room_` of them, `never` in those
    /// that stand for no class.
    struct part {
        std::uint32_t factor;
        std::span<const scaled> table;
        std::span<const std::size_t> stride;  // by digit; 0 where it does not know of it
        std::size_t level;                    // so many digits determine it
        bool in_lanes;
        std::size_t offset = 0;
        scaled* projected = nullptr;
    };

    void put(std::uint32_t step, factor f) {
        f.next = bucket_[step];
        bucket_[step] = static_cast<std::uint32_t>(factors_.size());
        factors_.push_back(f);
    }

    [[nodiscard]] scaled root_cost_of(std::size_t s) const { return message_[s][0]; }

    /// Where each class of a digit, or of the step's own variable, stands in a factor's table: the share of that axis.
    static void shares(const axis& a, const class_map& map, std::size_t* to) {
        if (a.of == map.of.data()) {
            for (std::size_t k = 0; k < map.count; ++k) to[k] = k * a.stride;
        } else {
            for (std::size_t x = map.of.size(); x-- > 0;) to[map.of[x]] = a.of[x] * a.stride;
        }
    }

    /// Calls `visit(place in the part, place in the factor's table)` for the first entry of every line of a part: the lanes if it has them,
    /// else one entry. Lane l stands `lane_share_[l]` further in the factor's table.
    template <class Visit>
    void each_line(std::uint32_t s, const part& p, const Visit& visit) {
        const elimination_step& step = plan_->steps[s];
        const std::size_t own = step.own.count;
        own_share_.resize(own);
        lane_share_.resize(lanes_);
        digit_share_.assign(outer_, nullptr);
        for (const axis& a : factors_[p.factor].axes) {
            if (a.variable == step.variable) {
                shares(a, step.own, own_share_.data());
                continue;
            }
            const auto d = static_cast<std::size_t>(std::find(step.about.begin(), step.about.end(), a.variable) - step.about.begin());
            if (d == outer_) {
                lanes_in_order_ = a.of == step.classes[d].of.data() && a.stride == 1;
                shares(a, step.classes[d], lane_share_.data());
                continue;
            }
            digit_share_[d] = scratch_.take<std::size_t>(step.classes[d].count).data();
            shares(a, step.classes[d], digit_share_[d]);
        }
        const std::size_t room = p.in_lanes ? room_ : 1;
        digit_.assign(outer_, 0);
        std::size_t from = 0;
        for (;;) {
            std::size_t base = 0;
            for (std::size_t d = 0; d < outer_; ++d) base += digit_share_[d] == nullptr ? 0 : digit_share_[d][digit_[d]];
            for (std::size_t k = 0; k < own; ++k, from += room) visit(from, base + own_share_[k]);
            std::size_t d = outer_;
            while (d > 0 && (digit_share_[d - 1] == nullptr || ++digit_[d - 1] == step.classes[d - 1].count)) digit_[--d] = 0;
            if (d == 0) return;
        }
    }

    /// Lays the bucket of a step out for sweeping.
    void look(std::uint32_t s) {
        const elimination_step& step = plan_->steps[s];
        const std::size_t own = step.own.count;
        const std::size_t digits = step.about.size();
        scratch_.clear();
        cheapest_.assign(own, never);
        for (std::size_t x = 0; x < step.own.of.size(); ++x) {
            scaled& least = cheapest_[step.own.of[x]];
            least = std::min(least, price_[step.variable][x]);
        }
        // The inner loops run over the classes of the last digit, unless it has few.
        constexpr std::size_t few = 4;
        const bool by_lanes = digits > 0 && (step.classes[digits - 1].count >= few || step.classes[digits - 1].count >= own);
        outer_ = by_lanes ? digits - 1 : digits;
        lanes_ = by_lanes ? step.classes[digits - 1].count : 1;
        room_ = by_lanes ? (lanes_ + together - 1) / together * together : 1;
        parts_.clear();
        for (std::uint32_t f = bucket_[s]; f != none; f = factors_[f].next) {
            part p{f, {}, {}, 0, false};
            const std::span<std::size_t> stride = scratch_.take<std::size_t>(outer_, 0);
            for (const axis& a : factors_[f].axes) {
                if (a.variable == step.variable) continue;
                const auto d = static_cast<std::size_t>(std::find(step.about.begin(), step.about.end(), a.variable) - step.about.begin());
                if (d == outer_) {
                    p.in_lanes = true;
                } else {
                    stride[d] = 1;
                    p.level = std::max(p.level, d + 1);
                }
            }
            std::size_t size = own * (p.in_lanes ? room_ : 1);
            for (std::size_t d = outer_; d-- > 0;) {
                if (stride[d] == 0) continue;
                stride[d] = size;
                size *= step.classes[d].count;
            }
            p.stride = stride;
            const std::span<scaled> table = scratch_.take<scaled>(size);
            const scaled* const entries = factors_[f].table.data();
            each_line(s, p, [&](std::size_t to, std::size_t from) {
                scaled* const line = table.data() + to;
                if (!p.in_lanes) {
                    *line = entries[from];
                    return;
                }
                if (lanes_in_order_)
                    std::copy(entries + from, entries + from + lanes_, line);
                else
                    gather(entries + from, lane_share_.data(), lanes_, line);
                for (std::size_t l = lanes_; l < room_; ++l) line[l] = never;
            });
            p.table = table;
            parts_.push_back(p);
        }
    }

    /// Calls `visit(row, sums)` for every combination of the classes of the digits that are not in lanes, the last of them fastest:
    /// `sums[k]` is the sum of the cheapest price for own class k and of all parts that are not in lanes; the others stand at their
    /// `offset`.
    template <class Visit>
    void sweep(std::uint32_t s, const Visit& visit) {
        const elimination_step& step = plan_->steps[s];
        const std::size_t own = step.own.count;
        // Row d: the sum of the parts that digits 0 to d - 1 determine.
        sums_.resize((outer_ + 1) * own);
        digit_.assign(outer_, 0);
        const auto fill = [&](std::size_t level) {
            scaled* const to = sums_.data() + level * own;
            const scaled* const from = level == 0 ? cheapest_.data() : to - own;
            std::copy(from, from + own, to);
            for (const part& p : parts_) {
                if (p.in_lanes || p.level != level) continue;
                add_all(p.table.data() + p.offset, own, to);
            }
        };
        for (std::size_t level = 0; level <= outer_; ++level) fill(level);
        for (std::size_t row = 0;; ++row) {
            visit(row, sums_.data() + outer_ * own);
            std::size_t d = outer_;
            while (d > 0 && digit_[d - 1] + 1 == step.classes[d - 1].count) {
                --d;
                for (part& p : parts_) p.offset -= digit_[d] * p.stride[d];
                digit_[d] = 0;
            }
            if (d == 0) return;
            ++digit_[d - 1];
            for (part& p : parts_) p.offset += p.stride[d - 1];
            for (std::size_t level = d; level <= outer_; ++level) fill(level);
        }
    }

    /// By itself, so that nothing it does not see can change what it works on.
    static void add_all(const scaled* from, std::size_t count, scaled* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = add(to[i], from[i]);
    }

    static void gather(const scaled* from, const std::size_t* place, std::size_t count, scaled* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = from[place[i]];
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
        const std::span<scaled> out = memory_.take<scaled>(size, never);
        message_[s] = out;
        const std::size_t own = step.own.count;
        in_lanes_.clear();
        for (std::size_t p = 0; p < parts_.size(); ++p)
            if (parts_[p].in_lanes) in_lanes_.push_back(p);
        line_.resize(own * room_);
        sweep(s, [&](std::size_t row, const scaled* sums) {
            scaled* const best = out.data() + row * lanes_;
            if (in_lanes_.empty()) {
                scaled least = never;
                for (std::size_t k = 0; k < own; ++k) least = std::min(least, sums[k]);
                for (std::size_t l = 0; l < lanes_; ++l) best[l] = least;
                return;
            }
            const scaled* lines = parts_[in_lanes_[0]].table.data() + parts_[in_lanes_[0]].offset;
            if (in_lanes_.size() > 1) {
                // All of them, so that two prices at most are added before the least is taken.
                std::copy(lines, lines + own * room_, line_.begin());
                for (std::size_t i = 1; i < in_lanes_.size(); ++i)
                    add_all(parts_[in_lanes_[i]].table.data() + parts_[in_lanes_[i]].offset, own * room_, line_.data());
                lines = line_.data();
            }
            for (std::size_t first = 0; first < lanes_; first += together) {
                scaled least[together];
                std::fill(least, least + together, never);
                for (std::size_t k = 0; k < own; ++k) {
                    const scaled* const line = lines + k * room_ + first;
                    for (std::size_t l = 0; l < together; ++l) least[l] = std::min(least[l], sums[k] + line[l]);
                }
                std::copy(least, least + std::min(together, lanes_ - first), best + first);
            }
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
        const std::span<axis> axes = memory_.take<axis>(step.about.size());
        std::size_t stride = 1;
        for (std::size_t d = step.about.size(); d-- > 0;) {
            axes[d] = {step.about[d], step.classes[d].of.data(), stride};
            stride *= step.classes[d].count;
        }
        put(next, {out, axes, s, none});
    }

    const model* model_;
    const elimination_plan* plan_;
    std::vector<std::uint32_t> step_of_;
    std::vector<factor> factors_;
    /// Per step the first factor in its bucket.
    std::vector<std::uint32_t> bucket_;
    std::vector<std::span<const scaled>> message_;
    /// The prices of all values, with the messages about one variable added, and per step the senders of those.
    rows<scaled> price_;
    std::vector<std::uint32_t> single_, next_single_;
    scaled total_ = 0;
    std::optional<std::uint32_t> dead_end_;
    arena memory_;

    /// The bucket that is being swept: its parts, how many digits are not in lanes, and the lanes.
    arena scratch_;
    std::vector<part> parts_;
    std::vector<scaled> cheapest_;
    std::size_t outer_ = 0;
    std::size_t lanes_ = 1;
    std::size_t room_ = 1;
    std::vector<scaled> sums_, line_;
    std::vector<std::uint32_t> digit_;
    /// Of the part that is laid out: where classes stand in the factor's table, and whether the lanes stand there side by side.
    std::vector<std::size_t> own_share_, lane_share_;
    std::vector<std::size_t*> digit_share_;
    bool lanes_in_order_ = false;
    std::vector<std::size_t> in_lanes_;
};

}  // namespace inlay

#endif
