// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_ELIMINATION_BUCKET_HPP
#define INLAY_SEARCH_EXACT_ELIMINATION_BUCKET_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/core/arena.hpp>
#include <inlay/search/exact/elimination_order.hpp>
#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>

namespace inlay::detail {

/// A variable that a table knows of: the class of each of its values, how many classes there are, and how far apart they stand.
struct table_axis {
    std::uint32_t variable;
    std::uint32_t count;
    const std::uint32_t* of;
    std::size_t stride;
};

/// A table in the bucket of a step: of the model, or the message of an earlier step (`sender`). Those of a bucket are a chain.
struct bucket_factor {
    std::span<const fixed_cost> table;
    std::span<const table_axis> axes;
    std::uint32_t sender;
    std::uint32_t next;
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
};

/// The bucket of one step of an elimination: the factors that know of its variable, laid out so that one sweep sums them for all
/// combinations of the values of the others. The others are digits, the last of them in lanes: side by side, where they are summed by
/// vector instructions. One bucket is laid out after the other, in the same room.
class elimination_bucket {
public:
    /// A factor laid out for the step that sweeps over it: by the digits that it knows of, in their order and by the factor's own classes
    /// of them, which may be far fewer; then by the step's classes of its own variable, then by lanes if it knows of the last digit and
    /// that is the one in lanes: `room()` of them, `infinite_cost` in those that stand for no class.
    struct part {
        const bucket_factor* factor;
        std::span<const fixed_cost> table;
        std::span<const std::size_t* const> place;  // by digit: where each of the step's classes stands; null where it does not know of it
        std::size_t level;                          // so many digits determine it
        bool in_lanes;
        std::size_t offset = 0;
        /// Room for something of the same layout, if it was asked for.
        fixed_cost* projected = nullptr;
    };

    /// Lays the bucket of a step out for sweeping: `prices` are those of the variable's values, `first` is the first of its factors.
    void lay_out(const elimination_step& step, std::span<const fixed_cost> prices, std::span<const bucket_factor> factors,
                 std::uint32_t first) {
        step_ = &step;
        const std::size_t own = step.own.count;
        const std::size_t digits = step.about.size();
        scratch_.clear();
        cheapest_.assign(own, infinite_cost);
        for (std::size_t x = 0; x < step.own.of.size(); ++x) {
            fixed_cost& least = cheapest_[step.own.of[x]];
            least = std::min(least, prices[x]);
        }
        // The inner loops run over the classes of the last digit, unless it has few.
        constexpr std::size_t few = 4;
        const bool by_lanes = digits > 0 && (step.classes[digits - 1].count >= few || step.classes[digits - 1].count >= own);
        outer_ = by_lanes ? digits - 1 : digits;
        lanes_ = by_lanes ? step.classes[digits - 1].count : 1;
        room_ = by_lanes ? (lanes_ + together - 1) / together * together : 1;
        parts_.clear();
        for (std::uint32_t f = first; f != bucket_factor::none; f = factors[f].next) {
            part p{&factors[f], {}, {}, 0, false};
            by_digit_.assign(outer_, nullptr);
            for (const table_axis& a : factors[f].axes) {
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
            const std::span<fixed_cost> table = scratch_.take<fixed_cost>(size);
            const fixed_cost* const entries = factors[f].table.data();
            each_line(p, [&](std::size_t to, std::size_t from) {
                fixed_cost* const line = table.data() + to;
                if (!p.in_lanes) {
                    *line = entries[from];
                    return;
                }
                if (lanes_in_order_)
                    std::copy(entries + from, entries + from + lanes_, line);
                else
                    gather(entries + from, lane_place_.data(), lanes_, line);
                for (std::size_t l = lanes_; l < room_; ++l) line[l] = infinite_cost;
            });
            p.table = table;
            parts_.push_back(p);
        }
    }

    [[nodiscard]] std::span<part> parts() { return parts_; }
    /// How many classes the step's own variable has, and the price of the cheapest value of each.
    [[nodiscard]] std::size_t own() const { return step_->own.count; }
    [[nodiscard]] std::span<const fixed_cost> cheapest() const { return cheapest_; }
    /// How many lanes there are, and how many stand in a line; 1 without lanes.
    [[nodiscard]] std::size_t lanes() const { return lanes_; }
    [[nodiscard]] std::size_t room() const { return room_; }
    /// Of the part whose lines are being visited.
    [[nodiscard]] std::span<const std::size_t> lane_places() const { return lane_place_; }

    /// Gives a part room for something of the same layout, all `infinite_cost`.
    void project(part& p) { p.projected = scratch_.take<fixed_cost>(p.table.size(), infinite_cost).data(); }

    /// Calls `visit(place in the part, place in the factor's table)` for the first entry of every line of a part: the lanes if it has them,
    /// else one entry. Lane l stands `lane_places()[l]` further in the factor's table.
    template <class Visit>
    void each_line(const part& p, const Visit& visit) {
        const elimination_step& step = *step_;
        const std::size_t own = step.own.count;
        own_place_.resize(own);
        lane_place_.resize(lanes_);
        by_digit_.assign(outer_, nullptr);
        for (const table_axis& a : p.factor->axes) {
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

    /// Calls `visit(row, sums, lines)` for every combination of the classes of the digits that are not in lanes, the last of them fastest:
    /// `sums[k]` is the sum of the cheapest price for own class k and of all parts that are not in lanes, `lines` that of those in lanes,
    /// `room()` for each own class; null if there are none.
    template <class Visit>
    void sweep(const Visit& visit) {
        const elimination_step& step = *step_;
        const std::size_t own = step.own.count;
        const std::size_t size = own * room_;
        // Row d of each: the sum of the parts that digits 0 to d - 1 determine.
        sums_.resize((outer_ + 1) * own);
        lines_.resize((outer_ + 1) * size);
        lines_at_.resize(outer_ + 1);
        digit_.assign(outer_, 0);
        const auto fill = [&](std::size_t level) {
            fixed_cost* const to = sums_.data() + level * own;
            const fixed_cost* const from = level == 0 ? cheapest_.data() : to - own;
            std::copy(from, from + own, to);
            const fixed_cost* lines = level == 0 ? nullptr : lines_at_[level - 1];
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

    /// The least sum over the own classes, for each lane; the arguments are those of a visit.
    void least(const fixed_cost* sums, const fixed_cost* lines, fixed_cost* best) const {
        const std::size_t own = step_->own.count;
        if (lines == nullptr) {
            std::fill(best, best + lanes_, *std::min_element(sums, sums + own));
            return;
        }
        std::size_t first = 0;
        for (; first + together < lanes_; first += 2 * together)
            least_together<2 * together>(lines + first, sums, own, lanes_ - first, best + first);
        if (first < lanes_) least_together<together>(lines + first, sums, own, lanes_ - first, best + first);
    }

    /// By itself, so that nothing it does not see can change what it works on.
    static void add_all(const fixed_cost* from, std::size_t count, fixed_cost* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = add(to[i], from[i]);
    }

private:
    /// So many lanes are summed at once, in registers.
    static constexpr std::size_t together = 4;

    /// Where each class of a digit, or of the step's own variable, stands where the factor's classes stand `stride` apart.
    static void places(const table_axis& a, const class_map& map, std::size_t stride, std::size_t* to) {
        if (a.of == map.of.data()) {
            for (std::size_t k = 0; k < map.count; ++k) to[k] = k * stride;
        } else {
            for (std::size_t x = map.of.size(); x-- > 0;) to[map.of[x]] = a.of[x] * stride;
        }
    }

    [[nodiscard]] static std::size_t digit_of(const elimination_step& step, std::uint32_t variable) {
        return static_cast<std::size_t>(std::find(step.about.begin(), step.about.end(), variable) - step.about.begin());
    }

    /// `to` may be `a`.
    static void add_both(const fixed_cost* a, const fixed_cost* b, std::size_t count, fixed_cost* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = add(a[i], b[i]);
    }

    /// The least sum over the own classes for `Together` lanes at once, of which `lanes` at most are kept.
    template <std::size_t Together>
    void least_together(const fixed_cost* lines, const fixed_cost* sums, std::size_t own, std::size_t lanes, fixed_cost* best) const {
        fixed_cost least[Together];
        std::fill(least, least + Together, infinite_cost);
        for (std::size_t k = 0; k < own; ++k, lines += room_)
            for (std::size_t l = 0; l < Together; ++l) least[l] = std::min(least[l], sums[k] + lines[l]);
        std::copy(least, least + std::min(Together, lanes), best);
    }

    static void gather(const fixed_cost* from, const std::size_t* place, std::size_t count, fixed_cost* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = from[place[i]];
    }

    const elimination_step* step_ = nullptr;
    arena scratch_;
    std::vector<part> parts_;
    std::vector<fixed_cost> cheapest_;
    /// How many digits are not in lanes.
    std::size_t outer_ = 0;
    std::size_t lanes_ = 1;
    std::size_t room_ = 1;
    std::vector<fixed_cost> sums_, lines_;
    std::vector<const fixed_cost*> lines_at_;
    std::vector<std::uint32_t> digit_;
    /// Of the part that is laid out: where classes stand in the factor's table, and whether the lanes stand there side by side.
    std::vector<std::size_t> own_place_, lane_place_;
    std::vector<const table_axis*> by_digit_;
    bool lanes_in_order_ = false;
};

}  // namespace inlay::detail

#endif
