// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rule_options.hpp>

#include <doctest/doctest.h>

TEST_CASE("rules are bounded unless somebody says how far they may go") {
    constexpr inlay::rule_options usual;
    static_assert(usual.matches_per_root != 0 && usual.candidates >= 1000 && usual.combinations >= usual.candidates);
    constexpr inlay::rule_options few{1, 2, 3};
    CHECK(few.matches_per_root == 1);
    CHECK(few.candidates == 2);
    CHECK(few.combinations == 3);
}
