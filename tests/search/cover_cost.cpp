// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/cover_cost.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace {

// Node 0 is read by 1, 2 and 3; formats 0 and 1; from 0 to 1 costs 3, from 1 to 0 cannot be done.
inlay::problem fan(bool shared) {
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 1}, {0, 2}, {0, 3}};
    p.formats = 2;
    p.conversions = {0, 3, inlay::impossible, 0};
    p.share_conversions = shared;
    p.candidates = {{{0}, 1, 0, 0, 0, {}, {}},          {{1}, 10, 0, 1, 1, {}, {}},        {{2}, 100, 0, 1, 1, {}, {}},
                    {{3}, 1000, 0, 0, 0, {}, {}},       {{0}, 1, 0, 1, 1, {}, {}},         {{1, 2}, 110, 0, 1, 1, {}, {}},
                    {{3}, 1000, 0, 1, 1, {{0, 0}}, {}}, {{0, 1, 2, 3}, 5, 0, 1, 0, {}, {}}};
    return p;
}

std::optional<double> paid(const inlay::problem& p, const std::vector<inlay::candidate_index>& chosen) {
    return inlay::cover_cost(inlay::problem_index(p), chosen);
}

}  // namespace

TEST_CASE("a shared conversion is paid once for a format, else once for each reading part") {
    CHECK(paid(fan(true), {0, 1, 2, 3}) == 1111 + 3);
    CHECK(paid(fan(false), {0, 1, 2, 3}) == 1111 + 6);
    CHECK(paid(fan(false), {0, 5, 3}) == 1111 + 3);
    CHECK(paid(fan(true), {0, 1, 2, 6}) == 1111 + 3);
}

TEST_CASE("what nobody reads outside costs nothing, and what is impossible is no selection") {
    CHECK(paid(fan(true), {7}) == 5);
    CHECK_FALSE(paid(fan(true), {4, 1, 2, 3}).has_value());
    CHECK_FALSE(paid(fan(true), {0, 1, 2}).has_value());
}

TEST_CASE("a table of a node's own takes the place of the default") {
    inlay::problem p = fan(true);
    p.conversions_of = {{0, {0, 7, 2, 0}}};
    CHECK(paid(p, {0, 1, 2, 3}) == 1111 + 7);
    CHECK(paid(p, {4, 1, 2, 3}) == 1111 + 2);
}

TEST_CASE("parts that feed each other have a price only where cycles are allowed") {
    inlay::problem p;
    p.nodes = 3;
    p.edges = {{0, 1}, {1, 2}};
    p.candidates = {{{0, 2}, 1, 0, 0, 0, {}, {}}, {{1}, 1, 0, 0, 0, {}, {}}};
    CHECK_FALSE(paid(p, {0, 1}).has_value());
    p.acyclic = false;
    CHECK(paid(p, {0, 1}) == 2);
}
