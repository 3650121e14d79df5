// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_DUAL_ASCENT_HPP
#define INLAY_SEARCH_EXACT_DUAL_ASCENT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>

namespace inlay {

/// Dual ascent on a cost network: a lower bound by reparametrisation.
///
/// For who knows solvers of weighted constraint networks: a pass moves cost between tables (binary cost functions) and values (unary cost
/// functions) without changing what any assignment costs. Such a step is an equivalence-preserving transformation (Cooper and Schiex,
/// Artificial Intelligence 154, 2004); what it has moved, `moved_`, is the delta cost, or message, of a class of one side of a table.
/// `visit` first projects: a variable takes the least entry of each of its tables, value by value (`least_left`). Then it extends: each
/// table towards variables that come later gets an equal share back. That is sequential tree-reweighted message passing (TRW-S: Kolmogorov,
/// PAMI 28, 2006) in its reparametrised form; MPLP (Globerson and Jaakkola, NIPS 2007), max-sum diffusion and virtual arc consistency (VAC:
/// Cooper et al., Artificial Intelligence 174, 2010) climb the same dual, that of the local polytope, and stop at fixed points of the same
/// kind: the optimum only where the cheapest entries have an assignment in common. `bound` is what a solver of such networks calls the
/// nullary cost. `slack` is the unary cost above the least of the variable, `fix` is node consistency with the upper bound, which linear
/// programming calls reduced-cost fixing; a value that is `alive` may still have a full support.
///
/// All is in whole units, in a given order of the variables: the same on every run.
class dual_ascent {
public:
    /// `order` is a permutation of the variables; along it and back go the passes. The model must outlive this.
    dual_ascent(const cost_network& m, std::span<const std::uint32_t> order)
        : model_(&m), order_(order.begin(), order.end()), unary_(m.unary) {
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

    /// What has been moved so far, to go on from later.
    [[nodiscard]] const std::vector<fixed_cost>& prices() const { return moved_; }

    /// Goes on from such prices of this model at the next `reset`.
    void take(std::span<const fixed_cost> prices) { std::copy(prices.begin(), prices.end(), moved_.begin()); }

    /// Prices of another model as prices of this one, which has the tables of that one and more.
    [[nodiscard]] std::vector<fixed_cost> taken_over(const dual_ascent& from, std::span<const fixed_cost> prices) const {
        std::vector<fixed_cost> made(moved_.size(), 0);
        std::size_t e = 0;
        for (std::size_t old = 0; old < from.edges_.size(); ++old) {
            const pair_table& p = from.model_->pairs[old];
            while (model_->pairs[e].a != p.a || model_->pairs[e].b != p.b) ++e;
            const auto classes = static_cast<std::ptrdiff_t>(p.a_map.count + p.b_map.count);
            const auto first = prices.begin() + static_cast<std::ptrdiff_t>(from.edges_[old].a_classes);
            std::copy(first, first + classes, made.begin() + static_cast<std::ptrdiff_t>(edges_[e].a_classes));
        }
        return made;
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
                fixed_cost& price = unary_.items[first + x];
                if (price >= infinite_cost) alive_[first + x] = 0;
                if (alive_[first + x] == 0) price = infinite_cost;
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
    void forget() { std::fill(moved_.begin(), moved_.end(), fixed_cost{0}); }

    /// One pass along the order, or back along it; best in turns.
    void pass(bool forward) {
        // What the variables ahead can give was taken when they were passed on the way back, and they have not changed since.
        const bool turned = last_ == (forward ? direction::back : direction::forward);
        for (std::size_t i = 0; i < order_.size() && !failed_; ++i) visit(order_[forward ? i : order_.size() - 1 - i], forward, !turned);
        last_ = forward ? direction::forward : direction::back;
        // Each table was emptied when the later of its ends was passed: nothing is left in its cheapest place.
        sum_of_least();
    }

    /// No assignment of values that are alive costs less; `infinite_cost` if there is none at all.
    [[nodiscard]] fixed_cost bound() const { return failed_ ? infinite_cost : std::max<fixed_cost>(bound_, 0); }

    /// Whether value x of variable i may still be in an assignment below the known cost.
    [[nodiscard]] bool alive(std::size_t i, std::size_t x) const { return alive_[unary_.begin[i] + x] != 0; }
    [[nodiscard]] std::span<const std::uint8_t> alive_values() const { return alive_; }

    /// How much the bound would rise at least if variable i took value x; `infinite_cost` if that value was dropped.
    [[nodiscard]] fixed_cost slack(std::size_t i, std::size_t x) const {
        const fixed_cost price = unary_.items[unary_.begin[i] + x];
        return alive(i, x) ? price - least_[i] : infinite_cost;
    }

    /// The least price of the values of a variable that are alive, as of the last pass.
    [[nodiscard]] fixed_cost least(std::size_t i) const { return least_[i]; }

    /// What has been moved from the table of pair `e` to a value of its first variable, or of its second.
    [[nodiscard]] fixed_cost moved_to_a(std::size_t e, std::size_t value) const {
        return moved_[edges_[e].a_classes + model_->pairs[e].a_map.of[value]];
    }
    [[nodiscard]] fixed_cost moved_to_b(std::size_t e, std::size_t value) const {
        return moved_[edges_[e].b_classes + model_->pairs[e].b_map.of[value]];
    }

    /// Drops every value that only assignments of `cost` or more can have; returns how many.
    std::size_t fix(fixed_cost cost) {
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

    /// Drops value x of variable i, which only assignments that are not wanted have.
    void remove(std::size_t i, std::size_t x) {
        if (!failed_ && alive(i, x)) drop(i, x);
    }

    /// What is left of the price of two values in the table of pair `e`.
    [[nodiscard]] fixed_cost left(std::size_t e, std::size_t a_value, std::size_t b_value) const {
        const pair_table& p = model_->pairs[e];
        const edge& at = edges_[e];
        const std::size_t a = p.a_map.of[a_value], b = p.b_map.of[b_value];
        const fixed_cost price = p.cost[a * at.b_count + b];
        const fixed_cost rest = price >= infinite_cost ? infinite_cost : price - moved_[at.a_classes + a] - moved_[at.b_classes + b];
        return rest >= hopeless ? infinite_cost : rest;
    }

private:
    /// Twice what any assignment worth having can cost.
    static constexpr fixed_cost hopeless = fixed_cost{1} << 60;
    /// What counts as taken where nothing is alive: whatever is left there is hopeless.
    static constexpr fixed_cost all_of_it = -(fixed_cost{1} << 61);

    /// A table, and where the classes of its sides stand among all.
    struct edge {
        const fixed_cost* cost;
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
        unary_.items[unary_.begin[i] + x] = infinite_cost;
        for (const end& at : ends_[i]) {
            const std::size_t k = first_class(at) + at.of[x];
            if (--alive_classes_[k] == 0) taken_[k] = all_of_it;
        }
        if (--alive_count_[i] == 0) failed_ = true;
    }

    /// The least that is left in the table for each class of one end, over the classes that are alive at the other; `infinite_cost` where
    /// that is nothing, or this class is not alive itself.
    void least_left(const end& at, std::vector<fixed_cost>& least) const {
        const edge& e = edges_[at.edge];
        const fixed_cost* const a_taken = taken_.data() + e.a_classes;
        const fixed_cost* const b_taken = taken_.data() + e.b_classes;
        const std::size_t width = e.b_count;
        if (at.is_a) {
            least.resize(e.a_count);
            for (std::size_t a = 0; a < e.a_count; ++a) {
                const fixed_cost* const line = e.cost + a * width;
                fixed_cost best = infinite_cost;
                for (std::size_t b = 0; b < width; ++b) best = std::min(best, line[b] - b_taken[b]);
                least[a] = best - a_taken[a];
            }
        } else {
            least.assign(width, infinite_cost);
            for (std::size_t a = 0; a < e.a_count; ++a) {
                const fixed_cost* const line = e.cost + a * width;
                for (std::size_t b = 0; b < width; ++b) least[b] = std::min(least[b], line[b] - a_taken[a]);
            }
            for (std::size_t b = 0; b < width; ++b) least[b] -= b_taken[b];
        }
        for (fixed_cost& entry : least) entry = entry >= hopeless ? infinite_cost : entry;
    }

    void visit(std::uint32_t i, bool forward, bool all_ends) {
        fixed_cost* const price = unary_.items.data() + unary_.begin[i];
        const std::size_t values = model_->unary[i].size();
        std::size_t ahead = 0;
        std::size_t behind = 0;
        for (const end& at : ends_[i]) {
            ++(at.other_later == forward ? ahead : behind);
            if (at.other_later == forward && !all_ends) continue;
            least_left(at, least_left_);
            const std::size_t classes = first_class(at);
            for (std::size_t k = 0; k < least_left_.size(); ++k) {
                if (least_left_[k] >= infinite_cost) continue;
                moved_[classes + k] += least_left_[k];
                taken_[classes + k] += least_left_[k];
            }
            for (std::size_t x = 0; x < values; ++x) {
                if (price[x] >= infinite_cost) continue;
                // Nothing that is left is negative, so that a value above every cover's price is in no cover.
                const fixed_cost sum = price[x] + least_left_[at.of[x]];
                if (sum >= hopeless)
                    drop(i, x);
                else
                    price[x] = sum;
            }
            if (failed_) return;
        }
        if (ahead == 0) return;
        const auto shares = static_cast<fixed_cost>(std::max(ahead, behind));
        whole_.assign(price, price + values);
        for (const end& at : ends_[i]) {
            if (at.other_later != forward) continue;
            least_left_.assign(class_count(at), infinite_cost);
            for (std::size_t x = 0; x < values; ++x) least_left_[at.of[x]] = std::min(least_left_[at.of[x]], whole_[x]);
            const std::size_t classes = first_class(at);
            for (std::size_t k = 0; k < least_left_.size(); ++k) {
                if (least_left_[k] >= infinite_cost) continue;
                least_left_[k] /= shares;
                moved_[classes + k] -= least_left_[k];
                taken_[classes + k] -= least_left_[k];
            }
            for (std::size_t x = 0; x < values; ++x) {
                if (price[x] < infinite_cost) price[x] -= least_left_[at.of[x]];
            }
        }
    }

    /// The bound where nothing is left in the cheapest place of any table.
    void sum_of_least() {
        least_.assign(model_->variables(), infinite_cost);
        if (failed_) return;
        bound_ = model_->constant;
        for (std::size_t i = 0; i < model_->variables(); ++i) {
            for (const fixed_cost price : unary_[i]) least_[i] = std::min(least_[i], price);
            bound_ = add(bound_, least_[i]);
        }
    }

    void update_bound() {
        sum_of_least();
        for (const edge& e : edges_) {
            const fixed_cost* const b_taken = taken_.data() + e.b_classes;
            fixed_cost least = infinite_cost;
            for (std::size_t a = 0; a < e.a_count; ++a) {
                const fixed_cost* const line = e.cost + a * e.b_count;
                fixed_cost best = infinite_cost;
                for (std::size_t b = 0; b < e.b_count; ++b) best = std::min(best, line[b] - b_taken[b]);
                least = std::min(least, best - taken_[e.a_classes + a]);
            }
            bound_ = add(bound_, least >= hopeless ? infinite_cost : least);
        }
    }

    /// Which way the last pass went.
    enum class direction : std::uint8_t { none, forward, back };

    const cost_network* model_;
    std::vector<std::uint32_t> order_;
    rows<fixed_cost> unary_;
    std::vector<edge> edges_;
    rows<end> ends_;
    /// Per class of every side what has been moved from the table to its values; `taken_` is the same where some of them are alive, else so
    /// low that what is left of the table there is hopeless.
    std::vector<fixed_cost> moved_, taken_;
    std::vector<std::uint32_t> alive_classes_;
    std::vector<std::uint8_t> alive_;
    std::vector<std::size_t> alive_count_;
    /// The least price of each variable's values, as of the last pass.
    std::vector<fixed_cost> least_;
    std::vector<fixed_cost> least_left_;
    std::vector<fixed_cost> whole_;
    fixed_cost bound_ = 0;
    direction last_ = direction::none;
    bool failed_ = false;
};

}  // namespace inlay

#endif
