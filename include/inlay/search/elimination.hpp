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
            sweep(s, [&](std::size_t row, const scaled* sums, const scaled* lines) {
                const scaled* const rest = step.about.empty() ? &above : outward[s].data() + row * lanes_;
                for (std::size_t k = 0; k < own; ++k) {
                    scaled* const to = through.data() + k * room_;
                    for (std::size_t l = 0; l < lanes_; ++l) to[l] = add(sums[k], rest[l]);
                }
                if (lines != nullptr) add_all(lines, through.size(), through.data());
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
                        out[to + lane_place_[l]] = std::min(out[to + lane_place_[l]], p.projected[from + l]);
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
        std::uint32_t count;
        const std::uint32_t* of;  // by value, the class
        std::size_t stride;
    };
    /// A table in the bucket of a step: of the model, or the message of an earlier step (`sender`).
    struct factor {
        std::span<const scaled> table;
        std::span<const axis> axes;
        std::uint32_t sender;
        std::uint32_t next;
    };
    /// A factor laid out for the step that sweeps over it: by the digits that it knows of, in their order and by the factor's own classes
    /// of them, which may be far fewer; then by the step's classes of its own variable, then by lanes if it knows of the last digit and that
    /// is the one in lanes: `room_` of them, `never` in those that stand for no class.
    struct part {
        std::uint32_t factor;
        std::span<const scaled> table;
        std::span<const std::size_t* const> place;  // by digit: where each of the step's classes stands; null where it does not know of it
        std::size_t level;                          // so many digits determine it
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

    /// Where each class of a digit, or of the step's own variable, stands where the factor's classes stand `stride` apart.
    static void places(const axis& a, const class_map& map, std::size_t stride, std::size_t* to) {
        if (a.of == map.of.data()) {
            for (std::size_t k = 0; k < map.count; ++k) to[k] = k * stride;
        } else {
            for (std::size_t x = map.of.size(); x-- > 0;) to[map.of[x]] = a.of[x] * stride;
        }
    }

    /// Calls `visit(place in the part, place in the factor's table)` for the first entry of every line of a part: the lanes if it has them,
    /// else one entry. Lane l stands `lane_place_[l]` further in the factor's table.
    template <class Visit>
    void each_line(std::uint32_t s, const part& p, const Visit& visit) {
        const elimination_step& step = plan_->steps[s];
        const std::size_t own = step.own.count;
        own_place_.resize(own);
        lane_place_.resize(lanes_);
        by_digit_.assign(outer_, nullptr);
        for (const axis& a : factors_[p.factor].axes) {
            if (a.variable == step.variable) {
                places(a, step.own, a.stride, own_place_.data());
                continue;
            }
            const std::size_t d = digit_of(step, a.variable);
            if (d < outer_) {
                by_digit_[d] = &a;
                continue;
            }
            lanes_in_order_ = a.of == step.classes[d].of.data() && a.stride == 1;
            places(a, step.classes[d], a.stride, lane_place_.data());
        }
        std::erase(by_digit_, nullptr);
        const std::size_t digits = by_digit_.size();
        const std::size_t room = p.in_lanes ? room_ : 1;
        digit_.assign(digits, 0);
        std::size_t base = 0;
        for (std::size_t from = 0;;) {
            for (std::size_t k = 0; k < own; ++k, from += room) visit(from, base + own_place_[k]);
            std::size_t d = digits;
            for (; d > 0 && digit_[d - 1] + 1 == by_digit_[d - 1]->count; --d) {
                base -= digit_[d - 1] * by_digit_[d - 1]->stride;
                digit_[d - 1] = 0;
            }
            if (d == 0) return;
            ++digit_[d - 1];
            base += by_digit_[d - 1]->stride;
        }
    }

    [[nodiscard]] static std::size_t digit_of(const elimination_step& step, std::uint32_t variable) {
        return static_cast<std::size_t>(std::find(step.about.begin(), step.about.end(), variable) - step.about.begin());
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
            by_digit_.assign(outer_, nullptr);
            for (const axis& a : factors_[f].axes) {
                if (a.variable == step.variable) continue;
                const std::size_t d = digit_of(step, a.variable);
                if (d == outer_) {
                    p.in_lanes = true;
                } else {
                    by_digit_[d] = &a;
                    p.level = std::max(p.level, d + 1);
                }
            }
            std::size_t size = own * (p.in_lanes ? room_ : 1);
            const std::span<const std::size_t*> place = scratch_.take<const std::size_t*>(outer_, nullptr);
            for (std::size_t d = outer_; d-- > 0;) {
                if (by_digit_[d] == nullptr) continue;
                const std::span<std::size_t> at = scratch_.take<std::size_t>(step.classes[d].count);
                places(*by_digit_[d], step.classes[d], size, at.data());
                place[d] = at.data();
                p.offset += at[0];
                size *= by_digit_[d]->count;
            }
            p.place = place;
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
                    gather(entries + from, lane_place_.data(), lanes_, line);
                for (std::size_t l = lanes_; l < room_; ++l) line[l] = never;
            });
            p.table = table;
            parts_.push_back(p);
        }
    }

    /// Calls `visit(row, sums, lines)` for every combination of the classes of the digits that are not in lanes, the last of them fastest:
    /// `sums[k]` is the sum of the cheapest price for own class k and of all parts that are not in lanes, `lines` that of those in lanes,
    /// `room_` for each own class; null if there are none.
    template <class Visit>
    void sweep(std::uint32_t s, const Visit& visit) {
        const elimination_step& step = plan_->steps[s];
        const std::size_t own = step.own.count;
        const std::size_t size = own * room_;
        // Row d of each: the sum of the parts that digits 0 to d - 1 determine.
        sums_.resize((outer_ + 1) * own);
        lines_.resize((outer_ + 1) * size);
        lines_at_.resize(outer_ + 1);
        digit_.assign(outer_, 0);
        const auto fill = [&](std::size_t level) {
            scaled* const to = sums_.data() + level * own;
            const scaled* const from = level == 0 ? cheapest_.data() : to - own;
            std::copy(from, from + own, to);
            const scaled* lines = level == 0 ? nullptr : lines_at_[level - 1];
            for (const part& p : parts_) {
                if (p.level != level) continue;
                if (!p.in_lanes) {
                    add_all(p.table.data() + p.offset, own, to);
                } else if (lines == nullptr) {
                    lines = p.table.data() + p.offset;
                } else {
                    add_both(lines, p.table.data() + p.offset, size, lines_.data() + level * size);
                    lines = lines_.data() + level * size;
                }
            }
            lines_at_[level] = lines;
        };
        for (std::size_t level = 0; level <= outer_; ++level) fill(level);
        for (std::size_t row = 0;; ++row) {
            visit(row, sums_.data() + outer_ * own, lines_at_[outer_]);
            std::size_t d = outer_;
            while (d > 0 && digit_[d - 1] + 1 == step.classes[d - 1].count) {
                --d;
                for (part& p : parts_)
                    if (p.place[d] != nullptr) p.offset -= p.place[d][digit_[d]] - p.place[d][0];
                digit_[d] = 0;
            }
            if (d == 0) return;
            const std::uint32_t at = ++digit_[d - 1];
            for (part& p : parts_)
                if (p.place[d - 1] != nullptr) p.offset += p.place[d - 1][at] - p.place[d - 1][at - 1];
            for (std::size_t level = d; level <= outer_; ++level) fill(level);
        }
    }

    /// By itself, so that nothing it does not see can change what it works on.
    static void add_all(const scaled* from, std::size_t count, scaled* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = add(to[i], from[i]);
    }

    /// `to` may be `a`.
    static void add_both(const scaled* a, const scaled* b, std::size_t count, scaled* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = add(a[i], b[i]);
    }

    /// The least sum over the own classes for `Together` lanes at once, of which `lanes` at most are kept.
    template <std::size_t Together>
    void least_of(const scaled* lines, const scaled* sums, std::size_t own, std::size_t lanes, scaled* best) const {
        scaled least[Together];
        std::fill(least, least + Together, never);
        for (std::size_t k = 0; k < own; ++k, lines += room_)
            for (std::size_t l = 0; l < Together; ++l) least[l] = std::min(least[l], sums[k] + lines[l]);
        std::copy(least, least + std::min(Together, lanes), best);
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
        sweep(s, [&](std::size_t row, const scaled* sums, const scaled* lines) {
            scaled* const best = out.data() + row * lanes_;
            if (lines == nullptr) {
                scaled least = never;
                for (std::size_t k = 0; k < own; ++k) least = std::min(least, sums[k]);
                for (std::size_t l = 0; l < lanes_; ++l) best[l] = least;
                return;
            }
            std::size_t first = 0;
            for (; first + together < lanes_; first += 2 * together) least_of<2 * together>(lines + first, sums, own, lanes_ - first, best + first);
            if (first < lanes_) least_of<together>(lines + first, sums, own, lanes_ - first, best + first);
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
            axes[d] = {step.about[d], step.classes[d].count, step.classes[d].of.data(), stride};
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
    std::vector<scaled> sums_, lines_;
    std::vector<const scaled*> lines_at_;
    std::vector<std::uint32_t> digit_;
    /// Of the part that is laid out: where classes stand in the factor's table, and whether the lanes stand there side by side.
    std::vector<std::size_t> own_place_, lane_place_;
    std::vector<const axis*> by_digit_;
    bool lanes_in_order_ = false;
};

}  // namespace inlay

#endif
