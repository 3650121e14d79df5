// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_HPP
#define INLAY_SEARCH_MODEL_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/rows.hpp>
#include <inlay/search/scaled.hpp>

namespace inlay {

/// Which values of a variable look alike from somewhere: a class for each value, classes dense from 0 in order of first appearance.
struct class_map {
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;

    friend bool operator==(const class_map&, const class_map&) = default;
};

/// The classes of a variable that nothing tells apart.
[[nodiscard]] inline class_map one_class(std::size_t values) { return {std::vector<std::uint32_t>(values, 0), 1}; }

/// Renumbers arbitrary class numbers below `bound` densely in order of first appearance; `kept[k]` is the old number of class k.
[[nodiscard]] inline class_map make_dense(std::span<const std::uint32_t> raw, std::size_t bound, std::vector<std::uint32_t>& kept) {
    constexpr std::uint32_t none = 0xFFFF'FFFFu;
    class_map made;
    kept.clear();
    std::vector<std::uint32_t> number(bound, none);
    made.of.reserve(raw.size());
    for (const std::uint32_t r : raw) {
        if (number[r] == none) {
            number[r] = made.count++;
            kept.push_back(r);
        }
        made.of.push_back(number[r]);
    }
    return made;
}

/// The coarsest classes at least as fine as both. O(values) up to sorting where products of counts are large.
[[nodiscard]] inline class_map refine(const class_map& a, const class_map& b) {
    if (b.count <= 1 || a.count == a.of.size() || a == b) return a;
    if (a.count <= 1 || b.count == b.of.size()) return b;
    constexpr std::uint32_t none = 0xFFFF'FFFFu;
    // Chains of the b-classes met with each a-class: linear in memory, and short.
    struct link {
        std::uint32_t other;
        std::uint32_t number;
        std::uint32_t next;
    };
    std::vector<std::uint32_t> head(a.count, none);
    std::vector<link> links;
    class_map made;
    made.of.reserve(a.of.size());
    for (std::size_t x = 0; x < a.of.size(); ++x) {
        std::uint32_t at = head[a.of[x]];
        while (at != none && links[at].other != b.of[x]) at = links[at].next;
        if (at == none) {
            at = static_cast<std::uint32_t>(links.size());
            links.push_back({b.of[x], made.count++, head[a.of[x]]});
            head[a.of[x]] = at;
        }
        made.of.push_back(links[at].number);
    }
    return made;
}

/// A price for each pair of values of variables `a < b`, which depends on their classes only:
/// `cost[class of a * b_map.count + class of b]`.
struct pair_table {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    class_map a_map;
    class_map b_map;
    std::vector<scaled> cost;

    [[nodiscard]] scaled at(std::size_t a_value, std::size_t b_value) const {
        return cost[static_cast<std::size_t>(a_map.of[a_value]) * b_map.count + b_map.of[b_value]];
    }
};

/// A pairwise graphical model: choose a value for each variable; pay a price for each value and for each pair in a table.
struct model {
    /// Row i: the price of each value of variable i.
    rows<scaled> unary;
    /// At most one table for two variables, sorted by (a, b).
    std::vector<pair_table> pairs;
    /// Paid whatever is chosen.
    scaled constant = 0;

    [[nodiscard]] std::size_t variables() const { return unary.size(); }
};

/// What an assignment of a value to each variable costs.
[[nodiscard]] inline scaled evaluate(const model& m, std::span<const std::uint32_t> values) {
    scaled total = m.constant;
    for (std::size_t i = 0; i < m.variables(); ++i) total = add(total, m.unary[i][values[i]]);
    for (const pair_table& p : m.pairs) total = add(total, p.at(values[p.a], values[p.b]));
    return total;
}

namespace detail {

/// Merges classes of one side of a table whose rows (or columns) are equal.
inline void merge_equal_classes(class_map& map, std::vector<std::vector<scaled>>& lines) {
    std::vector<std::uint32_t> merged(map.count);
    std::vector<std::vector<scaled>> kept;
    for (std::uint32_t k = 0; k < map.count; ++k) {
        std::size_t same = 0;
        while (same < kept.size() && kept[same] != lines[k]) ++same;
        if (same == kept.size()) kept.push_back(lines[k]);
        merged[k] = static_cast<std::uint32_t>(same);
    }
    if (kept.size() == map.count) return;
    for (std::uint32_t& k : map.of) k = merged[k];
    map.count = static_cast<std::uint32_t>(kept.size());
    lines = std::move(kept);
}

[[nodiscard]] inline std::vector<std::vector<scaled>> transposed(const std::vector<std::vector<scaled>>& lines, std::size_t width) {
    std::vector<std::vector<scaled>> made(width, std::vector<scaled>(lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (std::size_t j = 0; j < width; ++j) made[j][i] = lines[i][j];
    }
    return made;
}

/// Drops classes that no value has and merges those that no value of the other side tells apart.
inline void normalise(pair_table& p) {
    std::vector<std::uint32_t> a_kept;
    std::vector<std::uint32_t> b_kept;
    const std::size_t old_width = p.b_map.count;
    p.a_map = make_dense(p.a_map.of, p.a_map.count, a_kept);
    p.b_map = make_dense(p.b_map.of, p.b_map.count, b_kept);
    std::vector<std::vector<scaled>> lines(a_kept.size(), std::vector<scaled>(b_kept.size()));
    for (std::size_t i = 0; i < a_kept.size(); ++i) {
        for (std::size_t j = 0; j < b_kept.size(); ++j) lines[i][j] = p.cost[a_kept[i] * old_width + b_kept[j]];
    }
    merge_equal_classes(p.a_map, lines);
    lines = transposed(lines, p.b_map.count);
    merge_equal_classes(p.b_map, lines);
    lines = transposed(lines, p.a_map.count);
    p.cost.clear();
    for (const std::vector<scaled>& line : lines) p.cost.insert(p.cost.end(), line.begin(), line.end());
}

}  // namespace detail

/// A model without some values: value k of variable i is value `values[i][k]` of the original.
struct restricted_model {
    model m;
    rows<std::uint32_t> values;
};

/// The model in which variable i keeps its values with `alive[original.unary.begin[i] + value] != 0` only. Tables that no longer
/// tell the values of one side apart become prices of the other side's values. A variable may be left without a value.
[[nodiscard]] inline restricted_model restricted(const model& original, std::span<const std::uint8_t> alive) {
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
    for (const pair_table& p : original.pairs) {
        pair_table kept{p.a, p.b, {{}, p.a_map.count}, {{}, p.b_map.count}, p.cost};
        for (const std::uint32_t x : made.values[p.a]) kept.a_map.of.push_back(p.a_map.of[x]);
        for (const std::uint32_t x : made.values[p.b]) kept.b_map.of.push_back(p.b_map.of[x]);
        if (kept.a_map.of.empty() || kept.b_map.of.empty()) continue;
        detail::normalise(kept);
        if (kept.a_map.count > 1 && kept.b_map.count > 1) {
            made.m.pairs.push_back(std::move(kept));
            continue;
        }
        // One class on one side: the table is a price on the other.
        const bool on_b = kept.a_map.count == 1;
        const std::uint32_t variable = on_b ? kept.b : kept.a;
        const class_map& map = on_b ? kept.b_map : kept.a_map;
        scaled* price = made.m.unary.items.data() + made.m.unary.begin[variable];
        for (std::size_t x = 0; x < map.of.size(); ++x) price[x] = add(price[x], kept.cost[map.of[x]]);
    }
    return made;
}

}  // namespace inlay

#endif
