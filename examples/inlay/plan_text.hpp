// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_PLAN_TEXT_HPP
#define INLAY_EXAMPLES_INLAY_PLAN_TEXT_HPP

#include <cstddef>
#include <span>
#include <string>

#include <inlay/core/outcome.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_record.hpp>

#include "engine.hpp"

namespace tool {

/// A time as plans and prices show it: `0.1234 ms`, and where that is less than a hundredth, `0.00123 ms`.
[[nodiscard]] std::string milliseconds(double seconds);

/// An amount of an objective: a time, for the peak `4096 bytes`, for energy `12.5 uJ`.
[[nodiscard]] std::string amount_text(inlay::plan_objective of, double amount);

/// The objective of that name, as one of these; the error calls it `what` and lists them.
[[nodiscard]] inlay::outcome<inlay::plan_objective> objective_of(const std::string& name, std::span<const inlay::plan_objective> among,
                                                                 const std::string& what);

/// `1 part`, `2 parts`.
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

/// The plan for people: parts, conversions, totals.
[[nodiscard]] std::string plan_text(const inlay::ir_module& m, const inlay::plan& p, const engine& e);

/// The plan as JSON, version 1 of `docs/plan.md`, with the back ends of the engine and how its model was prepared.
[[nodiscard]] std::string plan_json(const inlay::ir_module& m, const inlay::plan& p, const engine& e, const model_options& prepared);

/// The options with which the model of a recorded plan was prepared, beside those that the call gives.
[[nodiscard]] model_options prepared_as(model_options options, const inlay::plan_record& record);

/// The plan of what a file says, for a model and an engine.
[[nodiscard]] inlay::outcome<inlay::plan> plan_of_file(const std::string& path, const inlay::plan_record& record, const inlay::ir_module& m,
                                                       const engine& e);

/// The engine that a plan was made with: unless the options name others, its targets with their options; the error says what is otherwise
/// here than it was.
[[nodiscard]] inlay::outcome<engine> engine_of_plan(const std::string& path, const inlay::plan_record& record, engine_options options);

}  // namespace tool

#endif
