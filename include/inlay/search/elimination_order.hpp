// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_ELIMINATION_ORDER_HPP
#define INLAY_SEARCH_ELIMINATION_ORDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <inlay/search/model.hpp>

namespace inlay {

/// One step of an elimination: the variable that goes, the variables that its message is about, and the classes by which their
/// values matter in it.
struct elimination_step {
    std::uint32_t variable = 0;
    /// Classes of the variable's own values, over everything that mentions it.
    class_map own;
    /// In the order of `about`: ascending by the step at which they go themselves.
    std::vector<std::uint32_t> about;
    std::vector<class_map> classes;
};

/// What an elimination would do, known before any table is filled.
struct elimination_plan {
    std::vector<elimination_step> steps;
    /// Entries over all steps: the product of the classes of the variable and of those its message is about.
    double entries = 0;
    /// Most variables in a step, the one that goes included.
    std::uint32_t width = 0;
    /// Whether it was given up because `entries` passed the limit; the steps are then incomplete.
    bool too_wide = false;
};

/// Which variable goes next.
enum class elimination_rule : std::uint8_t {
    /// The one whose step has the fewest entries.
    least_weight,
    /// The one whose step joins the fewest pairs of variables that were not joined, by entries where that is equal.
    least_fill,
};

namespace detail {

/// The graph of an elimination under way: who is joined with whom, and by which classes each is seen by the other.
class elimination_graph {
public:
    explicit elimination_graph(const model& m) : near_(m.variables()), values_(m.variables()) {
        for (std::size_t v = 0; v < m.variables(); ++v) values_[v] = m.unary[v].size();
        for (const pair_table& p : m.pairs) {
            near_[p.a].push_back({p.b, p.b_map, p.a_map});
            near_[p.b].push_back({p.a, p.a_map, p.b_map});
        }
    }

    struct neighbour {
        std::uint32_t variable;
        /// The neighbour's classes as seen from here, and this variable's as seen from there.
        class_map theirs;
        class_map ours;
    };

    [[nodiscard]] const std::vector<neighbour>& near(std::uint32_t v) const { return near_[v]; }

    /// Entries of the step that would eliminate v now, with v's own values unmerged.
    [[nodiscard]] double weight(std::uint32_t v) const {
        auto product = static_cast<double>(values_[v]);
        for (const neighbour& n : near_[v]) product *= n.theirs.count;
        return product;
    }

    [[nodiscard]] double fill(std::uint32_t v) const {
        double missing = 0;
        const auto& list = near_[v];
        for (std::size_t i = 0; i < list.size(); ++i) {
            for (std::size_t j = i + 1; j < list.size(); ++j) {
                missing += find(list[i].variable, list[j].variable) == near_[list[i].variable].size() ? 1.0 : 0.0;
            }
        }
        return missing;
    }

    /// Takes v out: its neighbours become joined, seen by the classes by which v saw them. Returns what was near.
    std::vector<neighbour> eliminate(std::uint32_t v) {
        std::vector<neighbour> list = std::move(near_[v]);
        near_[v].clear();
        for (const neighbour& n : list) {
            auto& row = near_[n.variable];
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(find(n.variable, v)));
        }
        for (const neighbour& x : list) {
            for (const neighbour& y : list) {
                if (x.variable == y.variable) continue;
                auto& row = near_[x.variable];
                const std::size_t at = find(x.variable, y.variable);
                if (at == row.size()) {
                    row.push_back({y.variable, y.theirs, x.theirs});
                } else {
                    row[at].theirs = refine(row[at].theirs, y.theirs);
                    row[at].ours = refine(row[at].ours, x.theirs);
                }
            }
        }
        return list;
    }

private:
    [[nodiscard]] std::size_t find(std::uint32_t from, std::uint32_t to) const {
        const auto& row = near_[from];
        std::size_t at = 0;
        while (at < row.size() && row[at].variable != to) ++at;
        return at;
    }

    std::vector<std::vector<neighbour>> near_;
    std::vector<std::size_t> values_;
};

}  // namespace detail

/// Orders the variables of a model greedily by a rule, ties by the lowest variable, and predicts every table of the elimination.
/// Gives up once more than `limit` entries are certain. O(variables * degree^2 * values).
[[nodiscard]] inline elimination_plan plan_elimination(const model& m, elimination_rule rule, double limit) {
    detail::elimination_graph graph(m);
    struct priority {
        double first;
        double second;
        std::uint32_t variable;
        auto operator<=>(const priority&) const = default;
    };
    const auto priority_of = [&](std::uint32_t v) {
        const double weight = graph.weight(v);
        return rule == elimination_rule::least_fill ? priority{graph.fill(v), weight, v} : priority{weight, 0, v};
    };
    std::set<priority> queue;
    std::vector<priority> current;
    for (std::size_t v = 0; v < m.variables(); ++v) {
        current.push_back(priority_of(static_cast<std::uint32_t>(v)));
        queue.insert(current.back());
    }
    elimination_plan plan;
    plan.steps.reserve(m.variables());
    std::vector<std::size_t> step_of(m.variables(), 0);
    while (!queue.empty()) {
        const std::uint32_t v = queue.begin()->variable;
        queue.erase(queue.begin());
        const auto list = graph.eliminate(v);
        for (const auto& n : list) {
            queue.erase(current[n.variable]);
            current[n.variable] = priority_of(n.variable);
            queue.insert(current[n.variable]);
        }
        elimination_step step;
        step.variable = v;
        step.own = one_class(m.unary[v].size());
        for (const auto& n : list) step.own = refine(step.own, n.ours);
        double entries = step.own.count;
        for (const auto& n : list) {
            entries *= n.theirs.count;
            step.about.push_back(n.variable);
            step.classes.push_back(n.theirs);
        }
        plan.entries += entries;
        plan.width = std::max(plan.width, static_cast<std::uint32_t>(list.size()) + 1);
        step_of[v] = plan.steps.size();
        plan.steps.push_back(std::move(step));
        if (plan.entries > limit) {
            plan.too_wide = true;
            return plan;
        }
    }
    for (elimination_step& step : plan.steps) {
        std::vector<std::size_t> order(step.about.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(),
                  [&](std::size_t x, std::size_t y) { return step_of[step.about[x]] < step_of[step.about[y]]; });
        std::vector<std::uint32_t> about;
        std::vector<class_map> classes;
        for (const std::size_t i : order) {
            about.push_back(step.about[i]);
            classes.push_back(std::move(step.classes[i]));
        }
        step.about = std::move(about);
        step.classes = std::move(classes);
    }
    return plan;
}

/// The better plan of both rules; the second is only tried where the first is not cheap.
[[nodiscard]] inline elimination_plan plan_elimination(const model& m, double limit) {
    constexpr double cheap = 2e5;
    elimination_plan plan = plan_elimination(m, elimination_rule::least_weight, limit);
    if (!plan.too_wide && plan.entries <= cheap) return plan;
    elimination_plan other = plan_elimination(m, elimination_rule::least_fill, plan.too_wide ? limit : plan.entries);
    const bool better = !other.too_wide && (plan.too_wide || other.entries < plan.entries);
    return better ? std::move(other) : std::move(plan);
}

}  // namespace inlay

#endif
