// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/tiled_moves.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

#include <inlay/loops/run_nest.hpp>

using namespace inlay;

namespace {
loop_nest transposed(int rows, int columns) {
    const std::string r = std::to_string(rows), c = std::to_string(columns);
    return nests::parsed("nest t { input x: float32[3, " + r + ", " + c + "] output y: float32[3, " + c + ", " + r +
                         "] for i < 3 { for j < " + c + " { for k < " + r + " { y[i, j, k] = x[i, k, j] } } } }");
}
std::string order(const loop_nest& n) {
    std::string all;
    const loop_band first = outermost_bands(n).front();
    for (const statement_id loop : first.loops)
        all += (all.empty() ? "" : " ") + detail::name_of_loop(n, loop) + ":" + std::to_string(n.statements[loop].extent);
    return all;
}
}  // namespace

TEST_CASE("a transpose goes tile by tile, ragged edges included, and moves the same elements") {
    const loop_nest before = transposed(40, 33), after = detail::with_tiled_moves(before);
    CHECK(order(after) == "i:3 j_tile:3 k_tile:3 j_in:16 k_in:16");
    const std::vector<tensor> inputs = nests::some_inputs(before);
    const auto meant = run_nest(before, inputs), got = run_nest(after, inputs);
    REQUIRE(meant);
    REQUIRE(got);
    CHECK(got->front().content() == meant->front().content());
}

TEST_CASE("small transposes and copies stay as they are") {
    const loop_nest small = transposed(20, 33);
    CHECK(detail::with_tiled_moves(small) == small);
    const loop_nest copy =
        nests::parsed("nest c { input x: float32[64, 64] output y: float32[64, 64] for i < 64 { for j < 64 { y[i, j] = x[i, j] } } }");
    CHECK(detail::with_tiled_moves(copy) == copy);
}
