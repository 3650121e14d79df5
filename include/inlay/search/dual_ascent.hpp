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
        for (const pair_table& p : m.pairs) {
            edge e;
            e.table = &p;
            e.a_moved.assign(p.a_map.count, 0);
            e.b_moved.assign(p.b_map.count, 0);
            e.a_alive.assign(p.a_map.count, 0);
            e.b_alive.assign(p.b_map.count, 0);
            edges_.push_back(std::move(e));
        }
        ends_ = detail::make_rows<end>(m.variables(), [&](auto visit) {
            for (std::size_t e = 0; e < m.pairs.size(); ++e) {
                const bool a_first = position[m.pairs[e].a] < position[m.pairs[e].b];
                visit(m.pairs[e].a, end{static_cast<std::uint32_t>(e), true, a_first});
                visit(m.pairs[e].b, end{static_cast<std::uint32_t>(e), false, !a_first});
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
        for (edge& e : edges_) {
            std::fill(e.a_alive.begin(), e.a_alive.end(), 0u);
            std::fill(e.b_alive.begin(), e.b_alive.end(), 0u);
        }
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
                const class_map& map = map_of(at);
                const std::vector<scaled>& moved = moved_of(at);
                for (std::size_t x = 0; x < values; ++x) {
                    if (alive_[first + x] == 0) continue;
                    unary_.items[first + x] += moved[map.of[x]];
                    ++alive_of(at)[map.of[x]];
                }
            }
        }
        if (!failed_) update_bound();
    }

    /// One pass along the order, or back along it.
    void pass(bool forward) {
        for (std::size_t i = 0; i < order_.size() && !failed_; ++i) visit(order_[forward ? i : order_.size() - 1 - i], forward);
        update_bound();
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
        const pair_table& p = *edges_[e].table;
        return left_of(edges_[e], p.a_map.of[a_value], p.b_map.of[b_value]);
    }

private:
    /// Twice what any assignment worth having can cost.
    static constexpr scaled hopeless = scaled{1} << 60;

    struct edge {
        const pair_table* table;
        /// Per class what has been moved from the table to the values of each side, and how many of its values are alive.
        std::vector<scaled> a_moved;
        std::vector<scaled> b_moved;
        std::vector<std::uint32_t> a_alive;
        std::vector<std::uint32_t> b_alive;
    };
    struct end {
        std::uint32_t edge;
        bool is_a;
        /// Whether the other end comes later in the order.
        bool other_later;
    };

    [[nodiscard]] const class_map& map_of(const end& at) const {
        const pair_table& p = *edges_[at.edge].table;
        return at.is_a ? p.a_map : p.b_map;
    }
    [[nodiscard]] std::vector<scaled>& moved_of(const end& at) { return at.is_a ? edges_[at.edge].a_moved : edges_[at.edge].b_moved; }
    [[nodiscard]] std::vector<std::uint32_t>& alive_of(const end& at) {
        return at.is_a ? edges_[at.edge].a_alive : edges_[at.edge].b_alive;
    }

    [[nodiscard]] static scaled left_of(const edge& e, std::size_t a, std::size_t b) {
        const scaled price = e.table->cost[a * e.table->b_map.count + b];
        const scaled rest = price >= never ? never : price - e.a_moved[a] - e.b_moved[b];
        return rest >= hopeless ? never : rest;
    }

    void drop(std::size_t i, std::size_t x) {
        alive_[unary_.begin[i] + x] = 0;
        unary_.items[unary_.begin[i] + x] = never;
        for (const end& at : ends_[i]) --alive_of(at)[map_of(at).of[x]];
        if (--alive_count_[i] == 0) failed_ = true;
    }

    /// The least that is left in the table for each class of one end, over the classes that are alive at the other.
    void least_left(const end& at, std::vector<scaled>& least) const {
        const edge& e = edges_[at.edge];
        const std::size_t width = e.table->b_map.count;
        least.assign(at.is_a ? e.table->a_map.count : width, never);
        for (std::size_t a = 0; a < e.table->a_map.count; ++a) {
            if (e.a_alive[a] == 0) continue;
            for (std::size_t b = 0; b < width; ++b) {
                if (e.b_alive[b] == 0) continue;
                scaled& entry = least[at.is_a ? a : b];
                entry = std::min(entry, left_of(e, a, b));
            }
        }
    }

    void visit(std::uint32_t i, bool forward) {
        scaled* price = unary_.items.data() + unary_.begin[i];
        const std::size_t values = model_->unary[i].size();
        std::size_t ahead = 0;
        std::size_t behind = 0;
        for (const end& at : ends_[i]) {
            ++(at.other_later == forward ? ahead : behind);
            least_left(at, least_left_);
            std::vector<scaled>& moved = moved_of(at);
            const class_map& map = map_of(at);
            for (std::size_t k = 0; k < map.count; ++k) {
                if (least_left_[k] < never) moved[k] += least_left_[k];
            }
            for (std::size_t x = 0; x < values; ++x) {
                if (!alive(i, x)) continue;
                const scaled gained = least_left_[map.of[x]];
                // Nothing that is left is negative, so that a value above every cover's price is in no cover.
                if (gained >= hopeless || price[x] + gained >= hopeless) {
                    drop(i, x);
                } else {
                    price[x] += gained;
                }
            }
            if (failed_) return;
        }
        if (ahead == 0) return;
        const auto shares = static_cast<scaled>(std::max(ahead, behind));
        share_.assign(price, price + values);
        for (scaled& s : share_) s = s >= never ? never : s / shares;
        for (const end& at : ends_[i]) {
            if (at.other_later != forward) continue;
            const class_map& map = map_of(at);
            least_left_.assign(map.count, never);
            for (std::size_t x = 0; x < values; ++x) least_left_[map.of[x]] = std::min(least_left_[map.of[x]], share_[x]);
            std::vector<scaled>& moved = moved_of(at);
            for (std::size_t k = 0; k < map.count; ++k) {
                if (least_left_[k] < never) moved[k] -= least_left_[k];
            }
            for (std::size_t x = 0; x < values; ++x) {
                if (price[x] < never) price[x] -= least_left_[map.of[x]];
            }
        }
    }

    void update_bound() {
        least_.assign(model_->variables(), never);
        if (failed_) return;
        scaled sum = model_->constant;
        for (std::size_t i = 0; i < model_->variables(); ++i) {
            for (const scaled price : unary_[i]) least_[i] = std::min(least_[i], price);
            sum = add(sum, least_[i]);
        }
        for (const edge& e : edges_) {
            scaled least = never;
            for (std::size_t a = 0; a < e.a_moved.size(); ++a) {
                for (std::size_t b = 0; b < e.b_moved.size(); ++b) {
                    if (e.a_alive[a] != 0 && e.b_alive[b] != 0) least = std::min(least, left_of(e, a, b));
                }
            }
            sum = add(sum, least);
        }
        bound_ = sum;
    }

    const model* model_;
    std::vector<std::uint32_t> order_;
    rows<scaled> unary_;
    std::vector<edge> edges_;
    rows<end> ends_;
    std::vector<std::uint8_t> alive_;
    std::vector<std::size_t> alive_count_;
    /// The least price of each variable's values, as of the last pass.
    std::vector<scaled> least_;
    std::vector<scaled> least_left_;
    std::vector<scaled> share_;
    scaled bound_ = 0;
    bool failed_ = false;
};

}  // namespace inlay

#endif
