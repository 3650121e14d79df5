// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/selection.hpp>

#include <string>

#include <doctest/doctest.h>

TEST_CASE("statuses have the words of the format") {
    CHECK(std::string(inlay::name_of(inlay::selection_status::optimal)) == "optimal");
    CHECK(std::string(inlay::name_of(inlay::selection_status::gap)) == "gap");
    CHECK(std::string(inlay::name_of(inlay::selection_status::infeasible)) == "infeasible");
}

TEST_CASE("efforts compare by every counter") {
    inlay::search_effort a;
    inlay::search_effort b;
    CHECK(a == b);
    b.cuts = 1;
    CHECK_FALSE(a == b);
}
