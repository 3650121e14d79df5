// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/where_legal.hpp>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

#include <inlay/loops/loop_bands.hpp>

using namespace inlay;

TEST_CASE("a nest is arranged as a whole schedule says, or left as it is") {
    loop_nest n = nests::parsed("nest n { input x: float32[8] output y: float32[1] y[0] = 0.0 for i < 8 { y[0] += x[i] } }");
    const loop_nest before = n;
    // The second step is not legal: rounds of a sum hand on what it is so far.
    CHECK_FALSE(detail::arrange_where_legal(n, loop_schedule().split("i", 4, "outer", "inner").run("outer", loop_kind::parallel)));
    CHECK(n == before);
    CHECK(detail::arrange_where_legal(n, loop_schedule().split("i", 4, "outer", "inner")));
    CHECK_FALSE(n == before);
    CHECK(detail::name_of_loop(n, outermost_bands(n).front().loops.front()) == "outer");
}
