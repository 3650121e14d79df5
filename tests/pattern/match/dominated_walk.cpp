// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/match/dominated_walk.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "graph/two_vectors.hpp"

using inlay::node_id;

namespace {

struct step {
    node_id parent;
    std::vector<node_id> between;

    friend bool operator==(const step&, const step&) = default;
};
template <class G>
std::vector<step> walked(const G& g, node_id from, std::vector<node_id> closed = {}) {
    const inlay::user_lists users(g);
    inlay::dominated_walk<G> walk(g, users, from);
    std::vector<step> steps;
    const auto on_path = [&](node_id n) {
        for (const node_id c : closed)
            if (c == n) return false;
        return true;
    };
    while (walk.next(on_path)) steps.push_back({walk.parent(), walk.between()});
    return steps;
}

}  // namespace

TEST_CASE("a walk goes from the nearest node that dominates to the farthest") {
    // 0 - 1 - {2, 3} - 4 - 5
    two_vectors g;
    g.add("x");
    g.add("f", {0});
    g.add("f", {1});
    g.add("f", {1});
    g.add("add", {2, 3});
    g.add("f", {4});
    CHECK(walked(g, 5) == std::vector<step>{{4, {}}, {1, {4, 3, 2}}, {0, {4, 3, 2, 1}}});
    CHECK(walked(g, 5, {2}) == std::vector<step>{{4, {}}});
    CHECK(walked(g, 5, {1}) == std::vector<step>{{4, {}}, {1, {4, 3, 2}}});
    CHECK(walked(g, 0).empty());
}

TEST_CASE("a value that is read elsewhere ends the walk, and so does a second source") {
    two_vectors g;
    g.add("x");
    g.add("f", {0});
    g.add("f", {1});
    g.add("f", {2});
    g.add("g", {2});
    CHECK(walked(g, 3).empty());
    two_vectors two;
    two.add("x");
    two.add("y");
    two.add("f", {0});
    two.add("add", {2, 1});
    two.add("f", {3});
    CHECK(walked(two, 4) == std::vector<step>{{3, {}}});
}

TEST_CASE("constants and functions bring nothing that flows") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), c = b.constant(inlay::tensor::scalar(1.0f)), f = b.call("f", {x, c}), g = b.call("f", {f, c}),
                  lone = b.call("f", {c});
    CHECK(walked(b.so_far(), g) == std::vector<step>{{f, {}}, {x, {f}}});
    CHECK(walked(b.so_far(), lone).empty());
}
