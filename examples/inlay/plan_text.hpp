// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_PLAN_TEXT_HPP
#define INLAY_EXAMPLES_INLAY_PLAN_TEXT_HPP

#include <string>

#include "engine.hpp"

namespace tool {

/// The plan for people: parts, conversions, totals.
[[nodiscard]] std::string plan_text(const inlay::ir_module& m, const inlay::plan& p, const engine& e);

/// The plan as JSON, version 1: reads back with `read_plan`.
[[nodiscard]] std::string plan_json(const inlay::ir_module& m, const inlay::plan& p, const engine& e);

/// The candidates that a plan file chose, found again among a model's candidates, as a plan: partition, totals as the file says them.
/// The error names the part that does not fit the model or the back ends.
[[nodiscard]] inlay::outcome<inlay::plan> read_plan(const std::string& path, const inlay::ir_module& m, const engine& e);

}  // namespace tool

#endif
