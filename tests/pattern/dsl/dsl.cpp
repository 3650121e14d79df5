// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/dsl.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "graph/two_vectors.hpp"

using namespace inlay::dsl;
using inlay::no_node;
using inlay::node_id;

namespace {

template <class P, class G>
std::vector<inlay::match_result<P>> all(P p, const G& g, node_id root) {
    std::vector<inlay::match_result<P>> found;
    inlay::for_each_match(p, g, inlay::user_lists(g), root, [&](auto&& m) {
        found.push_back(std::move(m));
        return false;
    });
    return found;
}
template <class P, class G>
std::size_t count(P p, const G& g, node_id root) {
    return all(p, g, root).size();
}
template <class P>
std::string text(P) {
    return inlay::to_text(inlay::view_of(P{}));
}

/// x, w, conv(x, w), bias, add(conv, bias), relu(add)
two_vectors convolution() {
    two_vectors g;
    g.add("x");
    g.add("w");
    g.add("conv", {0, 1});
    g.add("b");
    g.add("add", {2, 3});
    g.add("relu", {4});
    return g;
}

static_assert(inlay::pattern<decltype(any)> && inlay::pattern<decltype(op<"f">)>);
static_assert(inlay::pattern<std::remove_const_t<decltype(as<"x">)>>);
static_assert(std::is_same_v<decltype(op<"f">(as<"x">, as<"y">(constant)))::binds, inlay::capture_names<"x", "y">>);
static_assert(std::is_same_v<decltype(as<"o">(op<"f">(as<"x">)) | as<"x">)::binds, inlay::capture_names<"o", "x", "x">>);

}  // namespace

TEST_CASE("patterns print in the text form of a search") {
    CHECK(text(any) == "*");
    CHECK(text(any_call) == "*(...)");
    CHECK(text(constant) == "const");
    CHECK(text(input) == "input");
    CHECK(text(op<"onnx.Conv">) == "onnx.Conv");
    CHECK(text(op<"onnx.Conv">(as<"x">, constant, rest)) == "onnx.Conv(?x, const, ...)");
    CHECK(text(as<"root">(op<"relu">(any))) == "?root:relu(*)");
    CHECK(text(op<"f">(any) | op<"g">(any)) == "f(*) | g(*)");
    CHECK(text(commutative<"add">(any, constant)) == "add~(*, const)");
    CHECK(text(commutative<"sum">(constant, rest)) == "sum~(const, ...)");
    CHECK(text(any & !constant) == "* & !const");
    CHECK(text(op<"f", "g">(any)) == "f/g(*)");
    CHECK(text(optional<"relu">(op<"conv">)) == "relu(conv) | conv");
}

TEST_CASE("any takes every node and covers none; any call takes calls and covers them") {
    const two_vectors g = convolution();
    for (node_id n = 0; n < g.size(); ++n) {
        REQUIRE(count(any, g, n) == 1);
        CHECK(all(any, g, n)[0].nodes.empty());
        CHECK(count(any_call, g, n) == (g.arity(n) == 0 ? 0 : 1));
        CHECK(count(input, g, n) == (g.arity(n) == 0 ? 1 : 0));
        CHECK(count(constant, g, n) == 0);
    }
    CHECK(all(any_call, g, 2)[0].nodes == std::vector<node_id>{2});
}

TEST_CASE("constants, inputs and calls without operands are told apart where the graph does so") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), c = b.constant(inlay::tensor::scalar(1.0f)), f = b.call("constant", {}), u = b.unit();
    const inlay::ir_module& m = b.so_far();
    CHECK(count(constant, m, c) == 1);
    CHECK(count(constant, m, f) == 0);
    CHECK(count(input, m, x) == 1);
    CHECK(count(input, m, c) == 0);
    CHECK(count(any_call, m, f) == 1);
    CHECK(count(any_call, m, u) == 0);
    CHECK(count(op<"constant">, m, f) == 1);
    CHECK(count(op<"constant">, m, c) == 0);
    CHECK(count(op<"input">, m, x) == 0);
}

TEST_CASE("an operator takes any operands, or exactly those that it lists") {
    const two_vectors g = convolution();
    CHECK(count(op<"conv">, g, 2) == 1);
    CHECK(count(op<"con">, g, 2) == 0);
    CHECK(count(op<"conv">(any, any), g, 2) == 1);
    CHECK(count(op<"conv">(any), g, 2) == 0);
    CHECK(count(op<"conv">(any, any, any), g, 2) == 0);
    CHECK(count(op<"x">, g, 0) == 0);
}

TEST_CASE("rest stands for the operands that remain, none among them") {
    const two_vectors g = convolution();
    CHECK(count(op<"conv">(rest), g, 2) == 1);
    CHECK(count(op<"conv">(input, rest), g, 2) == 1);
    CHECK(count(op<"conv">(any, any, rest), g, 2) == 1);
    CHECK(count(op<"conv">(any, any, any, rest), g, 2) == 0);
    CHECK(count(op<"conv">(any_call, rest), g, 2) == 0);
}

TEST_CASE("a deep pattern covers its operators and binds its captures") {
    const two_vectors g = convolution();
    const auto found = all(as<"out">(op<"relu">(op<"add">(as<"conv">(op<"conv">(as<"x">, as<"w">)), as<"b">))), g, 5);
    REQUIRE(found.size() == 1);
    CHECK(found[0].root == 5);
    CHECK(found[0].nodes == std::vector<node_id>{2, 4, 5});
    CHECK(found[0].at<"out">() == 5);
    CHECK(found[0].at<"conv">() == 2);
    CHECK(found[0].at<"x">() == 0);
    CHECK(found[0].at<"w">() == 1);
    CHECK(found[0].at<"b">() == 3);
}

TEST_CASE("a name that stands twice means one node") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("mul", {0, 0});
    g.add("mul", {0, 1});
    CHECK(count(op<"mul">(as<"a">, as<"a">), g, 2) == 1);
    CHECK(count(op<"mul">(as<"a">, as<"a">), g, 3) == 0);
    CHECK(count(op<"mul">(as<"a">, as<"b">), g, 2) == 1);
}

TEST_CASE("a node that is covered twice stands once among the nodes") {
    two_vectors g;
    g.add("x");
    g.add("sigmoid", {0});
    g.add("mul", {1, 1});
    const auto found = all(op<"mul">(op<"sigmoid">, op<"sigmoid">), g, 2);
    REQUIRE(found.size() == 1);
    CHECK(found[0].nodes == std::vector<node_id>{1, 2});
}

TEST_CASE("a commutative operator takes its operands in either order, the written one first") {
    const two_vectors g = convolution();
    CHECK(count(commutative<"add">(input, op<"conv">), g, 4) == 1);
    CHECK(count(commutative<"add">(op<"conv">, input), g, 4) == 1);
    CHECK(count(commutative<"add">(input, input), g, 4) == 0);
    const auto both = all(commutative<"add">(as<"a">, as<"b">), g, 4);
    REQUIRE(both.size() == 2);
    CHECK(both[0].at<"a">() == 2);
    CHECK(both[1].at<"a">() == 3);
    CHECK(both[1].at<"b">() == 2);
}

TEST_CASE("an alternative that fits but spoils what stands after it is taken back") {
    // mul(x, sigmoid(x)): the first way to read the root binds the wrong node to `a`, which only the other operand shows.
    two_vectors g;
    g.add("x");
    g.add("sigmoid", {0});
    g.add("mul", {1, 0});
    const auto swish = all(commutative<"mul">(as<"a">, op<"sigmoid">(as<"a">)), g, 2);
    REQUIRE(swish.size() == 1);
    CHECK(swish[0].at<"a">() == 0);
    CHECK(swish[0].nodes == std::vector<node_id>{1, 2});
    const auto later = all(op<"mul">(as<"a">(op<"sigmoid">) | op<"sigmoid">(as<"a">), as<"a">), g, 2);
    REQUIRE(later.size() == 1);
    CHECK(later[0].at<"a">() == 0);
}

TEST_CASE("captures of the alternative that was not taken are no node") {
    const two_vectors g = convolution();
    const auto either = as<"sum">(op<"add">) | as<"conv">(op<"conv">);
    REQUIRE(count(either, g, 2) == 1);
    CHECK(all(either, g, 2)[0].at<"sum">() == no_node);
    CHECK(all(either, g, 2)[0].at<"conv">() == 2);
    CHECK(all(either, g, 4)[0].at<"conv">() == no_node);
}

TEST_CASE("an operator of several names is a call of any of them") {
    const two_vectors g = convolution();
    CHECK(count(op<"add", "conv">, g, 2) == 1);
    CHECK(count(op<"add", "conv">(any, input), g, 4) == 1);
    CHECK(count(op<"add", "conv">, g, 5) == 0);
}

TEST_CASE("what matches both patterns binds what each of them captures") {
    const two_vectors g = convolution();
    const auto found = all(op<"conv">(as<"x">, any) & as<"c">(op<"conv">(any, as<"w">)), g, 2);
    REQUIRE(found.size() == 1);
    CHECK(found[0].at<"x">() == 0);
    CHECK(found[0].at<"w">() == 1);
    CHECK(found[0].at<"c">() == 2);
    CHECK(count(op<"conv"> & input, g, 2) == 0);
}

TEST_CASE("a negation takes what does not match, binds nothing, and sees what is bound before it") {
    const two_vectors g = convolution();
    CHECK(count(!op<"conv">, g, 2) == 0);
    REQUIRE(count(as<"n">(!op<"conv">(as<"x">, any)), g, 4) == 1);
    CHECK(all(as<"n">(!op<"conv">(as<"x">, any)), g, 4)[0].at<"x">() == no_node);
    CHECK(all(!op<"conv">, g, 4)[0].nodes.empty());
    two_vectors same;
    same.add("x");
    same.add("f", {0, 0});
    CHECK(count(op<"f">(as<"a">, !as<"a">), same, 1) == 0);
    CHECK(count(op<"conv">(as<"a">, !as<"a">), g, 2) == 1);
}

TEST_CASE("of many operands in any order some are named and the rest may be anything") {
    two_vectors g;
    g.add("x");
    g.add("abs", {0});
    g.add("sum", {0, 1, 0});
    CHECK(count(commutative<"sum">(op<"abs">, rest), g, 2) == 1);
    CHECK(count(commutative<"sum">(input, rest), g, 2) == 2);
    CHECK(count(commutative<"sum">(input, op<"abs">, input), g, 2) == 2);
    CHECK(count(commutative<"sum">(input, op<"abs">), g, 2) == 0);
}

TEST_CASE("an optional operator is covered where it is there") {
    const two_vectors g = convolution();
    const auto p = optional<"relu">(op<"add">);
    REQUIRE(count(p, g, 5) == 1);
    CHECK(all(p, g, 5)[0].nodes == std::vector<node_id>{4, 5});
    REQUIRE(count(p, g, 4) == 1);
    CHECK(all(p, g, 4)[0].nodes == std::vector<node_id>{4});
    const auto both = all(optional<"relu">(any_call), g, 5);
    REQUIRE(both.size() == 2);
    CHECK(both[0].nodes.size() == 2);
    CHECK(both[1].nodes.size() == 1);
}
