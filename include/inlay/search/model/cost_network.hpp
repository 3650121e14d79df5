// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_COST_NETWORK_HPP
#define INLAY_SEARCH_MODEL_COST_NETWORK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/arena.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/rows.hpp>

namespace inlay {

/// Which values of a variable look alike from somewhere: a class for each value, classes dense from 0 in order of first appearance.
/// Refers to memory of whoever made it.
struct class_map {
    std::span<const std::uint32_t> of;
    std::uint32_t count = 0;

    friend bool operator==(const class_map& a, const class_map& b) {
        return a.count == b.count && (a.of.data() == b.of.data() || std::equal(a.of.begin(), a.of.end(), b.of.begin(), b.of.end()));
    }
};

/// The classes of a variable that nothing tells apart.
[[nodiscard]] inline class_map one_class(std::size_t values, arena& memory) {
    return {memory.take<std::uint32_t>(values, 0), values == 0 ? 0u : 1u};
}

/// Makes class maps, and keeps the room that this takes for the next one.
class class_mapper {
public:
    /// Renumbers arbitrary class numbers below `bound` densely in order of first appearance, in place; `kept()[k]` is then the old
    /// number of class k, and the number of classes is returned.
    std::uint32_t make_dense(std::span<std::uint32_t> raw, std::size_t bound) {
        number_.assign(bound, none);
        kept_.clear();
        for (std::uint32_t& r : raw) {
            if (number_[r] == none) {
                number_[r] = static_cast<std::uint32_t>(kept_.size());
                kept_.push_back(r);
            }
            r = number_[r];
        }
        return static_cast<std::uint32_t>(kept_.size());
    }
    [[nodiscard]] std::span<const std::uint32_t> kept() const { return kept_; }

    /// The coarsest classes at least as fine as both. O(values) and what the classes of `b` met with one of `a` take to look through.
    [[nodiscard]] class_map refine(const class_map& a, const class_map& b, arena& memory) {
        if (b.count <= 1 || a.count == a.of.size() || a == b) return a;
        if (a.count <= 1 || b.count == b.of.size()) return b;
        // Chains of the b-classes met with each a-class: linear in memory, and short.
        number_.assign(a.count, none);
        links_.clear();
        kept_.clear();
        for (std::size_t x = 0; x < a.of.size(); ++x) {
            std::uint32_t at = number_[a.of[x]];
            while (at != none && links_[at].other != b.of[x]) at = links_[at].next;
            if (at == none) {
                at = static_cast<std::uint32_t>(links_.size());
                links_.push_back({b.of[x], number_[a.of[x]]});
                number_[a.of[x]] = at;
            }
            kept_.push_back(at);
        }
        const auto count = static_cast<std::uint32_t>(links_.size());
        if (count == a.count) return a;
        return {memory.copy(std::span<const std::uint32_t>(kept_)), count};
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;
    /// Number k: class k of a refinement.
    struct link {
        std::uint32_t other;
        std::uint32_t next;
    };

    std::vector<std::uint32_t> number_, kept_;
    std::vector<link> links_;
};

/// A price for each pair of values of variables `a < b`, which depends on their classes only:
/// `cost[class of a * b_map.count + class of b]`.
struct pair_table {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    class_map a_map;
    class_map b_map;
    std::span<const fixed_cost> cost;

    [[nodiscard]] fixed_cost at(std::size_t a_value, std::size_t b_value) const {
        return cost[static_cast<std::size_t>(a_map.of[a_value]) * b_map.count + b_map.of[b_value]];
    }
};

/// A pairwise graphical model: choose a value for each variable; pay a price for each value and for each pair in a table.
struct cost_network {
    /// Row i: the price of each value of variable i.
    rows<fixed_cost> unary;
    /// At most one table for two variables, sorted by (a, b); none between variables of which one has no values.
    std::vector<pair_table> pairs;
    /// Paid whatever is chosen.
    fixed_cost constant = 0;
    /// What the tables refer to.
    arena memory;

    [[nodiscard]] std::size_t variables() const { return unary.size(); }
    /// Puts the tables in their order.
    void sort_pairs() {
        std::sort(pairs.begin(), pairs.end(), [](const pair_table& x, const pair_table& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    }
};

/// What an assignment of a value to each variable costs.
[[nodiscard]] inline fixed_cost evaluate(const cost_network& m, std::span<const std::uint32_t> values) {
    fixed_cost total = m.constant;
    for (std::size_t i = 0; i < m.variables(); ++i) total = add(total, m.unary[i][values[i]]);
    for (const pair_table& p : m.pairs) total = add(total, p.at(values[p.a], values[p.b]));
    return total;
}

namespace detail {

/// Brings tables into their smallest form.
class table_maker {
public:
    /// Adds a table to a model, with the classes dropped that no value has and those merged that no value of the other side tells apart.
    /// A table with one class on a side becomes a price of the other side's values. `a_of` and `b_of` are any class numbers below the
    /// counts and get overwritten; cost[k * b_count + l] is the price of classes k and l.
    void add(cost_network& to, std::uint32_t a, std::uint32_t b, std::span<std::uint32_t> a_of, std::size_t a_count,
             std::span<std::uint32_t> b_of, std::size_t b_count, std::span<const fixed_cost> cost) {
        const std::size_t width = mapper_.make_dense(b_of, b_count);
        columns_.assign(mapper_.kept().begin(), mapper_.kept().end());
        const std::size_t height = mapper_.make_dense(a_of, a_count);
        cost_.resize(height * width);
        for (std::size_t i = 0; i < height; ++i)
            for (std::size_t j = 0; j < width; ++j) cost_[i * width + j] = cost[mapper_.kept()[i] * b_count + columns_[j]];
        const std::size_t lines = merge_lines(a_of, height, width);
        turned_.resize(lines * width);
        for (std::size_t i = 0; i < lines; ++i)
            for (std::size_t j = 0; j < width; ++j) turned_[j * lines + i] = cost_[i * width + j];
        std::swap(cost_, turned_);
        const std::size_t merged = merge_lines(b_of, width, lines);
        // Where a variable has no value left there is nothing to pay.
        if (lines == 0 || merged == 0) return;
        if (lines <= 1 || merged <= 1) {
            // One class on one side: the table is a price on the other.
            const bool on_b = lines <= 1;
            fixed_cost* const price = to.unary.items.data() + to.unary.begin[on_b ? b : a];
            const std::span<const std::uint32_t> of = on_b ? b_of : a_of;
            for (std::size_t x = 0; x < of.size(); ++x) price[x] = inlay::add(price[x], cost_[of[x]]);
            return;
        }
        const std::span<fixed_cost> kept = to.memory.take<fixed_cost>(lines * merged);
        for (std::size_t i = 0; i < lines; ++i)
            for (std::size_t j = 0; j < merged; ++j) kept[i * merged + j] = cost_[j * lines + i];
        to.pairs.push_back({a,
                            b,
                            {to.memory.copy(std::span<const std::uint32_t>(a_of)), static_cast<std::uint32_t>(lines)},
                            {to.memory.copy(std::span<const std::uint32_t>(b_of)), static_cast<std::uint32_t>(merged)},
                            kept});
    }

private:
    /// Merges equal lines of `cost_`, and the classes that they stand for. Returns how many there are.
    std::size_t merge_lines(std::span<std::uint32_t> of, std::size_t lines, std::size_t width) {
        std::size_t slots = 16;
        while (slots < lines * 2) slots *= 2;
        slot_.assign(slots, none);
        renumbered_.clear();
        std::uint32_t kept = 0;
        for (std::size_t i = 0; i < lines; ++i) {
            const fixed_cost* const line = cost_.data() + i * width;
            std::uint64_t hash = 0;
            for (std::size_t j = 0; j < width; ++j) hash = (hash ^ static_cast<std::uint64_t>(line[j])) * 0x9E37'79B9'7F4A'7C15u;
            std::size_t at = (hash >> 32) & (slots - 1);
            while (slot_[at] != none && !std::equal(line, line + width, cost_.data() + slot_[at] * width)) at = (at + 1) & (slots - 1);
            if (slot_[at] == none) {
                if (kept != i) std::copy(line, line + width, cost_.data() + kept * width);
                slot_[at] = kept++;
            }
            renumbered_.push_back(slot_[at]);
        }
        if (kept != lines)
            for (std::uint32_t& k : of) k = renumbered_[k];
        return kept;
    }

    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    class_mapper mapper_;
    std::vector<std::uint32_t> columns_, slot_, renumbered_;
    std::vector<fixed_cost> cost_, turned_;
};

}  // namespace detail

/// A model without some values: value k of variable i is value `values[i][k]` of the original.
struct restricted_model {
    cost_network m;
    rows<std::uint32_t> values;
};

/// The model in which variable i keeps its values with `alive[original.unary.begin[i] + value] != 0` only. Tables that no longer
/// tell the values of one side apart become prices of the other side's values; those that nothing was taken from are shared with the
/// original, which must outlive it. A variable may be left without a value.
[[nodiscard]] inline restricted_model restricted(const cost_network& original, std::span<const std::uint8_t> alive) {
    restricted_model made;
    for (std::size_t i = 0; i < original.variables(); ++i) {
        const std::size_t first = original.unary.begin[i];
        for (std::size_t x = 0; x < original.unary[i].size(); ++x) {
            if (alive[first + x] == 0) continue;
            made.values.items.push_back(static_cast<std::uint32_t>(x));
            made.m.unary.items.push_back(original.unary[i][x]);
        }
        made.values.close();
        made.m.unary.close();
    }
    made.m.constant = original.constant;
    detail::table_maker tables;
    std::vector<std::uint32_t> a_of, b_of;
    for (const pair_table& p : original.pairs) {
        const auto a_left = made.values[p.a], b_left = made.values[p.b];
        if (a_left.empty() || b_left.empty()) continue;
        if (a_left.size() == original.unary[p.a].size() && b_left.size() == original.unary[p.b].size()) {
            made.m.pairs.push_back(p);
        } else if (a_left.size() == 1) {
            fixed_cost* const price = made.m.unary.items.data() + made.m.unary.begin[p.b];
            for (std::size_t y = 0; y < b_left.size(); ++y) price[y] = add(price[y], p.at(a_left[0], b_left[y]));
        } else if (b_left.size() == 1) {
            fixed_cost* const price = made.m.unary.items.data() + made.m.unary.begin[p.a];
            for (std::size_t x = 0; x < a_left.size(); ++x) price[x] = add(price[x], p.at(a_left[x], b_left[0]));
        } else {
            a_of.resize(a_left.size());
            b_of.resize(b_left.size());
            for (std::size_t x = 0; x < a_left.size(); ++x) a_of[x] = p.a_map.of[a_left[x]];
            for (std::size_t y = 0; y < b_left.size(); ++y) b_of[y] = p.b_map.of[b_left[y]];
            tables.add(made.m, p.a, p.b, a_of, p.a_map.count, b_of, p.b_map.count, p.cost);
        }
    }
    return made;
}

}  // namespace inlay

#endif
