// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_DECIDE_HPP
#define INLAY_PARTITION_DECIDE_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/eager_priority.hpp>
#include <inlay/partition/plan.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/partition/plan_objective.hpp>
#include <inlay/partition/plan_quantities.hpp>
#include <inlay/partition/plan_question.hpp>
#include <inlay/partition/price_book.hpp>
#include <inlay/partition/search_rules.hpp>
#include <inlay/partition/select_ruled.hpp>
#include <inlay/partition/selection_problem.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/select.hpp>

namespace inlay {

/// What one way to decide answers under the prices of a day.
struct decision {
    contender made;
    search_effort effort;
    /// See `plan::stated` and `plan::fines`.
    std::optional<selection_problem> stated;
    std::optional<double> fines;
};

namespace detail {

/// One way to decide: a partitioner's name, and what it means for the candidates.
template <attributed_graph G, class List>
class decider {
public:
    decider(const plan_question<G, List>& question, const std::string& name)
        : question_(&question),
          name_(name),
          is_ruled_(name == "exact" && (!question.options.constraints.empty() || !question.options.limits.empty() ||
                                        question.options.objective != plan_objective::latency)) {
        constexpr std::string_view single = "single:";
        if (name.starts_with(single)) kind_ = std::string_view(name_).substr(single.size());
    }
    decider(const decider&) = delete;
    decider& operator=(const decider&) = delete;

    template <class Bound>
    [[nodiscard]] outcome<decision> operator()(const price_book<G, List, Bound>& prices) const {
        const std::vector<double> seconds = fined(question_->without_barred(prices.seconds()));
        selection_problem stated = prices.state(seconds);
        if (auto sound = check(stated.numbers); !sound) return sound.failure();
        decision answer;
        contender& made = answer.made;
        made.name = name_;
        search_rules rules;
        selection found;
        double fines = 0;
        if (is_ruled_) {
            auto as_numbers = search_rules_of(*question_, stated);
            if (!as_numbers) return as_numbers.failure();
            rules = *std::move(as_numbers);
            const std::vector<quantity> amounts = amounts_of(question_->graph, stated, options().objective, question_->backends.chosen());
            ruled_selection kept = select_ruled(stated, rules, amounts, options());
            if (!kept.clash.empty()) made.reason = clash_of(kept.clash).message;
            made.value = kept.value;
            made.value_bound = kept.value_bound;
            found = std::move(kept.cheapest.found);
            if (found.cost) fines = *found.cost - *kept.cheapest.price;
        } else {
            found = select(stated.numbers, way_to_search(stated));
        }
        made.status = found.status;
        if (made.reason.empty()) made.reason = found.reason;
        answer.effort = found.effort;
        if (found.uncoverable) made.reason = why_open(stated.node_of[*found.uncoverable]);
        if (!found.cost) {
            if (made.reason.empty()) made.reason = "no cover of all nodes was found";
            return answer;
        }
        for (const candidate_index k : found.chosen)
            if (stated.candidate_of[k] != selection_problem::none) made.chosen.push_back(stated.candidate_of[k]);
        std::sort(made.chosen.begin(), made.chosen.end());
        if (!is_ruled_)
            for (const std::size_t c : made.chosen) fines += fine_of(c);
        made.seconds = *found.cost - fines;
        if (found.lower_bound) made.lower_bound = *found.lower_bound - fines;
        if (!options().keep_problem) return answer;
        if (is_ruled_) {
            // Limits, other objectives, colocations and separations are in no plain problem.
            if (!options().limits.empty() || options().objective != plan_objective::latency ||
                rules.has({constraint_rule::colocate, constraint_rule::separate}))
                return answer;
            stated = prices.state(seconds_under(rules, stated, seconds));
        }
        if (!options().prefer.empty() || rules.has({constraint_rule::prefer})) answer.fines = fines;
        answer.stated = std::move(stated);
        return answer;
    }

private:
    [[nodiscard]] const plan_options& options() const { return question_->options; }
    [[nodiscard]] std::string_view kind_of_candidate(std::size_t c) const {
        return question_->backends.kind(question_->set.candidates[c].backend);
    }

    /// A bonus per node for who is preferred would be negative; a fine for every node that another back end takes says the same.
    [[nodiscard]] double fine_of(std::size_t c) const {
        if (options().prefer.empty() || kind_of_candidate(c) == options().prefer) return 0;
        return fine_per_node * static_cast<double>(question_->set.candidates[c].nodes.size());
    }
    /// The seconds of those who take part, with their fines where no rules say what is preferred; of others infinite.
    [[nodiscard]] std::vector<double> fined(std::vector<double> seconds) const {
        for (std::size_t c = 0; c < seconds.size(); ++c) {
            const std::string_view kind = kind_of_candidate(c);
            if (!kind_.empty() && kind != kind_ && kind != options().fallback) seconds[c] = impossible;
            if (!is_ruled_) seconds[c] += fine_of(c);
        }
        return seconds;
    }
    [[nodiscard]] select_options way_to_search(const selection_problem& stated) const {
        select_options how = options().search;
        if (name_ == "exhaustive") how.partitioner = selection_rule::exhaustive;
        if (name_ != "eager") return how;
        how.partitioner = selection_rule::eager;
        how.priority = eager_priority(question_->set, stated, question_->backends.chosen());
        return how;
    }
    [[nodiscard]] std::string why_open(node_id open) const {
        const std::string left =
            "node " + std::to_string(open) + " (operator '" + std::string(question_->graph.op(open)) + "') is left over: ";
        if (kind_.empty()) return left + "no cover has a finite price there; see the failures of its candidates";
        return left + "'" + std::string(kind_) + "' does not take it there and the fallback '" + options().fallback +
               "' does not either; give a fallback that takes every node";
    }

    const plan_question<G, List>* question_;
    std::string name_;
    bool is_ruled_;
    std::string_view kind_;  // the one of `single:KIND`
};

}  // namespace detail

/// Decides a question as the partitioner of that name does, under what a price book knows. The error says what is wrong with the problem
/// or the rules in numbers; that there is no cover is a contender without seconds, with the reason.
template <attributed_graph G, class List, class Bound>
[[nodiscard]] outcome<decision> decide(const plan_question<G, List>& question, const price_book<G, List, Bound>& prices,
                                       const std::string& name) {
    return detail::decider(question, name)(prices);
}

}  // namespace inlay

#endif
