// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_RECORD_HPP
#define INLAY_PLAN_PLAN_RECORD_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// A back end as a plan was made with it: its target text, options included, and the version of what it calls.
struct recorded_target {
    std::string target;
    std::string version;

    friend bool operator==(const recorded_target&, const recorded_target&) = default;
};

/// What a back end does as a whole. Nodes go by their names, formats by their texts.
struct recorded_composite {
    std::string name;
    std::vector<std::string> nodes, inputs, results;
    double seconds = 0;
    std::string unchecked = {};  // why its kernel was not compared with its meaning; see `measurement`

    friend bool operator==(const recorded_composite&, const recorded_composite&) = default;
};

struct recorded_part {
    std::string backend;
    std::vector<std::string> nodes;
    std::vector<recorded_composite> composites;  // in the order in which they run

    [[nodiscard]] double seconds() const {
        double sum = 0;
        for (const recorded_composite& c : composites) sum += c.seconds;
        return sum;
    }

    friend bool operator==(const recorded_part&, const recorded_part&) = default;
};

struct recorded_conversion {
    std::string node, from, to;
    std::optional<double> seconds;
    std::uint64_t copied_bytes = 0;  // from one memory into another

    friend bool operator==(const recorded_conversion&, const recorded_conversion&) = default;
};

/// What another way to decide would have cost.
struct recorded_contender {
    std::string name;
    selection_status status = selection_status::infeasible;
    std::optional<double> seconds, lower_bound;
    std::string reason;

    friend bool operator==(const recorded_contender&, const recorded_contender&) = default;
};

/// What the plan comes to in an objective other than latency.
struct recorded_objective {
    plan_objective of = plan_objective::peak;
    double value = 0, lower_bound = 0;

    friend bool operator==(const recorded_objective&, const recorded_objective&) = default;
};

/// Conversion prices of tensors of one shape: from row to column of `recorded_proof::formats`, infinite where nobody can.
struct recorded_conversions {
    std::vector<std::int64_t> shape;
    std::vector<double> seconds;

    friend bool operator==(const recorded_conversions&, const recorded_conversions&) = default;
};

/// What the lower bound rests on: the prices of all that was offered, and the proof over the problem that they state.
struct recorded_proof {
    std::vector<std::string> formats;
    std::vector<double> costs;  // by candidate, in the order of the set; infinite where it has none
    std::vector<recorded_conversions> conversions;
    certificate proof;

    friend bool operator==(const recorded_proof&, const recorded_proof&) = default;
};

/// A plan without its graph and its back ends, which go by their names: what is written to a file, read back, compared and sent.
/// `record_of` makes it of a plan, `plan_of` a plan of it.
struct plan_record {
    std::vector<recorded_target> targets;  // that took part, most preferred first; empty where nobody wrote them down
    bool is_rewritten = true;              // whether rules were applied to the program before it was planned
    bool is_by_steps = false;              // whether quantised operators compute with the steps of their numbers
    bool is_reassociated = false;          // whether rules that lose roundings were applied, too
    bool has_fixed_defaults = false;       // whether inputs with a default have no other value
    std::string partitioner = "exact";
    selection_status status = selection_status::gap;
    std::string reason;
    double seconds = 0, lower_bound = 0;
    std::optional<recorded_objective> objective;
    std::optional<double> penalties;
    std::vector<std::string> fallbacks;
    std::vector<recorded_part> parts;
    std::vector<recorded_conversion> conversions;
    std::vector<recorded_contender> others;
    std::optional<recorded_proof> proof;

    friend bool operator==(const plan_record&, const plan_record&) = default;
};

/// The share of a value that is not proved: (value - bound) / value; 0 where the value is 0.
[[nodiscard]] inline double gap_between(double value, double bound) { return value > 0 ? std::max(0.0, (value - bound) / value) : 0; }

}  // namespace inlay

#endif
