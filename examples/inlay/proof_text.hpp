// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_PROOF_TEXT_HPP
#define INLAY_EXAMPLES_INLAY_PROOF_TEXT_HPP

#include <inlay/core/outcome.hpp>
#include <inlay/import/json.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/plan.hpp>

namespace tool {

/// The proof of a plan's lower bound, with the prices of all that was offered: what plan.json holds under `proof`. The plan must have one.
[[nodiscard]] inlay::json_output proof_json(const inlay::ir_module& m, const inlay::plan& p);

/// Reads it into a plan whose candidates are known; the problem is stated anew from these and the prices.
[[nodiscard]] inlay::outcome<void> read_proof(const inlay::json_place& at, const inlay::ir_module& m, inlay::plan& p);

}  // namespace tool

#endif
