// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/call_on.hpp>

#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "graph/two_vectors.hpp"

using namespace inlay::dsl;
using inlay::node_id;

namespace {

constexpr auto either_of_relu = call_on<2, "add", "sub">(op<"relu">);
constexpr auto maybe_relu = maybe_call_on<1, "relu", "clip">(as<"x">(op<"abs">));

/// Reads an operand through any number of calls of abs.
struct behind_abs {
    static constexpr std::string_view name = "behind_abs";
    static std::optional<inlay::reading> from(const inlay::graph_ref& g, node_id n) {
        inlay::reading r{g.operand(n, 0), {n}};
        if (g.op(r.source) != "abs") return std::nullopt;
        for (; g.op(r.source) == "abs"; r.source = g.operand(r.source, 0)) r.covered.push_back(r.source);
        return r;
    }
};

template <class P>
std::vector<node_id> first(P p, const two_vectors& g, node_id root) {
    const auto found = inlay::match(p, g, inlay::user_lists(g), root);
    return found ? found->nodes : std::vector<node_id>{};
}

}  // namespace

static_assert(inlay::pattern<std::remove_const_t<decltype(either_of_relu)>>);
static_assert(std::is_same_v<decltype(maybe_relu)::binds, inlay::capture_names<"x", "x">>);

TEST_CASE("these words print as a node that looks at its first operands") {
    CHECK(inlay::to_text(inlay::view_of(either_of_relu)) == "add/sub~2(relu, ...)");
    CHECK(inlay::to_text(inlay::view_of(maybe_relu)) == "relu/clip~1(?x:abs, ...) | ?x:abs");
    CHECK(inlay::to_text(inlay::view_of(read_by<behind_abs, "relu">(input))) == "$behind_abs(input)");
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

TEST_CASE("a function reads what stands before a node, and what it passes is covered") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), a = b.call("abs", {x}), c = b.call("abs", {a}), r = b.call("relu", {c}), bare = b.call("relu", {x});
    const node_id other = b.call("clip", {c});
    const inlay::ir_module& m = b.so_far();
    const inlay::user_lists users(m);
    const auto p = read_by<behind_abs, "relu">(as<"x">(input));
    const auto found = inlay::match(p, m, users, r);
    REQUIRE(found.has_value());
    CHECK(found->nodes == std::vector<node_id>{a, c, r});
    CHECK(found->at<"x">() == x);
    CHECK_FALSE(inlay::match(p, m, users, bare).has_value());
    CHECK_FALSE(inlay::match(p, m, users, other).has_value());
    CHECK_FALSE(inlay::match(read_by<behind_abs, "relu">(constant), m, users, r).has_value());
    two_vectors untyped;
    untyped.add("x");
    untyped.add("relu", {0});
    CHECK_FALSE(inlay::match(p, untyped, inlay::user_lists(untyped), 1).has_value());
}
