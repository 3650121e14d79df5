// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/quotient.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

/// Random disjoint sets of calls, none empty.
std::vector<node_set> random_parts(const lettered_graph& g, std::mt19937& random) {
    std::vector<std::vector<node_id>> lists(4);
    for (node_id n = 2; n < g.size(); ++n)
        if (const auto p = random() % 6; p < 4) lists[p].push_back(n);
    std::vector<node_set> parts;
    for (auto& l : lists)
        if (!l.empty()) parts.emplace_back(std::move(l));
    return parts;
}

/// Which group reads, through others, from which: parts first, then nodes.
std::vector<std::vector<bool>> reach_of_groups(const lettered_graph& g, const std::vector<std::size_t>& group, std::size_t groups,
                                               std::size_t without_a, std::size_t without_b) {
    std::vector<std::vector<bool>> reaches(groups, std::vector<bool>(groups));
    for (node_id to = 0; to < g.size(); ++to)
        for (const node_id from : g.reads[to])
            if (group[from] != group[to]) reaches[group[from]][group[to]] = true;
    if (without_a != without_b) reaches[without_a][without_b] = reaches[without_b][without_a] = false;
    for (std::size_t k = 0; k < groups; ++k)
        for (std::size_t i = 0; i < groups; ++i)
            for (std::size_t j = 0; j < groups; ++j)
                if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
    return reaches;
}

std::vector<std::size_t> groups_of(const lettered_graph& g, const std::vector<node_set>& parts) {
    std::vector<std::size_t> group(g.size());
    for (node_id n = 0; n < g.size(); ++n) {
        group[n] = parts.size() + n;
        for (std::size_t p = 0; p < parts.size(); ++p)
            if (parts[p].has(n)) group[n] = p;
    }
    return group;
}

}  // namespace

TEST_CASE("convex sets may be on a cycle together [candidate.quotient.cycle]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {x}), d = g.add("E", {c});
    const dataflow flow = flow_of(g);
    const std::vector<node_set> crossing{{a, d}, {b, c}}, parallel{{a, c}, {b, d}};
    CHECK_FALSE(quotient(flow, crossing).is_acyclic());
    CHECK(quotient(flow, parallel).is_acyclic());
    const std::vector<node_set> first{{a, d}, {b}, {c}};
    quotient q(flow, first);
    CHECK(q.is_acyclic());
    CHECK(q.readers(0) == std::vector<std::size_t>{1});
    CHECK_FALSE(q.has_path_around(0, 1));
    q.merge(0, 1);
    CHECK(q.group(1) == 0);
    CHECK(q.is_acyclic());
    CHECK(q.readers(2) == std::vector<std::size_t>{0});
}

TEST_CASE(
    "over random sets, cycles and paths around are those of the graph of groups, before and after merging [candidate.quotient.cycle]") {
    std::size_t cyclic = 0, around = 0, merged = 0;
    CHECK(rc::check("groups by definition", [&] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 12);
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        const dataflow flow = flow_of(g);
        std::vector<node_set> parts = random_parts(g, random);
        quotient q(flow, parts);
        std::vector<std::size_t> number(parts.size());
        for (std::size_t p = 0; p < parts.size(); ++p) number[p] = p;
        for (;;) {
            const auto group = groups_of(g, parts);
            const std::size_t groups = parts.size() + g.size();
            const auto all = reach_of_groups(g, group, groups, 0, 0);
            bool acyclic = true;
            for (std::size_t i = 0; i < groups; ++i) acyclic = acyclic && !all[i][i];
            RC_ASSERT(q.is_acyclic() == acyclic);
            if (!acyclic || parts.size() < 2) {
                cyclic += acyclic ? 0 : 1;
                break;
            }
            for (std::size_t i = 0; i < parts.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const auto without = reach_of_groups(g, group, groups, i, j);
                    RC_ASSERT(q.has_path_around(number[i], number[j]) == (without[i][j] || without[j][i]));
                    around += without[i][j] || without[j][i] ? 1 : 0;
                }
            const std::size_t last = parts.size() - 1, with = random() % last;
            q.merge(number[with], number[last]);
            parts[with] = parts[with] | parts[last];
            parts.pop_back();
            ++merged;
        }
    }));
    CHECK(cyclic > 10);
    CHECK(around > 10);
    CHECK(merged > 10);
}
