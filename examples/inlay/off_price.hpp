// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_OFF_PRICE_HPP
#define INLAY_EXAMPLES_INLAY_OFF_PRICE_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/program_meter.hpp>

#include "engine.hpp"

namespace tool {

/// A piece of a plan that does not take what its price says; equal pieces, which share a price, are one.
struct off_piece {
    std::string what;  // the first of them, in a line of text
    std::size_t places = 1;
    double seconds = 0, price = 0;  // of each of them, on average
};

/// The pieces that ran off their prices, those that make most of a difference first. `seen` is what they took in the running program,
/// warm. Off is what differs by more than a tenth of the price, more than price and runs spread, and more than a hundredth of the plan's
/// time; where something else ran meanwhile, only what was quicker. `is_stated`: all prices count, as those of a file; else those that
/// were measured.
[[nodiscard]] std::vector<off_piece> off_pieces(const inlay::ir_module& m, const inlay::plan& p, const engine& back_ends,
                                                const inlay::program_timing& seen, bool is_stated);

/// Runs the plan's program some more times and says on standard error which pieces ran off their prices, and what to do about it.
void tell_off_pieces(const inlay::ir_module& m, const inlay::plan& p, const engine& back_ends, bool is_stated);

}  // namespace tool

#endif
