// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/dsl_repeat.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "graph/two_vectors.hpp"

using namespace inlay::dsl;
using inlay::node_id;

namespace {

template <class P>
std::string text(P) {
    return inlay::to_text(inlay::view_of(P{}));
}
/// What each match covers, in order.
template <class P>
std::vector<std::vector<node_id>> all(P p, const two_vectors& g, node_id n) {
    std::vector<std::vector<node_id>> found;
    inlay::for_each_match(p, g, inlay::user_lists(g), n, [&](auto&& m) {
        found.push_back(m.nodes);
        return false;
    });
    return found;
}
using lists = std::vector<std::vector<node_id>>;

/// x, relu, relu, relu
two_vectors chain() {
    two_vectors g;
    g.add("x");
    for (node_id n = 0; n < 3; ++n) g.add("relu", {n});
    return g;
}

}  // namespace

TEST_CASE("repetitions, names and dominators print in the text form") {
    CHECK(text(repeat<>(op<"relu">(hole), any)) == "repeat(relu(_), *)");
    CHECK(text(repeat<1>(op<"relu">(hole), any)) == "repeat[1..](relu(_), *)");
    CHECK(text(repeat<0, 4>(op<"relu">(hole), any)) == "repeat[0..4](relu(_), *)");
    CHECK(text(named<"chain">(op<"relu">(again<"chain"> | input))) == "%chain:relu(%chain | input)");
    CHECK(text(dominates(op<"conv">, any, op<"add">)) == "dominates(conv, *, add)");
}

TEST_CASE("a repetition takes as many steps as it can, then fewer, down to its least [pattern.repeat.longest-first]") {
    const two_vectors g = chain();
    CHECK(all(repeat<>(op<"relu">(hole), any), g, 3) == lists{{1, 2, 3}, {2, 3}, {3}, {}});
    CHECK(all(repeat<1>(op<"relu">(hole), any), g, 3) == lists{{1, 2, 3}, {2, 3}, {3}});
    CHECK(all(repeat<1, 2>(op<"relu">(hole), any), g, 3) == lists{{2, 3}, {3}});
    CHECK(all(repeat<2, 2>(op<"relu">(hole), any), g, 3) == lists{{2, 3}});
    CHECK(all(repeat<4>(op<"relu">(hole), any), g, 3).empty());
    CHECK(all(repeat<0, 0>(op<"relu">(hole), any), g, 3) == lists{{}});
    CHECK(all(repeat<>(op<"relu">(hole), input), g, 3) == lists{{1, 2, 3}});
}

TEST_CASE("holes of one step are repeated each for itself; a step without a hole ends the repetition [pattern.repeat.holes]") {
    two_vectors g = chain();
    g.add("add", {1, 2});
    CHECK(all(repeat<>(op<"add">(hole, hole) | op<"relu">(hole), input), g, 4) == lists{{1, 2, 4}});
    CHECK(all(repeat<>(op<"add">(hole, hole), op<"relu">), g, 4) == lists{{1, 2, 4}});
    CHECK(all(repeat<2>(op<"add">(hole, hole) | op<"relu">(hole), input), g, 4) == lists{{1, 2, 4}});
    CHECK(all(repeat<3>(op<"add">(hole, hole) | op<"relu">(hole), input), g, 4).empty());
    CHECK(all(repeat<1>(op<"relu">, constant), g, 3) == lists{{3}});
}

TEST_CASE("a name in a repeated step means one node for all steps [pattern.capture.one-node]") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("add", {0, 1});
    g.add("add", {2, 1});
    g.add("add", {3, 0});
    CHECK(all(repeat<1>(op<"add">(hole, as<"b">), input), g, 3) == lists{{2, 3}});
    CHECK(all(repeat<1>(op<"add">(hole, as<"b">), input), g, 4).empty());
}

TEST_CASE("a pattern stands again inside itself, as deep as the graph goes [pattern.recursion.again]") {
    two_vectors g = chain();
    g.add("add", {3, 1});
    const auto tree = named<"t">(op<"relu">(again<"t">) | op<"add">(again<"t">, again<"t">) | input);
    CHECK(all(tree, g, 4) == lists{{1, 2, 3, 4}});
    CHECK(all(named<"t">(op<"relu">(again<"t"> | input)), g, 3) == lists{{1, 2, 3}});
    CHECK(all(named<"t">(op<"relu">(again<"t"> | constant)), g, 3).empty());
}

TEST_CASE("a dominator's parents are tried from the nearest on, what lies between is covered [pattern.dominator.nearest-first]") {
    const two_vectors g = chain();
    CHECK(all(dominates(any, any, op<"relu">), g, 3) == lists{{3}, {2, 3}, {1, 2, 3}});
    CHECK(all(dominates(op<"relu">, any, op<"relu">), g, 3) == lists{{2, 3}, {1, 2, 3}});
    CHECK(all(dominates(input, op<"relu">, any), g, 3) == lists{{1, 2}});
    CHECK(all(dominates(input, op<"abs">, any), g, 3).empty());
}
