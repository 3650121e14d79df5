// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/constants_policy.hpp>

#include <doctest/doctest.h>

namespace {
struct silent {};
struct lifting {
    static constexpr inlay::constants_policy constants = inlay::constants_policy::lift;
};
}  // namespace

TEST_CASE("who says nothing of constants has them embedded") {
    CHECK(inlay::constants_policy_of<silent>() == inlay::constants_policy::embed);
    CHECK(inlay::constants_policy_of<lifting>() == inlay::constants_policy::lift);
}
