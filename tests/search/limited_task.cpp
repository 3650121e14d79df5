// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/limited_task.hpp>

#include <doctest/doctest.h>

TEST_CASE("a task asks for the cheapest cover, an answer begins with none") {
    const inlay::limited_task task;
    CHECK(task.aim == inlay::search_aim::cost);
    CHECK(task.admitted.empty());
    const inlay::limited_answer answer;
    CHECK(answer.status == inlay::selection_status::infeasible);
    CHECK_FALSE(answer.value);
    CHECK_FALSE(answer.lower_bound);
    CHECK(answer.effort == inlay::search_effort{});
}
