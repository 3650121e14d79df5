// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/domain.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover.hpp>
#include <inlay/search/eager.hpp>
#include <inlay/search/exact/elimination.hpp>
#include <inlay/search/model/make_cover_network.hpp>

#include "search/random_problem.hpp"

namespace {

struct modelled {
    explicit modelled(const inlay::problem& p)
        : index(p),
          covers(inlay::make_cover_network(index, inlay::scaling::for_total(inlay::largest_price(index)),
                                           std::vector<bool>(p.candidates.size(), true))),
          domains(index, covers) {}

    inlay::problem_index index;
    inlay::cover_network covers;
    inlay::cover_domains domains;
};

}  // namespace

TEST_CASE("what is forbidden is gone, what is required is all that is left at its nodes") {
    inlay::each_coverable_problem(300, 7, [&](std::uint64_t, const inlay::problem& p) {
        const modelled m(p);
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            if (m.covers.representative[c] != c) continue;
            inlay::domain without = m.domains.whole();
            CHECK(m.domains.has(without, c));
            m.domains.forbid(without, c);
            CHECK_FALSE(m.domains.has(without, c));
            inlay::domain with = m.domains.whole();
            m.domains.require(with, c);
            for (inlay::candidate_index other = 0; other < p.candidates.size(); ++other) {
                if (m.covers.representative[other] != other) continue;
                const auto mine = m.index.members(c);
                const auto theirs = m.index.members(other);
                const bool meets = std::find_first_of(mine.begin(), mine.end(), theirs.begin(), theirs.end()) != mine.end();
                CHECK(m.domains.has(with, other) == (other == c || !meets));
                CHECK(m.domains.has(without, other) == (other != c));
            }
        }
    });
}

TEST_CASE("a candidate that misses at one node is dropped at all") {
    std::size_t dropped = 0;
    inlay::each_coverable_problem(300, 7, [&](std::uint64_t, const inlay::problem& p) {
        const modelled m(p);
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            const auto members = m.index.members(c);
            if (m.covers.representative[c] != c || members.size() < 2) continue;
            inlay::domain alive = m.domains.whole();
            const inlay::node_id last = members.back();
            const auto [from, to] = m.covers.values_of(last, c);
            for (std::uint32_t x = from; x < to; ++x) alive[m.covers.m.unary.begin[last] + x] = 0;
            inlay::domain forbidden = m.domains.whole();
            m.domains.forbid(forbidden, c);
            CHECK(m.domains.consistent(alive) == forbidden);
            ++dropped;
        }
    });
    CHECK(dropped > 100);
}

TEST_CASE("a window leaves the rest of a cover, and what it allows is found by elimination") {
    std::size_t compared = 0;
    inlay::each_coverable_problem(400, 8, [&](std::uint64_t seed, const inlay::problem& p) {
        const modelled m(p);
        const auto cover = inlay::eager(m.index, inlay::eager_order(p));
        if (!inlay::covers_once(m.index, cover)) return;
        std::vector<std::uint8_t> within(p.nodes, 0);
        for (inlay::node_id v = 0; v < p.nodes; ++v) within[v] = (v >= 2 && v < 6) || (seed % 2 == 0 && v == 7) ? 1 : 0;
        const auto alive = m.domains.window(cover, within);
        REQUIRE(alive.size() == m.covers.m.unary.items.size());
        const auto sub = inlay::restricted(m.covers.m, alive);
        const auto plan = inlay::plan_elimination(sub.m, {1e7});
        inlay::elimination solved(sub.m, plan);
        for (const auto c : cover) {
            CHECK(m.domains.has(alive, m.covers.representative[c]));
            const auto members = m.index.members(c);
            const bool inside = std::all_of(members.begin(), members.end(), [&](inlay::node_id v) { return within[v] != 0; });
            for (const auto v : members) {
                for (const auto other : m.covers.meaning[v])
                    if (!inside && other != m.covers.representative[c]) CHECK_FALSE(m.domains.has(alive, other));
            }
        }
        if (solved.cost() >= inlay::infinite_cost) return;
        const auto found = m.domains.cover_of(&sub.values, solved.assignment());
        CHECK(inlay::covers_once(m.index, found));
        for (const auto c : found) CHECK(m.domains.has(alive, c));
        ++compared;
    });
    CHECK(compared > 100);
}
