// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_ELIMINATION_ORDER_HPP
#define INLAY_SEARCH_EXACT_ELIMINATION_ORDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/arena.hpp>
#include <inlay/search/exact/elimination_graph.hpp>
#include <inlay/search/model/cost_network.hpp>

namespace inlay {

/// One step of an elimination: the variable that goes, the variables that its message is about, and the classes by which their
/// values matter in it.
struct elimination_step {
    std::uint32_t variable = 0;
    /// Classes of the variable's own values, over everything that mentions it.
    class_map own;
    /// In the order of `about`: ascending by the step at which they go themselves.
    std::span<std::uint32_t> about;
    std::span<class_map> classes;
};

/// How much an elimination may take.
struct elimination_limit {
    /// `elimination_plan::work`.
    double work = 0;
    /// Entries of the messages.
    double kept = std::numeric_limits<double>::infinity();
};

/// What an elimination would do, known before any table is filled.
struct elimination_plan {
    std::vector<elimination_step> steps;
    /// Entries over all steps: the product of the classes of the variable and of those its message is about.
    double entries = 0;
    /// Entries of the messages, which are kept together: the room that it takes.
    double kept = 0;
    /// What it takes to fill all that, in entries: one of a message is written, laid out anew and read besides.
    double work = 0;
    /// Most variables in a step, the one that goes included.
    std::uint32_t width = 0;
    /// So many of the last steps are not made: their variables stay.
    std::size_t staying = 0;
    /// Whether it was given up because `work` or `kept` passed the limit; the steps are then incomplete.
    bool too_wide = false;
    /// What the steps refer to, beside the model.
    arena memory;
};

/// Which variable goes next.
enum class elimination_rule : std::uint8_t {
    /// One whose step has the fewest entries, or an eighth more.
    least_weight,
    /// The one whose step has the fewest entries, each counted once more for every pair of variables that the step joins and that were not
    /// joined: what makes later steps wide has to be worth it.
    least_weight_and_fill,
};

namespace detail {

/// Puts the first `going` steps of a plan in another order that sends the same messages: along the variables as far as each can wait for
/// those that send to it, so that what a step needs was touched not long before.
inline void keep_close(std::vector<elimination_step>& steps, std::size_t going, std::span<const std::uint32_t> step_of) {
    constexpr std::uint32_t none = 0xFFFF'FFFFu;
    // Who sends to a step, in a chain from the last.
    std::vector<std::uint32_t> sender(steps.size(), none), next(steps.size(), none);
    for (std::size_t v = step_of.size(); v-- > 0;) {
        const std::uint32_t s = step_of[v];
        if (steps[s].about.empty() || step_of[steps[s].about[0]] >= going) continue;
        const std::uint32_t to = step_of[steps[s].about[0]];
        next[s] = sender[to];
        sender[to] = s;
    }
    std::vector<elimination_step> placed;
    placed.reserve(steps.size());
    std::vector<std::uint32_t> stack;
    for (std::size_t v = 0; v < step_of.size(); ++v) {
        stack.assign(1, step_of[v]);
        if (stack[0] >= going || steps[stack[0]].variable == none) continue;
        while (!stack.empty()) {
            const std::uint32_t s = stack.back();
            if (const std::uint32_t waits_for = sender[s]; waits_for != none) {
                sender[s] = next[waits_for];
                if (steps[waits_for].variable != none) stack.push_back(waits_for);
                continue;
            }
            placed.push_back(steps[s]);
            steps[s].variable = none;
            stack.pop_back();
        }
    }
    std::copy(placed.begin(), placed.end(), steps.begin());
}

/// Makes a plan, step by step.
class elimination_planner {
public:
    elimination_planner(const cost_network& m, const elimination_limit& limit)
        : model_(&m), limit_(limit), graph_(m, plan_.memory), step_of_(m.variables(), none) {
        plan_.steps.reserve(m.variables());
    }

    /// The variables of `staying` go last, and not really: see `elimination_plan::staying`.
    [[nodiscard]] elimination_plan operator()(elimination_rule rule, std::span<const std::uint32_t> staying = {}) {
        stays_.assign(model_->variables(), 0);
        for (const std::uint32_t v : staying) stays_[v] = 1;
        plan_.staying = staying.size();
        plan_.too_wide = !(rule == elimination_rule::least_weight ? by_weight() : by_weight_and_fill());
        if (plan_.too_wide) return std::move(plan_);
        const std::size_t going = plan_.steps.size();
        for (const std::uint32_t v : staying) (void)eliminate(v);
        for (elimination_step& step : plan_.steps) {
            // Insertion keeps both lists together; they are short.
            for (std::size_t i = 1; i < step.about.size(); ++i) {
                for (std::size_t j = i; j > 0 && step_of_[step.about[j]] < step_of_[step.about[j - 1]]; --j) {
                    std::swap(step.about[j], step.about[j - 1]);
                    std::swap(step.classes[j], step.classes[j - 1]);
                }
            }
        }
        keep_close(plan_.steps, going, step_of_);
        return std::move(plan_);
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// The next to go weighs at most an eighth more than the lightest: that lets what is near one another go one after the other, which a
    /// queue by weight would be all over the model for.
    [[nodiscard]] bool by_weight() {
        constexpr double step_up = 1.125;
        std::vector<double> weight;
        std::vector<std::uint32_t> left, stack;
        for (std::uint32_t v = 0; v < model_->variables(); ++v) {
            if (!stays(v)) left.push_back(v);
            weight.push_back(graph_.weight(v));
        }
        for (double most = 0; !left.empty();) {
            double least = std::numeric_limits<double>::infinity();
            for (const std::uint32_t v : left)
                if (!is_gone(v)) least = std::min(least, weight[v]);
            most = std::max(most * step_up, least);
            std::size_t kept = 0;
            for (const std::uint32_t first : left) {
                if (weight[first] > most && !is_gone(first)) left[kept++] = first;
                if (weight[first] > most || is_gone(first)) continue;
                stack.assign(1, first);
                while (!stack.empty()) {
                    const std::uint32_t v = stack.back();
                    stack.pop_back();
                    if (is_gone(v) || weight[v] > most) continue;
                    if (!eliminate(v)) return false;
                    const auto list = graph_.near(v);
                    for (std::size_t i = list.size(); i-- > 0;) {
                        const std::uint32_t n = list[i].variable;
                        weight[n] = graph_.weight(n);
                        if (weight[n] <= most && !stays(n)) stack.push_back(n);
                    }
                }
            }
            left.resize(kept);
        }
        return true;
    }

    [[nodiscard]] bool by_weight_and_fill() {
        struct priority {
            double weight;
            std::uint32_t variable;
            bool operator<(const priority& other) const {
                return weight != other.weight ? weight > other.weight : variable > other.variable;
            }
            bool operator==(const priority&) const = default;
        };
        const auto priority_of = [&](std::uint32_t v) {
            const double weight = graph_.weight(v);
            return priority{weight < elimination_graph::too_many ? weight * (1 + graph_.fill(v)) : weight, v};
        };
        // A heap in which outdated priorities stay until they come up.
        std::vector<priority> queue, current;
        for (std::uint32_t v = 0; v < model_->variables(); ++v) {
            current.push_back(priority_of(v));
            if (!stays(v)) queue.push_back(current.back());
        }
        std::make_heap(queue.begin(), queue.end());
        while (!queue.empty()) {
            std::pop_heap(queue.begin(), queue.end());
            const priority next = queue.back();
            queue.pop_back();
            if (is_gone(next.variable) || !(next == current[next.variable])) continue;
            if (!eliminate(next.variable)) return false;
            for (const auto& n : graph_.near(next.variable)) {
                const priority changed = priority_of(n.variable);
                if (changed == current[n.variable]) continue;
                current[n.variable] = changed;
                if (stays(n.variable)) continue;
                queue.push_back(changed);
                std::push_heap(queue.begin(), queue.end());
            }
        }
        return true;
    }

    [[nodiscard]] bool stays(std::uint32_t v) const { return stays_[v] != 0; }
    [[nodiscard]] bool is_gone(std::uint32_t v) const { return step_of_[v] != none; }

    /// Makes the step of a variable; false once all steps have too many entries.
    [[nodiscard]] bool eliminate(std::uint32_t v) {
        graph_.eliminate(v);
        const auto list = graph_.near(v);
        elimination_step step;
        step.variable = v;
        step.own = one_class(model_->unary[v].size(), plan_.memory);
        step.about = plan_.memory.take<std::uint32_t>(list.size());
        step.classes = plan_.memory.take<class_map>(list.size());
        for (const auto& n : list) step.own = graph_.mapper().refine(step.own, n.ours, plan_.memory);
        double message = 1;
        for (std::size_t i = 0; i < list.size(); ++i) {
            message *= list[i].theirs.count;
            step.about[i] = list[i].variable;
            step.classes[i] = list[i].theirs;
        }
        plan_.entries += message * step.own.count;
        plan_.kept += message;
        constexpr double of_a_message = 16;
        plan_.work = plan_.entries + of_a_message * plan_.kept;
        plan_.width = std::max(plan_.width, static_cast<std::uint32_t>(list.size()) + 1);
        step_of_[v] = static_cast<std::uint32_t>(plan_.steps.size());
        plan_.steps.push_back(step);
        return plan_.work <= limit_.work && plan_.kept <= limit_.kept;
    }

    const cost_network* model_;
    elimination_limit limit_;
    elimination_plan plan_;
    elimination_graph graph_;
    std::vector<std::uint32_t> step_of_;
    std::vector<std::uint8_t> stays_;
};

}  // namespace detail

/// Orders the variables of a model greedily by a rule, and predicts every table of the elimination. The same on every run: ties go by the
/// variables' order. Gives up once more than `limit` is certain. O(variables * degree^2 * values).
[[nodiscard]] inline elimination_plan plan_elimination(const cost_network& m, elimination_rule rule, const elimination_limit& limit) {
    return detail::elimination_planner(m, limit)(rule);
}

/// A plan that leaves some variables, by least weight.
[[nodiscard]] inline elimination_plan plan_elimination_of_rest(const cost_network& m, std::span<const std::uint32_t> staying,
                                                               const elimination_limit& limit) {
    return detail::elimination_planner(m, limit)(elimination_rule::least_weight, staying);
}

/// A plan by least weight where that is cheap, as it is on chains; else by least weight and fill, which takes longer to make and is better.
[[nodiscard]] inline elimination_plan plan_elimination(const cost_network& m, const elimination_limit& limit) {
    // Long chains of small tables are cheap however many there are.
    constexpr double cheap = 2e5, cheap_a_variable = 2e3;
    const double cheap_work = std::max(cheap, cheap_a_variable * static_cast<double>(m.variables()));
    elimination_plan plan = plan_elimination(m, elimination_rule::least_weight, {std::min(limit.work, cheap_work), limit.kept});
    if (!plan.too_wide || limit.work <= cheap_work) return plan;
    return plan_elimination(m, elimination_rule::least_weight_and_fill, limit);
}

}  // namespace inlay

#endif
