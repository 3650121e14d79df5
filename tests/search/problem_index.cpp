// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/problem_index.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace {

inlay::problem diamond() {
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{1, 3}, {0, 2}, {0, 1}, {2, 3}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    p.conversions_of = {{1, inlay::uniform_conversions(2, 9)}};
    p.candidates = {{{2, 0}, 1, 0, 0, 1, {}, {{2, 0}}}, {{1}, 1, 0, 0, 0, {{0, 1}}, {}}, {{3}, 1, 0, 1, 1, {{2, 0}}, {}}};
    return p;
}

template <class Span>
std::vector<inlay::tensor_format> listed(const Span& s) {
    return {s.begin(), s.end()};
}

}  // namespace

TEST_CASE("an index lists neighbours, members and covering candidates in ascending order") {
    const inlay::problem p = diamond();
    const inlay::problem_index index(p);
    CHECK(std::vector<inlay::node_id>(index.users(0).begin(), index.users(0).end()) == std::vector<inlay::node_id>{1, 2});
    CHECK(std::vector<inlay::node_id>(index.producers(3).begin(), index.producers(3).end()) == std::vector<inlay::node_id>{1, 2});
    CHECK(std::vector<inlay::node_id>(index.members(0).begin(), index.members(0).end()) == std::vector<inlay::node_id>{0, 2});
    CHECK(index.covering(2).size() == 1);
    CHECK(index.conversion(1, 0, 1) == 9);
    CHECK(index.conversion(2, 0, 1) == 1);
}

TEST_CASE("an index fills in the formats of every tensor that crosses a candidate's border") {
    const inlay::problem p = diamond();
    const inlay::problem_index index(p);
    CHECK(listed(index.reads(0)).empty());
    CHECK(listed(index.gives(0)) == std::vector<inlay::tensor_format>{{0, 1}, {2, 0}});
    CHECK(listed(index.reads(1)) == std::vector<inlay::tensor_format>{{0, 1}});
    CHECK(listed(index.reads(2)) == std::vector<inlay::tensor_format>{{1, 1}, {2, 0}});
    CHECK(listed(index.gives(2)).empty());
}

TEST_CASE("the first uncovered node is found without memory for the nodes") {
    inlay::problem p = diamond();
    CHECK(inlay::first_uncovered(p) == inlay::no_node);
    p.candidates.erase(p.candidates.begin() + 1);
    CHECK(inlay::first_uncovered(p) == 1);
    p.nodes = 0xFFFFFFFEu;
    p.candidates.clear();
    CHECK(inlay::first_uncovered(p) == 0);
}
