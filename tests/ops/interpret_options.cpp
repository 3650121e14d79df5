// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret_options.hpp>

#include <doctest/doctest.h>

TEST_CASE("Unless told otherwise, a program is computed in its own element types and every bound lets something run") {
    const inlay::interpret_options options;
    CHECK_FALSE(options.in_float64);
    CHECK(options.deepest_call > 1000);
    CHECK(options.most_slots > options.deepest_call);
    CHECK(options.longest_loop > 1000);
}
