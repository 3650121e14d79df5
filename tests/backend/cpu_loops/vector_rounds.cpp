// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/vector_rounds.hpp>

#include <doctest/doctest.h>

#include "../../loops/arranged.hpp"

using namespace inlay;

TEST_CASE("innermost loops are vector loops, but those of one round and those whose rounds hand something on") {
    nests::check_arranged(inlay::detail::with_vector_rounds, R"(nest n {
    input x: float32[4, 6]
    output y: float32[4, 6]
    output z: float32[4]
    for i < 4 {
        for j < 6 {
            y[i, j] = x[i, j]
        }
        z[i] = 0.0
        for k < 6 {
            z[i] += x[i, k]
        }
        for l < 1 {
            z[i] = z[i]
        }
    }
    for m < 3 parallel {
        z[m] = 1.0
    }
}
)",
                          R"(nest n {
    input x: float32[4, 6]
    output y: float32[4, 6]
    output z: float32[4]
    for i < 4 {
        for j < 6 vector {
            y[i, j] = x[i, j]
        }
        z[i] = 0.0
        for k < 6 {
            z[i] += x[i, k]
        }
        for l < 1 {
            z[i] = z[i]
        }
    }
    for m < 3 parallel {
        z[m] = 1.0
    }
}
)");
}
