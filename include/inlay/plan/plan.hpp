// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_HPP
#define INLAY_PLAN_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <inlay/codegen/list/prepared_program.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/selection.hpp>
#include <inlay/target/device.hpp>

namespace inlay {

/// One way to run a whole graph: the candidates that cover it and what they cost together; or why there is none.
struct contender {
    std::string name;  // `exact`, `eager`, `single:KIND`
    selection_status status = selection_status::infeasible;
    std::optional<double> seconds;
    std::optional<double> lower_bound;
    std::vector<std::size_t> chosen;  // candidates of the set, ascending
    std::string reason;
    /// Of `exact` with another objective than latency: what the plan comes to in it, and what no plan comes below; `seconds` is then what
    /// the cheapest plan with that value costs, and `lower_bound` what none of these does.
    std::optional<double> value;
    std::optional<double> value_bound;
};

/// What turning a tensor of that type from one format into another costs.
struct priced_conversion {
    tensor_type tensor;
    format from, to;
    measurement price;
};

/// A decision with all it rests on: the candidates, their prices, the chosen ones, the parts they become, and what the other ways to
/// decide would have cost under the same prices. Seconds throughout.
struct plan {
    candidate_set set;
    std::vector<measurement> prices;                // by candidate; no samples and no failure: never asked, `bounds` stands in
    std::vector<measurement> prices_alone;          // by candidate: measured by itself, where programs gave it the price above
    std::vector<double> bounds;                     // by candidate: no price is lower
    std::map<conversion, measurement> conversions;  // of the cut
    std::map<conversion, measurement> conversions_alone;
    std::vector<priced_conversion> conversions_asked;  // all that were priced on the way; of those between memories the change of layout
    std::map<conversion, std::uint64_t> copied_bytes;  // of the cut's conversions between memories: what crosses from one into another
    contender chosen;
    std::vector<contender> others;
    partitioned cut;
    std::size_t pricing_rounds = 0;
    std::size_t rehearsals = 0;
    std::string rehearsal_failure;  // why a program could not be run, the first time; empty where all could
    search_effort effort;
    /// The numbers that `chosen` answers, where `plan_options::keep_problem` asked for them, and a proof of its lower bound, where one was
    /// made.
    std::optional<selection_problem> stated;
    std::optional<certificate> proof;
    /// Where preferences made candidates of `stated` dearer: what those that are not kept add to `chosen`'s seconds there. The proof is
    /// about that sum.
    std::optional<double> penalties;
    plan_objective objective = plan_objective::latency;
    /// Where phases of back ends changed the program before it was partitioned: the one that the plan is for, whose nodes all of this
    /// speaks of, and the one that every back end may be planned on. Where neither is there, the plan is for what was given.
    std::optional<prepared_program> program;
    std::optional<prepared_program> shared_program;
    std::map<device_type, std::int32_t> devices;  // of each type of which places name one by number: which
    std::vector<fallback> fallbacks;              // where the chosen cover falls back against a `warn`
};

}  // namespace inlay

#endif
