// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/eager.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "random_problem.hpp"

namespace {

std::vector<inlay::candidate_index> by_default(const inlay::problem& p) {
    return inlay::eager(inlay::problem_index(p), inlay::eager_order(p));
}

/// The rule by its definition: after each candidate the whole graph of parts is looked at.
std::vector<inlay::candidate_index> literally(const inlay::problem& p) {
    const inlay::problem_index index(p);
    std::vector<inlay::candidate_index> taken;
    for (const inlay::candidate_index c : inlay::eager_order(p)) {
        taken.push_back(c);
        const auto owner = inlay::owners(index, taken);
        if (owner.empty() || (p.acyclic && !inlay::find_cycle(index, owner).empty())) taken.pop_back();
    }
    std::sort(taken.begin(), taken.end());
    return taken;
}

}  // namespace

TEST_CASE("candidates are taken by back end, then by index, if they are disjoint") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.candidates = {{{0}, 1, 1, 0, 0, {}, {}}, {{1}, 1, 1, 0, 0, {}, {}}, {{0, 1}, 9, 0, 0, 0, {}, {}}};
    CHECK(by_default(p) == std::vector<inlay::candidate_index>{2});
    p.candidates[2].backend = 1;
    CHECK(by_default(p) == std::vector<inlay::candidate_index>{0, 1});
    const std::vector<inlay::candidate_index> order = {2, 1, 0};
    CHECK(inlay::eager(inlay::problem_index(p), order) == std::vector<inlay::candidate_index>{2});
}

TEST_CASE("the eager rule equals its definition on random problems") {
    inlay::each_coverable_problem(3000, 12, [&](std::uint64_t, const inlay::problem& p) { CHECK(by_default(p) == literally(p)); });
}
