// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/vector_rounds.hpp>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

#include <inlay/loops/nest_text.hpp>

using namespace inlay;

TEST_CASE("innermost loops are vector loops where their rounds hand nothing on") {
    const loop_nest n = detail::with_vector_rounds(nests::parsed(R"(
nest n {
    input x: float32[4, 6]
    output y: float32[4, 6]
    output s: float32[4]
    for i < 4 parallel {
        for j < 6 { y[i, j] = x[i, j] + 1.0 }
        s[i] = 0.0
        for k < 6 { s[i] += x[i, k] }
        for l < 1 { s[i] += 1.0 }
    }
}
)"));
    CHECK(to_text(n) == to_text(nests::parsed(R"(
nest n {
    input x: float32[4, 6]
    output y: float32[4, 6]
    output s: float32[4]
    for i < 4 parallel {
        for j < 6 vector { y[i, j] = x[i, j] + 1.0 }
        s[i] = 0.0
        for k < 6 { s[i] += x[i, k] }
        for l < 1 { s[i] += 1.0 }
    }
}
)")));
}
