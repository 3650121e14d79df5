// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/shared_rounds.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

using namespace inlay;

namespace {
/// The loops of the first band: name, rounds, how they run.
std::string shown(const loop_nest& n) {
    std::string all;
    const loop_band first = outermost_bands(n).front();
    for (const statement_id loop : first.loops)
        all += (all.empty() ? "" : ", ") + detail::name_of_loop(n, loop) + " " + std::to_string(n.statements[loop].extent) + " " +
               std::string(name_of(n.statements[loop].runs));
    return all;
}
std::string shared(const std::string& text) { return shown(detail::with_shared_rounds(nests::parsed(text))); }
}  // namespace

TEST_CASE("outer loops are parallel until there are rounds enough, the innermost is left to vectors") {
    CHECK(
        shared("nest n { output y: float32[4, 32, 8, 9] for i < 4 { for j < 32 { for k < 8 { for l < 9 { y[i, j, k, l] = 1.0 } } } } }") ==
        "i 4 parallel, j 32 parallel, k 8 serial, l 9 serial");
    CHECK(shared("nest n { output y: float32[4, 3] for i < 4 { for j < 3 { y[i, j] = 1.0 } } }") == "i 4 parallel, j 3 serial");
    CHECK(shared("nest n { output y: float32[9] for i < 9 { y[i] = 1.0 } }") == "i 9 serial");
}

TEST_CASE("a loop around a row's stages is parallel though it is the last of its band") {
    CHECK(shared("nest n { input x: float32[7, 5] output y: float32[7] for i < 7 { y[i] = 0.0 for j < 5 { y[i] += x[i, j] } } }") ==
          "i 7 parallel");
}

TEST_CASE("a single long line is cut, and rounds that hand something on stay in order") {
    CHECK(shared("nest n { output y: float32[1, 200000] for i < 1 { for j < 200000 { y[i, j] = 1.0 } } }") ==
          "i 1 parallel, j_piece 13 parallel, j_in 16384 serial");
    CHECK(shared("nest n { input x: float32[9, 8] output y: float32[8] for i < 9 { for j < 8 { y[j] += x[i, j] } } }") ==
          "i 9 serial, j 8 serial");
}
