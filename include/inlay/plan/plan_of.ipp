// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_OF_IPP
#define INLAY_PLAN_PLAN_OF_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/plan/plan_of.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/cost/lower_bound_ref.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_part_rules.hpp>
#include <inlay/plan/plan_quantities.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/price_cache.hpp>
#include <inlay/plan/program_meter.hpp>
#include <inlay/plan/solve_once.hpp>

namespace inlay {

namespace detail {

/// Refers to all that it is made from.
class planner {
public:
    planner(planning_problem question, meter_ref pricing, lower_bound_ref bound, program_meter_ref whole)
        : question_(std::move(question)),
          prices_(question_.graph, question_.backends, question_.set, bound, question_.options.launch_seconds, question_.options.failures),
          meter_(pricing),
          rehearse_(whole),
          ways_{question_.options.partitioner} {
        for (const partitioner& other : question_.options.others)
            if (other != ways_.front()) ways_.push_back(other);
        contenders_.resize(ways_.size());
        question_.joules = joules_of(question_, question_.options.objective);
    }
    planner(const planner&) = delete;
    planner& operator=(const planner&) = delete;

    /// The plan; to be called once. The error says why there is none.
    [[nodiscard]] outcome<plan> operator()() {
        plan_.objective = question_.options.objective;
        if (auto solved = solve(); !solved) return solved.failure();
        if (auto held = hold_rehearsals(); !held) return held.failure();
        plan_.chosen = std::move(contenders_.front());
        contenders_.erase(contenders_.begin());
        plan_.others = std::move(contenders_);
        if (!plan_.chosen.seconds) return error{plan_.chosen.reason};
        auto cut = partition(question_.graph, question_.set, plan_.chosen.chosen, question_.parts);
        if (!cut) return cut.failure();
        plan_.cut = *std::move(cut);
        note_prices();
        plan_.fallbacks = question_.fallbacks.fallbacks(question_.set, plan_.chosen.chosen,
                                                        static_cast<backend_id>(question_.backends.index_of(question_.options.fallback)));
        plan_.set = std::move(question_.set);
        plan_.devices = std::move(question_.devices);
        return std::move(plan_);
    }

private:
    /// Prices until all that the contenders use has been priced.
    outcome<void> solve() {
        for (;; ++plan_.pricing_rounds) {
            prices_.want_nothing();
            for (std::size_t i = 0; i < ways_.size(); ++i) {
                auto decided = solve_once(question_, prices_, ways_[i]);
                if (!decided) return decided.failure();
                contenders_[i] = std::move(decided->made);
                prices_.want(contenders_[i].chosen);
                if (ways_[i].is_exact()) prices_.want_rivals(contenders_[i].chosen, question_.without_barred(prices_.seconds()));
                if (i != 0) continue;
                plan_.effort = decided->effort;
                plan_.stated = std::move(decided->stated);
                plan_.penalties = decided->penalties;
                if (question_.options.ended != nullptr) *question_.options.ended = contenders_[i].status;
            }
            if (plan_.pricing_rounds >= question_.options.pricing_rounds || !prices_.ask(meter_)) return {};
        }
    }

    /// Runs the contenders once, then each new optimum together with those that are not far from it: machines drift, and what is compared
    /// must have been seen at the same time. A price alone is taken for a bound of the price in place, so that an optimum all of which has
    /// been in programs is the one of the prices in place. Where too many rounds would be needed for that, what has not been in a program
    /// is taken to grow as the rest of its back end did. A piece whose back end makes no code for it is out, and all is decided anew.
    outcome<void> hold_rehearsals() {
        const std::size_t most = question_.options.rehearsals;
        std::vector<std::vector<std::size_t>> played;
        for (std::size_t i = 0; i < most;) {
            const contender& best = contenders_.front();
            if (!best.seconds || std::find(played.begin(), played.end(), best.chosen) != played.end()) return {};
            constexpr double near = 1.5;
            std::vector<std::vector<std::size_t>> covers;
            for (const contender& c : contenders_) {
                if (!c.seconds || (i != 0 && *c.seconds > near * *best.seconds)) continue;
                if (std::find(covers.begin(), covers.end(), c.chosen) == covers.end()) covers.push_back(c.chosen);
            }
            played.push_back(best.chosen);
            const std::vector<program_timing> told = rehearse_(question_.set, covers);
            if (prices_.learn_failures(told)) {
                if (auto solved = solve(); !solved) return solved.failure();
                continue;
            }
            for (const program_timing& r : told)
                if (plan_.rehearsal_failure.empty()) plan_.rehearsal_failure = r.failure;
            if (!prices_.learn(told)) return {};
            ++plan_.rehearsals;
            if (i + 2 >= most) prices_.note_growth();
            if (auto solved = solve(); !solved) return solved.failure();
            ++i;
        }
        return {};
    }

    /// What the plan's prices are in the end.
    void note_prices() {
        for (std::size_t c = 0; c < question_.set.candidates.size(); ++c) {
            plan_.prices.push_back(prices_.price(c));
            plan_.prices_alone.push_back(prices_.alone(c));
            plan_.bounds.push_back(prices_.bound(c));
        }
        for (const conversion& c : plan_.cut.conversions) {
            if (const measurement known = prices_.price(c); prices_.is_known(known)) plan_.conversions[c] = known;
            if (const auto alone = prices_.alone(c)) plan_.conversions_alone[c] = *alone;
            if (const std::uint64_t bytes = prices_.copied_bytes(c); bytes != 0) plan_.copied_bytes[c] = bytes;
        }
        plan_.conversions_asked = prices_.conversions();
    }

    planning_problem question_;
    price_cache prices_;
    meter_ref meter_;
    program_meter_ref rehearse_;
    std::vector<partitioner> ways_;  // to decide, the plan's own first
    std::vector<contender> contenders_;
    plan plan_;
};

}  // namespace detail

outcome<plan> plan_of(planning_problem question, meter_ref pricing, lower_bound_ref bound, program_meter_ref whole) {
    return detail::planner(std::move(question), pricing, bound, whole)();
}

}  // namespace inlay

#endif
