// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/call_on.hpp>

#include <string_view>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl.hpp>
#include <inlay/pattern/match.hpp>

#include "../graph/two_vectors.hpp"

using namespace inlay::dsl;
using inlay::node_id;

namespace {

constexpr auto either_of_relu = call_on<2, "add", "sub">(op<"relu">);
constexpr auto maybe_relu = maybe_call_on<1, "relu", "clip">(as<"x">(op<"abs">));

template <class P>
std::vector<node_id> first(P p, const two_vectors& g, node_id root) {
    const auto found = inlay::match(p, g, inlay::user_lists(g), root);
    return found ? found->nodes : std::vector<node_id>{};
}

}  // namespace

static_assert(inlay::pattern<std::remove_const_t<decltype(either_of_relu)>>);
static_assert(std::is_same_v<decltype(maybe_relu)::binds, inlay::capture_names<"x">>);

TEST_CASE("these words print as the alternatives that they stand for") {
    CHECK(either_of_relu.text() == "add(relu, ...) | sub(relu, ...) | add(*, relu, ...) | sub(*, relu, ...)");
    CHECK(maybe_relu.text() == "relu(?x:abs, ...) | clip(?x:abs, ...) | ?x:abs");
    CHECK(call_on<3, "f">(constant).text() == "f(const, ...) | f(*, const, ...) | f(*, *, const, ...)");
}

TEST_CASE("an operand is looked for in each of the places and no further, the operator among the names") {
    for (const bool at_first : {true, false})
        for (const std::string_view name : {"add", "sub", "mul"}) {
            two_vectors g;
            g.add("x");
            g.add("relu", {0});
            g.add(name, at_first ? std::vector<node_id>{1, 0} : std::vector<node_id>{0, 1});
            CHECK(first(either_of_relu, g, 2) == (name == "mul" ? std::vector<node_id>{} : std::vector<node_id>{1, 2}));
        }
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("add", {0, 0, 1});
    g.add("add", {});
    CHECK(first(either_of_relu, g, 2).empty());
    CHECK(first(either_of_relu, g, 3).empty());
}

TEST_CASE("what may be left out is matched first where it is there") {
    two_vectors g;
    g.add("x");
    g.add("abs", {0});
    g.add("clip", {1, 0});
    g.add("clip", {0, 1});
    CHECK(first(maybe_relu, g, 1) == std::vector<node_id>{1});
    CHECK(first(maybe_relu, g, 2) == std::vector<node_id>{1, 2});
    CHECK(first(maybe_relu, g, 3).empty());
    CHECK(inlay::match(maybe_relu, g, inlay::user_lists(g), 2)->at<"x">() == 1);
}

TEST_CASE("every way to one match is found, the places in order") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("relu", {0});
    g.add("add", {1, 2});
    std::vector<std::vector<node_id>> all;
    inlay::for_each_match(either_of_relu, g, inlay::user_lists(g), 3, [&](auto&& m) {
        all.push_back(m.nodes);
        return false;
    });
    CHECK(all == std::vector<std::vector<node_id>>{{1, 3}, {2, 3}});
}
