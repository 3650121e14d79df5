// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_program.hpp>

#include <doctest/doctest.h>

TEST_CASE("a program begins empty, and its options leave open where weights go") {
    const inlay::c_program p;
    CHECK(p.arena_bytes == 0);
    CHECK(p.weights == inlay::c_weights::embedded);
    CHECK_FALSE(inlay::c_program_options{}.weights.has_value());
}
