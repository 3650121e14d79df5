// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_SOLVE_ONCE_IPP
#define INLAY_PLAN_SOLVE_ONCE_IPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/plan/solve_once.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/eager_priority.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_quantities.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/price_cache.hpp>
#include <inlay/plan/select_under_constraints.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/plan/stated_constraints.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/select.hpp>

namespace inlay {

namespace detail {

/// One way to decide, and what it means for the candidates.
class solver_run {
public:
    solver_run(const planning_problem& question, const partitioner& way)
        : question_(&question),
          way_(way),
          is_ruled_((way.is_exact() || way == question.options.partitioner) &&
                    (!question.options.constraints.empty() || !question.options.limits.empty() ||
                     question.options.objective != plan_objective::latency)) {}
    solver_run(const solver_run&) = delete;
    solver_run& operator=(const solver_run&) = delete;

    [[nodiscard]] outcome<decision> operator()(const price_cache& prices) const {
        std::vector<double> seconds = fined(question_->without_barred(prices.seconds()));
        selection_problem stated = prices.state(seconds);
        if (auto sound = check(stated.numbers); !sound) return sound.failure();
        decision answer;
        contender& made = answer.made;
        made.name = to_string(way_);
        stated_constraints rules;
        if (is_ruled_) {
            auto as_numbers = search_rules_of(*question_, stated);
            if (!as_numbers) return as_numbers.failure();
            rules = *std::move(as_numbers);
        }
        selection found;
        double penalties = 0;
        if (is_ruled_ && way_.rule() == selection_rule::exact) {
            const auto amounts = amounts_of(*question_, stated, options().objective);
            if (!amounts) return amounts.failure();
            ruled_selection kept = select_under_constraints(stated, rules, *amounts, options());
            if (!kept.clash.empty()) made.reason = clash_of(kept.clash).message;
            made.value = kept.value;
            made.value_bound = kept.value_bound;
            found = std::move(kept.cheapest.found);
            if (found.cost) penalties = *found.cost - *kept.cheapest.price;
        } else {
            if (is_ruled_) {
                // What eager and exhaustive keep is in the prices alone; `can_keep` refused the rest.
                std::vector<double> kept = seconds_under(rules, stated, seconds);
                kept.swap(seconds);
                stated = prices.state(seconds);
                found = select(stated.numbers, way_to_search(stated));
                for (const candidate_index k : found.chosen)
                    if (const std::size_t c = stated.candidate_of[k]; c != selection_problem::none) penalties += seconds[c] - kept[c];
            } else {
                found = select(stated.numbers, way_to_search(stated));
            }
        }
        made.status = found.status;
        if (made.reason.empty()) made.reason = found.reason;
        answer.effort = found.effort;
        if (found.uncoverable) made.reason = why_open(stated.node_of[*found.uncoverable], prices);
        if (!found.cost) {
            if (made.reason.empty()) made.reason = "no cover of all nodes was found";
            return answer;
        }
        for (const candidate_index k : found.chosen)
            if (stated.candidate_of[k] != selection_problem::none) made.chosen.push_back(stated.candidate_of[k]);
        std::sort(made.chosen.begin(), made.chosen.end());
        if (!is_ruled_)
            for (const std::size_t c : made.chosen) penalties += fine_of(c);
        made.seconds = *found.cost - penalties;
        if (found.lower_bound) made.lower_bound = *found.lower_bound - penalties;
        if (!options().keep_problem) return answer;
        if (is_ruled_ && way_.rule() == selection_rule::exact) {
            // Limits, other objectives, colocations and separations are in no plain problem.
            if (!options().limits.empty() || options().objective != plan_objective::latency ||
                rules.has({constraint_rule::colocate, constraint_rule::separate}))
                return answer;
            stated = prices.state(seconds_under(rules, stated, seconds));
        }
        if (!options().prefer.empty() || rules.has({constraint_rule::prefer})) answer.penalties = penalties;
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
            // Existing parts stay with their owners, whoever decides about the rest, and what no other can take with who takes it.
            if (way_.is_single() && kind != way_.kind() && kind != options().fallback &&
                !question_->backends.is_structural(question_->set.candidates[c].backend) &&
                !question_->borders.within(question_->set.candidates[c]))
                seconds[c] = impossible;
            if (!is_ruled_) seconds[c] += fine_of(c);
        }
        return seconds;
    }
    [[nodiscard]] select_options way_to_search(const selection_problem& stated) const {
        select_options how = options().search;
        how.partitioner = way_.rule();
        if (way_.rule() == selection_rule::eager) how.priority = eager_priority(question_->set, stated, question_->backends.chosen());
        return how;
    }
    [[nodiscard]] std::string why_open(node_id open, const price_cache& prices) const {
        const std::string left =
            shown_node(question_->graph, open) + " (operator " + quoted_text(question_->graph.op(open)) + ") is left over: ";
        if (is_ruled_ && way_.rule() != selection_rule::exact)
            return left + "no candidate there keeps to the constraints and fits those taken before; use the exact partitioner";
        if (!way_.is_single()) return left + "no cover has a finite price there" + first_failure(open, prices);
        return left + quoted_text(way_.kind()) + " does not take it there and the fallback " + quoted_text(options().fallback) +
               " does not either; give a fallback that takes every node";
    }

    /// What became of the first candidate there that has no price, in words behind a sentence; empty where all have one.
    [[nodiscard]] std::string first_failure(node_id open, const price_cache& prices) const {
        const std::vector<candidate>& all = question_->set.candidates;
        for (std::size_t c = 0; c < all.size(); ++c) {
            if (std::find(all[c].nodes.begin(), all[c].nodes.end(), open) == all[c].nodes.end()) continue;
            if (const measurement price = prices.price(c); price.has_failed())
                return "; " + std::string(question_->backends.kind(all[c].backend)) + "." + std::string(all[c].name) + ": " + price.failure;
        }
        return {};
    }

    const planning_problem* question_;
    partitioner way_;
    bool is_ruled_;
};

}  // namespace detail

outcome<decision> solve_once(const planning_problem& question, const price_cache& prices, const partitioner& way) {
    return detail::solver_run(question, way)(prices);
}

}  // namespace inlay

#endif
