// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/prepared_program.hpp>

#include <doctest/doctest.h>

TEST_CASE("unless told otherwise a prepared program is for everybody, and nothing was run on it") {
    const inlay::prepared_program p;
    CHECK(p.backend == inlay::prepared_program::everybody);
    CHECK(p.phases.empty());
}
