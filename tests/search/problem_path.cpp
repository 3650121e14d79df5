// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/problem_path.hpp>

#include <doctest/doctest.h>

using inlay::problem_path;

TEST_CASE("a path names lists, members and numbers from the outside in") {
    const problem_path list("candidates"), third(list, 3), nodes(third, ".nodes");
    CHECK(list.text() == "candidates");
    CHECK(third.text() == "candidates[3]");
    CHECK(problem_path(nodes, 5).text() == "candidates[3].nodes[5]");
    CHECK(problem_path("").text().empty());
    const auto own = problem_path::numbered("conversions.of_node.", 0);
    const problem_path row(own, 1);
    CHECK(problem_path(row, 2).text() == "conversions.of_node.0[1][2]");
}
