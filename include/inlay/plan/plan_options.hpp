// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_OPTIONS_HPP
#define INLAY_PLAN_PLAN_OPTIONS_HPP

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/partition/existing_part.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/piece_energies.hpp>
#include <inlay/plan/placement_rule.hpp>
#include <inlay/plan/plan_limit.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// How a plan is made.
struct plan_options {
    inlay::partitioner partitioner;          // who decides; unless told otherwise, exact
    std::vector<inlay::partitioner> others;  // contenders to be priced beside it
    std::string prefer;                      // a kind that gets whatever it can take; empty: none
    std::string fallback = "reference";      // the kind that runs what nobody else takes
    std::vector<fallback_rule> fallbacks;    // where it may; kept by every partitioner
    std::vector<existing_part> existing;     // stay as they are, under every partitioner
    bool merge_parts = true;                 // neighbouring candidates of one owner become one part, which changes no price
    /// Where nodes have to run, under every partitioner. Without any, an `ir_module`'s own column says so (`placements_in`).
    std::vector<placement_rule> placements;
    std::vector<plan_constraint> constraints;            // what the partitioner keeps to, or refuses
    std::vector<plan_limit> limits;                      // likewise
    plan_objective objective = plan_objective::latency;  // of exact and of single ones
    piece_energies energies;                             // which the objective `energy` adds up, see `modelled_energies`
    double launch_seconds = 0;                           // charged for every kernel and conversion beside its own price
    select_options search;                               // its executor runs what can be done side by side
    enumerate_options enumeration;                       // how far matches and partition rules are followed
    bool run_phases = true;                              // of back ends, before partitioning; false: `prepare` ran them already
    std::size_t rehearsals = 8;                          // how often at most programs are run whole and their pieces priced by that
    std::size_t pricing_rounds = 1000;                   // then unpriced candidates keep their bounds, on which the plan rests
    std::map<digest, std::string> failures;              // why what has that content (`backends_ref::content`) does not run
    bool keep_problem = false;                           // `plan::stated` gets the numbers that were solved in the end
    selection_status* ended = nullptr;                   // where set, gets how the search ended, also where there is no plan
};

}  // namespace inlay

#endif
