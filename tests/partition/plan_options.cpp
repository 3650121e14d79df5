// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/plan_options.hpp>

#include <doctest/doctest.h>

TEST_CASE("unless told otherwise, a plan is the cheapest, with the reference behind single back ends, and nothing to keep to") {
    const inlay::plan_options options;
    CHECK(options.partitioner == "exact");
    CHECK(options.fallback == "reference");
    CHECK(options.prefer.empty());
    CHECK(options.others.empty());
    CHECK(options.constraints.empty());
    CHECK(options.limits.empty());
    CHECK(options.objective == inlay::plan_objective::latency);
    CHECK(options.launch_seconds == 0);
    CHECK_FALSE(options.search.budget_ms.has_value());
    CHECK_FALSE(options.keep_problem);
    CHECK(options.ended == nullptr);
}
