// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_PLAN_TEXT_HPP
#define INLAY_EXAMPLES_INLAY_PLAN_TEXT_HPP

#include <string>

#include "engine.hpp"

namespace tool {

/// A time as plans and prices show it: `0.1234 ms`, and where that is less than a hundredth, `0.00123 ms`.
[[nodiscard]] std::string milliseconds(double seconds);

/// An amount of an objective: a time, or for the peak `4096 bytes`.
[[nodiscard]] std::string amount_text(inlay::plan_objective of, double amount);

/// `1 part`, `2 parts`.
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

/// The plan for people: parts, conversions, totals.
[[nodiscard]] std::string plan_text(const inlay::ir_module& m, const inlay::plan& p, const engine& e);

/// The plan as JSON, version 1: reads back with `read_plan`. `as_written`: its model was not rewritten.
[[nodiscard]] std::string plan_json(const inlay::ir_module& m, const inlay::plan& p, const engine& e, bool as_written);

/// Whether the plan that a file holds is of a model that was not rewritten: so it has to be prepared before the plan is read.
[[nodiscard]] inlay::outcome<bool> is_plan_as_written(const std::string& path);

/// The plan that a file holds, as the file says it: parts in its order, their candidates found again among the model's, conversions,
/// prices, totals. Whether it keeps the laws of a plan is `verify`'s to say. The error names what does not fit the model or the back ends.
[[nodiscard]] inlay::outcome<inlay::plan> read_plan(const std::string& path, const inlay::ir_module& m, const engine& e);

}  // namespace tool

#endif
