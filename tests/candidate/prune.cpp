// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/prune.hpp>

#include <algorithm>
#include <functional>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/candidate/subgraph_limits.hpp>
#include <inlay/graph/reachability.hpp>

#include "lettered_graph.hpp"

using namespace inlay;

namespace {

lettered_graph chain(std::size_t length) {
    lettered_graph g;
    g.add("x");
    for (node_id n = 0; n < length; ++n) g.add("E", {n});
    return g;
}
std::vector<node_id> calls_of(const lettered_graph& g) {
    std::vector<node_id> calls;
    for (node_id n = 0; n < g.size(); ++n)
        if (g.kind(n) == node_kind::call) calls.push_back(n);
    return calls;
}
pruned prune_all(const lettered_graph& g, const std::vector<owned_nodes>& all, std::size_t steps = 1'000'000) {
    const std::vector<node_id> calls = calls_of(g);
    return prune(flow_of(g), calls, all, steps);
}
using places = std::vector<std::size_t>;

/// Whether some of the candidates take every node once and can run, all choices tried.
bool has_cover(const lettered_graph& g, const std::vector<owned_nodes>& all, const std::vector<std::size_t>& among) {
    const dataflow flow = flow_of(g);
    const std::vector<node_id> calls = calls_of(g);
    std::vector<node_set> chosen;
    node_set covered;
    const std::function<bool()> go_on = [&]() -> bool {
        const auto bare = std::find_if(calls.begin(), calls.end(), [&](node_id n) { return !covered.has(n); });
        if (bare == calls.end()) return quotient(flow, chosen).is_acyclic();
        for (const std::size_t i : among) {
            if (!all[i].nodes.has(*bare) || !disjoint(all[i].nodes, covered)) continue;
            const node_set before = covered;
            covered = covered | all[i].nodes;
            chosen.push_back(all[i].nodes);
            if (go_on()) return true;
            chosen.pop_back();
            covered = before;
        }
        return false;
    };
    return go_on();
}

}  // namespace

TEST_CASE("of each owner what is within no other candidate of it stays [candidate.prune.greatest]") {
    // Four calls, two owners with seven candidates each: two are left to be priced.
    std::vector<owned_nodes> all;
    for (backend_id owner = 0; owner < 2; ++owner)
        for (const node_set& s : {node_set{1}, {2}, {3}, {4}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}}) all.push_back({s, owner});
    const pruned left = prune_all(chain(4), all);
    CHECK(left.kept == places{6, 13});
    CHECK_FALSE(left.gave_all_back);
}

TEST_CASE("where the greatest overlap, what is within them stays as well [candidate.prune.crossing]") {
    const std::vector<owned_nodes> all{{{1, 2}, 0}, {{2, 3}, 0}, {{1}, 0}, {{2}, 0}, {{3}, 0}, {{4}, 0}};
    CHECK(prune_all(chain(4), all).kept == places{0, 1, 2, 3, 4, 5});
    // What is apart from the overlap is pruned as before.
    const std::vector<owned_nodes> more{{{1, 2}, 0}, {{2, 3}, 0}, {{1}, 0}, {{2}, 0}, {{3}, 0}, {{4, 5}, 0}, {{4}, 0}, {{5}, 0}};
    CHECK(prune_all(chain(5), more).kept == places{0, 1, 2, 3, 4, 5});
}

TEST_CASE("of equal candidates of one owner the first stays, and both stay where the owners differ [candidate.prune.equal]") {
    const std::vector<owned_nodes> same{{{1}, 0}, {{1, 2}, 0}, {{1, 2}, 0}, {{2}, 0}};
    CHECK(prune_all(chain(2), same).kept == places{1});
    const std::vector<owned_nodes> two{{{1, 2}, 0}, {{1, 2}, 1}};
    CHECK(prune_all(chain(2), two).kept == places{0, 1});
}

TEST_CASE("where the greatest cross over two owners, pieces that can make a cover are left [candidate.prune.feasible]") {
    lettered_graph g = chain(2);
    g.add("E", {0});
    const std::vector<owned_nodes> all{{{1, 3}, 0}, {{1}, 0}, {{3}, 0}, {{2, 3}, 1}, {{2}, 1}};
    CHECK(prune_all(g, all).kept == places{0, 1, 2, 3, 4});
}

TEST_CASE("where the greatest read from each other in a cycle all candidates come back [candidate.prune.cycle]") {
    lettered_graph g;
    const node_id x = g.add("x"), a = g.add("E", {x}), b = g.add("E", {a}), c = g.add("E", {x}), d = g.add("E", {c});
    const std::vector<owned_nodes> cyclic{{{a, d}, 0}, {{b, c}, 0}, {{a}, 0}, {{b}, 0}, {{c}, 0}, {{d}, 0}};
    const pruned kept = prune_all(g, cyclic);
    CHECK(kept.gave_all_back);
    CHECK(kept.kept == places{0, 1, 2, 3, 4, 5});
    const std::vector<owned_nodes> sound{{{a, c}, 0}, {{b, d}, 0}, {{a}, 0}, {{b}, 0}, {{c}, 0}, {{d}, 0}};
    CHECK(prune_all(g, sound).kept == places{0, 1});
}

TEST_CASE("without the steps to find a cover all candidates come back, but for repeated ones [candidate.prune.feasible]") {
    const std::vector<owned_nodes> all{{{1, 2}, 0}, {{1}, 0}, {{2}, 0}, {{1}, 0}};
    const pruned left = prune_all(chain(2), all, 0);
    CHECK(left.gave_all_back);
    CHECK(left.kept == places{0, 1, 2});
}

TEST_CASE("a candidate without nodes is never kept [candidate.prune.empty]") {
    const std::vector<owned_nodes> all{{{}, 0}, {{1}, 0}};
    CHECK(prune_all(chain(1), all).kept == places{1});
}

TEST_CASE("over random candidates, a graph that had a cover has one among those kept [candidate.prune.feasible]") {
    std::size_t feasible = 0, fewer = 0, given_back = 0;
    CHECK(rc::check("covers survive", [&] {
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        for (int k = 0; k < 10; ++k) {
            lettered_graph g;
            const bool has_chains = random() % 2 == 0;
            if (!has_chains) {
                g = random_lettered(static_cast<std::uint32_t>(random()), 9);
            } else {  // chains side by side, on which pairs make cycles easily
                g.add("x");
                while (g.size() < 9) g.add("E", {static_cast<node_id>(g.size() < 4 ? 0 : g.size() - 3)});
            }
            const dataflow flow = flow_of(g);
            std::vector<owned_nodes> all;
            // Mostly every call has a candidate of its own.
            for (const node_id n : calls_of(g))
                if (random() % 16 != 0) all.push_back({{n}, static_cast<backend_id>(random() % 2)});
            if (has_chains) {
                std::vector<node_id> calls = calls_of(g);
                std::shuffle(calls.begin(), calls.end(), random);
                for (std::size_t i = 0; i + 1 < calls.size(); i += 2)
                    if (const node_set pair{calls[i], calls[i + 1]}; is_convex(flow, flow.users(), pair)) all.push_back({pair, 0});
            }
            const std::size_t wanted = all.size() + (has_chains ? 0 : random() % 16);
            while (all.size() < wanted) {
                node_set s;
                const std::size_t size = 1 + random() % 3;
                while (s.size() < size) s.add(static_cast<node_id>(1 + random() % (g.size() - 1)));
                if (g.kind(s.first()) != node_kind::input && is_convex(flow, flow.users(), s))
                    all.push_back({s, static_cast<backend_id>(random() % 2)});
            }
            places everything(all.size());
            for (std::size_t i = 0; i < all.size(); ++i) everything[i] = i;
            const pruned left = prune_all(g, all);
            RC_ASSERT(std::is_sorted(left.kept.begin(), left.kept.end()));
            if (!has_cover(g, all, everything)) continue;
            RC_ASSERT(has_cover(g, all, left.kept));
            ++feasible;
            fewer += left.kept.size() < all.size() ? 1 : 0;
            given_back += left.gave_all_back ? 1 : 0;
        }
    }));
    CHECK(feasible > 20);
    CHECK(fewer > 20);
    CHECK(given_back > 0);
}
