// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/nest_work.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

namespace {
double work_in(const std::string& body) {
    const loop_nest n =
        nests::parsed("nest n { input x: float32[4, 6] input k: int32[4, 6] output y: float32[4, 6] output z: int32[4, 6] " + body + " }");
    return work_of(n, n.root);
}
}  // namespace

TEST_CASE("each load, store and sum counts, as often as its loops go round") {
    CHECK(work_in("for i < 4 { for j < 6 { y[i, j] = 0.0 } }") == 24);
    CHECK(work_in("for i < 4 { for j < 6 { y[i, j] = x[i, j] } }") == 48);
    CHECK(work_in("for i < 4 { for j < 6 { y[i, j] += x[i, j] * 2.0 } }") == 72);
    CHECK(work_in("for i < 4 { y[i, 0] = x[i, 0] for j < 6 { y[i, j] = 0.0 } }") == 4 * (2 + 6));
    CHECK(work_in("for i < 0 { for j < 6 { y[i, j] = x[i, j] } }") == 0);
}

TEST_CASE("functions that take longer count for more, on floating numbers above all") {
    const double sum = work_in("for i < 4 { y[i, 0] = x[i, 0] + x[i, 1] }");
    CHECK(work_in("for i < 4 { y[i, 0] = x[i, 0] / x[i, 1] }") == sum + 4 * 7);
    CHECK(work_in("for i < 4 { z[i, 0] = k[i, 0] / k[i, 1] }") == sum + 4);
    CHECK(work_in("for i < 4 { y[i, 0] = exp(x[i, 0]) }") == 4 * (1 + 8 + 1));
}

TEST_CASE("a call counts for what it means, an external function for one") {
    const loop_nest outside = nests::parsed(nests::by_library), inside = nests::parsed(nests::by_tiles);
    CHECK(work_of(outside, outside.root) == 4);
    CHECK(work_of(inside, inside.root) > 64);
}
