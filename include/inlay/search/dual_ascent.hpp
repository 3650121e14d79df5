// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_DUAL_ASCENT_HPP
#define INLAY_SEARCH_DUAL_ASCENT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/model.hpp>
#include <inlay/search/scaled.hpp>

namespace inlay {

/// Sequential dual ascent on a pairwise model (after TRW-S, Kolmogorov 2006, in its reparametrised form): prices are moved between
/// tables and values without changing what any assignment costs, so that the sum of the least entries, a lower bound, rises.
/// All in whole units, in a given order of the variables: the same on every run.
///
/// Values that no assignment below a known cost can use are dropped for good ("fixed"), which is exact.
class dual_ascent {
public:
    /// `order` is a permutation of the variables; along it and back go the passes. The model must outlive this.
    dual_ascent(const model& m, std::span<const std::uint32_t> order) : model_(&m), order_(order.begin(), order.end()), unary_(m.unary) {
        std::vector<std::size_t> position(m.variables());
        for (std::size_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
        edges_.reserve(m.pairs.size());
        std::size_t classes = 0;
        for (const pair_table& p : m.pairs) {
            edges_.push_back({p.cost.data(), p.a_map.count, p.b_map.count, classes, classes + p.a_map.count});
            classes += p.a_map.count + p.b_map.count;
        }
        moved_.assign(classes, 0);
        ends_ = detail::make_rows<end>(m.variables(), [&](auto visit) {
            for (std::size_t e = 0; e < m.pairs.size(); ++e) {
                const pair_table& p = m.pairs[e];
                const bool a_first = position[p.a] < position[p.b];
                visit(p.a, end{p.a_map.of.data(), static_cast<std::uint32_t>(e), true, a_first});
                visit(p.b, end{p.b_map.of.data(), static_cast<std::uint32_t>(e), false, !a_first});
            }
        });
        alive_.assign(unary_.items.size(), 1);
        alive_count_.assign(m.variables(), 0);
        reset(std::vector<std::uint8_t>(unary_.items.size(), 1));
    }

    /// Starts over with some of the values, one flag for each, but from the prices as they have been moved: no assignment costs
    /// anything else for that, and a related set of values gets a good bound at once.
    void reset(std::span<const std::uint8_t> alive) {
        failed_ = false;
        bound_ = 0;
        std::copy(alive.begin(), alive.end(), alive_.begin());
        unary_.items = model_->unary.items;
        alive_classes_.assign(moved_.size(), 0);
        for (std::size_t i = 0; i < model_->variables(); ++i) {
            const std::size_t first = unary_.begin[i];
            const std::size_t values = model_->unary[i].size();
            alive_count_[i] = 0;
            for (std::size_t x = 0; x < values; ++x) {
                scaled& price = unary_.items[first + x];
                if (price >= never) alive_[first + x] = 0;
                if (alive_[first + x] == 0) price = never;
                alive_count_[i] += alive_[first + x];
            }
            failed_ = failed_ || alive_count_[i] == 0;
            for (const end& at : ends_[i]) {
                const std::size_t classes = first_class(at);
                for (std::size_t x = 0; x < values; ++x) {
                    if (alive_[first + x] == 0) continue;
                    unary_.items[first + x] += moved_[classes + at.of[x]];
                    ++alive_classes_[classes + at.of[x]];
                }
            }
        }
        taken_ = moved_;
        for (std::size_t k = 0; k < taken_.size(); ++k)
            if (alive_classes_[k] == 0) taken_[k] = all_of_it;
        last_ = direction::none;
        if (!failed_) update_bound();
    }

    /// Puts all prices back where they came from, for the next `reset`: after a domain in which nothing is possible they are of no use.
    void forget() { std::fill(moved_.begin(), moved_.end(), scaled{0}); }

    /// One pass along the order, or back along it; best in turns.
    void pass(bool forward) {
        // What the variables ahead can give was taken when they were passed on the way back, and they have not changed since.
        const bool turned = last_ == (forward ? direction::back : direction::forward);
        for (std::size_t i = 0; i < order_.size() && !failed_; ++i) visit(order_[forward ? i : order_.size() - 1 - i], forward, !turned);
        last_ = forward ? direction::forward : direction::back;
        // Each table was emptied when the later of its ends was passed: nothing is left in its cheapest place.
        sum_of_least();
    }

    /// No assignment of values that are alive costs less; `never` if there is none at all.
    [[nodiscard]] scaled bound() const { return failed_ ? never : std::max<scaled>(bound_, 0); }

    /// Whether value x of variable i may still be in an assignment below the known cost.
    [[nodiscard]] bool alive(std::size_t i, std::size_t x) const { return alive_[unary_.begin[i] + x] != 0; }
    [[nodiscard]] std::span<const std::uint8_t> alive_values() const { return alive_; }

    /// How much the bound would rise at least if variable i took value x; `never` if that value was dropped.
    [[nodiscard]] scaled slack(std::size_t i, std::size_t x) const {
        const scaled price = unary_.items[unary_.begin[i] + x];
        return alive(i, x) ? price - least_[i] : never;
    }

    /// The least price of the values of a variable that are alive, as of the last pass.
    [[nodiscard]] scaled least(std::size_t i) const { return least_[i]; }

    /// What has been moved from the table of pair `e` to a value of its first variable, or of its second.
    [[nodiscard]] scaled moved_to_a(std::size_t e, std::size_t value) const {
        return moved_[edges_[e].a_classes + model_->pairs[e].a_map.of[value]];
    }
    [[nodiscard]] scaled moved_to_b(std::size_t e, std::size_t value) const {
        return moved_[edges_[e].b_classes + model_->pairs[e].b_map.of[value]];
    }

    /// Drops every value that only assignments of `cost` or more can have; returns how many.
    std::size_t fix(scaled cost) {
        std::size_t dropped = 0;
        for (std::size_t i = 0; i < model_->variables() && !failed_; ++i) {
            for (std::size_t x = 0; x < model_->unary[i].size(); ++x) {
                if (!alive(i, x) || add(bound_, slack(i, x)) < cost) continue;
                drop(i, x);
                ++dropped;
            }
        }
        return dropped;
    }

    /// What is left of the price of two values in the table of pair `e`.
    [[nodiscard]] scaled left(std::size_t e, std::size_t a_value, std::size_t b_value) const {
        const pair_table& p = model_->pairs[e];
        const edge& at = edges_[e];
        const std::size_t a = p.a_map.of[a_value], b = p.b_map.of[b_value];
        const scaled price = p.cost[a * at.b_count + b];
        const scaled rest = price >= never ? never : price - moved_[at.a_classes + a] - moved_[at.b_classes + b];
        return rest >= hopeless ? never : rest;
    }

private:
    /// Twice what any assignment worth having can cost.
    static constexpr scaled hopeless = scaled{1} << 60;
    /// What counts as taken where nothing is alive: whatever is left there is hopeless.
    static constexpr scaled all_of_it = -(scaled{1} << 61);

    /// A table, and where the classes of its sides stand among all.
    struct edge {
        const scaled* cost;
        std::uint32_t a_count;
        std::uint32_t b_count;
        std::size_t a_classes;
        std::size_t b_classes;
    };
    struct end {
        const std::uint32_t* of;
        std::uint32_t edge;
        bool is_a;
        /// Whether the other end comes later in the order.
        bool other_later;
    };

    [[nodiscard]] std::size_t first_class(const end& at) const { return at.is_a ? edges_[at.edge].a_classes : edges_[at.edge].b_classes; }
    [[nodiscard]] std::size_t class_count(const end& at) const { return at.is_a ? edges_[at.edge].a_count : edges_[at.edge].b_count; }

    void drop(std::size_t i, std::size_t x) {
        alive_[unary_.begin[i] + x] = 0;
        unary_.items[unary_.begin[i] + x] = never;
        for (const end& at : ends_[i]) {
            const std::size_t k = first_class(at) + at.of[x];
            if (--alive_classes_[k] == 0) taken_[k] = all_of_it;
        }
        if (--alive_count_[i] == 0) failed_ = true;
    }

    /// The least that is left in the table for each class of one end, over the classes that are alive at the other; `never` where that is
    /// nothing, or this class is not alive itself.
    void least_left(const end& at, std::vector<scaled>& least) const {
        const edge& e = edges_[at.edge];
        const scaled* const a_taken = taken_.data() + e.a_classes;
        const scaled* const b_taken = taken_.data() + e.b_classes;
        const std::size_t width = e.b_count;
        if (at.is_a) {
            least.resize(e.a_count);
            for (std::size_t a = 0; a < e.a_count; ++a) {
                const scaled* const line = e.cost + a * width;
                scaled best = never;
                for (std::size_t b = 0; b < width; ++b) best = std::min(best, line[b] - b_taken[b]);
                least[a] = best - a_taken[a];
            }
        } else {
            least.assign(width, never);
            for (std::size_t a = 0; a < e.a_count; ++a) {
                const scaled* const line = e.cost + a * width;
                for (std::size_t b = 0; b < width; ++b) least[b] = std::min(least[b], line[b] - a_taken[a]);
            }
            for (std::size_t b = 0; b < width; ++b) least[b] -= b_taken[b];
        }
        for (scaled& entry : least) entry = entry >= hopeless ? never : entry;
    }

    void visit(std::uint32_t i, bool forward, bool all_ends) {
        scaled* const price = unary_.items.data() + unary_.begin[i];
        const std::size_t values = model_->unary[i].size();
        std::size_t ahead = 0;
        std::size_t behind = 0;
        for (const end& at : ends_[i]) {
            ++(at.other_later == forward ? ahead : behind);
            if (at.other_later == forward && !all_ends) continue;
            least_left(at, least_left_);
            const std::size_t classes = first_class(at);
            for (std::size_t k = 0; k < least_left_.size(); ++k) {
                if (least_left_[k] >= never) continue;
                moved_[classes + k] += least_left_[k];
                taken_[classes + k] += least_left_[k];
            }
            for (std::size_t x = 0; x < values; ++x) {
                if (price[x] >= never) continue;
                // Nothing that is left is negative, so that a value above every cover's price is in no cover.
                const scaled sum = price[x] + least_left_[at.of[x]];
                if (sum >= hopeless)
                    drop(i, x);
                else
                    price[x] = sum;
            }
            if (failed_) return;
        }
        if (ahead == 0) return;
        const auto shares = static_cast<scaled>(std::max(ahead, behind));
        whole_.assign(price, price + values);
        for (const end& at : ends_[i]) {
            if (at.other_later != forward) continue;
            least_left_.assign(class_count(at), never);
            for (std::size_t x = 0; x < values; ++x) least_left_[at.of[x]] = std::min(least_left_[at.of[x]], whole_[x]);
            const std::size_t classes = first_class(at);
            for (std::size_t k = 0; k < least_left_.size(); ++k) {
                if (least_left_[k] >= never) continue;
                least_left_[k] /= shares;
                moved_[classes + k] -= least_left_[k];
                taken_[classes + k] -= least_left_[k];
            }
            for (std::size_t x = 0; x < values; ++x) {
                if (price[x] < never) price[x] -= least_left_[at.of[x]];
            }
        }
    }

    /// The bound where nothing is left in the cheapest place of any table.
    void sum_of_least() {
        least_.assign(model_->variables(), never);
        if (failed_) return;
        bound_ = model_->constant;
        for (std::size_t i = 0; i < model_->variables(); ++i) {
            for (const scaled price : unary_[i]) least_[i] = std::min(least_[i], price);
            bound_ = add(bound_, least_[i]);
        }
    }

    void update_bound() {
        sum_of_least();
        for (const edge& e : edges_) {
            const scaled* const b_taken = taken_.data() + e.b_classes;
            scaled least = never;
            for (std::size_t a = 0; a < e.a_count; ++a) {
                const scaled* const line = e.cost + a * e.b_count;
                scaled best = never;
                for (std::size_t b = 0; b < e.b_count; ++b) best = std::min(best, line[b] - b_taken[b]);
                least = std::min(least, best - taken_[e.a_classes + a]);
            }
            bound_ = add(bound_, least >= hopeless ? never : least);
        }
    }

    /// Which way the last pass went.
    enum class direction : std::uint8_t { none, forward, back };

    const model* model_;
    std::vector<std::uint32_t> order_;
    rows<scaled> unary_;
    std::vector<edge> edges_;
    rows<end> ends_;
    /// Per class of every side what has been moved from the table to its values; `taken_` is the same where some of them are alive, else so
    /// low that what is left of the table there is hopeless.
    std::vector<scaled> moved_, taken_;
    std::vector<std::uint32_t> alive_classes_;
    std::vector<std::uint8_t> alive_;
    std::vector<std::size_t> alive_count_;
    /// The least price of each variable's values, as of the last pass.
    std::vector<scaled> least_;
    std::vector<scaled> least_left_;
    std::vector<scaled> whole_;
    scaled bound_ = 0;
    direction last_ = direction::none;
    bool failed_ = false;
};

}  // namespace inlay

#endif
