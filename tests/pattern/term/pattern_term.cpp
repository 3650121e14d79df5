// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/pattern_term.hpp>

#include <vector>

#include <doctest/doctest.h>

TEST_CASE("a view gives the children of a term, its root and the first slot of a name") {
    std::vector<inlay::pattern_term> terms(3);
    terms[2].first = 1;
    terms[2].count = 2;
    const std::vector<inlay::term_id> links{7, 1, 0};
    const std::vector<std::string_view> slots{"a", "b", "a"};
    const inlay::pattern_view p{terms, links, slots, 2};
    CHECK(&p.top() == &terms[2]);
    CHECK(&p[1] == &terms[1]);
    REQUIRE(p.children(p.top()).size() == 2);
    CHECK(p.children(p.top())[0] == 1);
    CHECK(p.child(p.top(), 1) == 0);
    CHECK(p.children(p[0]).empty());
    CHECK(p.slot("a") == 0);
    CHECK(p.slot("b") == 1);
    CHECK(p.slot("c") == 3);
}

TEST_CASE("a term of which nothing is said takes any node") {
    const inlay::pattern_term t;
    CHECK(t.kind == inlay::term_kind::any);
    CHECK(t.most == inlay::pattern_term::unbounded);
    CHECK(t.count == 0);
    CHECK_FALSE(t.open);
}
