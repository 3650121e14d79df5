// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Compiled alone: it defines what switches rules off.
#define INLAY_SWITCHES
#include <inlay/core/in_force.hpp>

#include <cstdlib>

#include <doctest/doctest.h>

static_assert(inlay::in_force<"core.never.switched">(), "constant expressions keep all rules");

TEST_CASE("a rule is off while the program runs if the environment names it, and others hold") {
    REQUIRE(setenv("INLAY_SWITCHED_OFF", "core.test.named", 1) == 0);
    CHECK_FALSE(inlay::in_force<"core.test.named">());
    CHECK(inlay::in_force<"core.test.other">());
    CHECK(inlay::in_force<"core.test">());
    REQUIRE(unsetenv("INLAY_SWITCHED_OFF") == 0);
    CHECK(inlay::in_force<"core.test.third">());
}
