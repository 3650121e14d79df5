// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/match/near_miss.hpp>

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "graph/two_vectors.hpp"
#include "pattern/by_text.hpp"

using namespace inlay;
using cause = missed_match::cause;

namespace {

template <class G>
missed_match missed(std::string_view text, const G& g, node_id root, std::size_t steps = 1'000'000) {
    const pattern_value p = pattern_test::read(text);
    const auto m = near_miss(p.view(), g, user_lists(g), root, {steps});
    REQUIRE(m.has_value());
    return *m;
}

/// relu(add(conv(x, w)[group], b)), one thing of it as it is told.
struct small_net {
    std::int64_t group = 1;
    std::string_view convolution = "conv", sum = "add", last = "relu";
    bool bias_is_constant = true, third_operand = false;
    element_type element = element_type::float32;
    node_id conv = 0, add = 0, bias = 0, relu = 0;
    ir_builder b;

    const ir_module& make() {
        const node_id x = b.input("x", tensor_type(element)), w = b.constant(tensor::scalar(3.0f));
        std::vector<node_id> operands{x, w};
        if (third_operand) operands.push_back(x);
        conv = b.call(convolution, operands, {{"group", group}}, tensor_type(element, {2, 3}));
        bias = bias_is_constant ? b.constant(tensor::scalar(0.5f)) : b.input("b", {});
        add = b.call(sum, {conv, bias});
        relu = b.call(last, {add});
        return b.so_far();
    }
};

}  // namespace

TEST_CASE("one thing that is changed in a graph that matches is what the miss names [pattern.near-miss.names-the-mutation]") {
    {
        small_net n;
        const ir_module& g = n.make();
        CHECK_FALSE(
            near_miss(pattern_test::read("relu(?sum:add(?c:conv[group=1](?x, const){float32[2,?]}, 0.5))").view(), g, user_lists(g), n.relu)
                .has_value());
    }
    const std::string_view pattern = "relu(?sum:add(?c:conv[group=1](?x, const){float32[2,?]}, 0.5))";
    const auto changed = [&](auto&& change) {
        small_net n;
        change(n);
        const ir_module& g = n.make();
        missed_match m = missed(pattern, g, n.relu);
        CHECK(m.root == n.relu);
        return std::pair(m, std::vector<node_id>{n.conv, n.bias, n.add, n.relu});
    };
    {
        const auto [m, nodes] = changed([](small_net& n) { n.group = 2; });
        CHECK(m.why == cause::attribute);
        CHECK(m.node == nodes[0]);
        CHECK(m.taken == 2);
        CHECK(m.expected == "group=1");
        CHECK(m.found == "group=2");
        CHECK(m.path == "relu > operand 0: ?sum > add > operand 0: ?c");
        CHECK(m.asked == "conv[group=1](?x, const)");
        CHECK(m.bound == std::vector<std::pair<std::string, node_id>>{{"sum", nodes[2]}, {"c", nodes[0]}});
        CHECK(to_text(m) ==
              "no match at node 5: 3 operators are as the pattern has them, 2 terms were taken\n  at relu > operand 0: ?sum > add > "
              "operand 0: ?c\n  node 2: expected group=1, "
              "found group=2\n  bound ?sum = node 4, ?c = node 2\n");
    }
    {
        const auto [m, nodes] = changed([](small_net& n) { n.convolution = "matmul"; });
        CHECK(m.why == cause::name);
        CHECK(m.node == nodes[0]);
        CHECK(m.expected == "a call of conv");
        CHECK(m.found == "a call of matmul");
    }
    {
        const auto [m, nodes] = changed([](small_net& n) { n.third_operand = true; });
        CHECK(m.why == cause::arity);
        CHECK(m.node == nodes[0]);
        CHECK(m.expected == "2 operands");
        CHECK(m.found == "3 operands");
    }
    {
        const auto [m, nodes] = changed([](small_net& n) { n.bias_is_constant = false; });
        CHECK(m.why == cause::kind);
        CHECK(m.node == nodes[1]);
        CHECK(m.expected == "0.5");
        CHECK(m.found == "input b");
        CHECK(m.path == "relu > operand 0: ?sum > add > operand 1");
    }
    {
        const auto [m, nodes] = changed([](small_net& n) { n.element = element_type::float64; });
        CHECK(m.why == cause::type);
        CHECK(m.node == nodes[0]);
        CHECK(m.expected == "{float32[2,?]}");
        CHECK(m.found == "{float64[2,3]}");
    }
    {
        const auto [m, nodes] = changed([](small_net& n) { n.sum = "sub"; });
        CHECK(m.node == nodes[2]);
        CHECK(m.taken == 1);
        CHECK(m.expected == "a call of add");
    }
    {
        const auto [m, nodes] = changed([](small_net& n) { n.last = "abs"; });
        CHECK(m.node == nodes[3]);
        CHECK(m.taken == 0);
        CHECK(m.path == "relu");
    }
}

TEST_CASE("over random trees, one operator or attribute that is changed is what the miss names [pattern.near-miss.names-the-mutation]") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        // A tree in post order: its pattern tells all of it.
        struct told {
            std::string op;
            std::int64_t axis;
            std::vector<node_id> operands;
        };
        std::vector<told> tree;
        std::vector<node_id> loose;
        while (tree.size() < 12 || loose.size() > 1) {
            std::vector<node_id> operands;
            while (!loose.empty() && operands.size() < 3 && (tree.size() >= 12 || random() % 2 == 0)) {
                operands.push_back(loose.back());
                loose.pop_back();
            }
            tree.push_back({"op" + std::to_string(random() % 4), static_cast<std::int64_t>(random() % 3), operands});
            loose.push_back(static_cast<node_id>(tree.size() - 1));
        }
        const auto text = [&](auto&& self, node_id n) -> std::string {
            std::string t = tree[n].op + "[axis=" + std::to_string(tree[n].axis) + "](";
            for (std::size_t i = 0; i < tree[n].operands.size(); ++i) t += (i == 0 ? "" : ", ") + self(self, tree[n].operands[i]);
            return t + ")";
        };
        const auto root = static_cast<node_id>(tree.size() - 1);
        const std::string pattern = text(text, root);
        const auto module = [&] {
            ir_builder b;
            for (const told& t : tree) b.call(t.op, t.operands, {{"axis", t.axis}});
            return b.finish();
        };
        CHECK(pattern_test::matches(pattern, module(), root));
        const auto changed = static_cast<node_id>(random() % tree.size());
        const bool attribute = random() % 2 == 0;
        if (attribute)
            tree[changed].axis += 1;
        else
            tree[changed].op += "x";
        const missed_match m = missed(pattern, module(), root);
        CHECK(m.node == changed);
        CHECK(m.why == (attribute ? cause::attribute : cause::name));
        CHECK(m.found == (attribute ? "axis=" + std::to_string(tree[changed].axis) : "a call of " + tree[changed].op));
    }
}

TEST_CASE("of several ways the one that came farthest is told, and of these the one where most of the node was right") {
    two_vectors g;
    g.add("x");
    g.add("conv", {0});
    g.add("relu", {1});
    g.add("add", {0, 2});
    const missed_match alternatives = missed("add(input, abs(conv) | relu(tanh) | tanh)", g, 3);
    CHECK(alternatives.node == 1);
    CHECK(alternatives.expected == "a call of tanh");
    CHECK(alternatives.path == "add > operand 1 > alternative 2: relu > operand 0: tanh");
    // Both orders fail with as many terms taken: the operator was right in the second.
    const missed_match orders = missed("add~(relu(*, *), *)", g, 3);
    CHECK(orders.why == cause::arity);
    CHECK(orders.node == 2);
}

TEST_CASE("captures, negations, fields, dominators and operands in any order are told in their own words") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("relu", {0});
    g.add("add", {0, 1});
    g.add("mul", {2, 2});
    const missed_match capture = missed("add(?a, ?a)", g, 3);
    CHECK(capture.why == cause::capture);
    CHECK(capture.expected == "node 0, which ?a is bound to");
    CHECK(capture.found == "node 1, input");
    const missed_match excluded = missed("mul(!relu, *)", g, 4);
    CHECK(excluded.why == cause::excluded);
    CHECK(excluded.expected == "nothing that matches relu");
    CHECK(excluded.found == "a call of relu");
    const missed_match dominator = missed("dominates(conv, relu, mul)", g, 4);
    CHECK(dominator.why == cause::dominator);
    CHECK(dominator.expected == "one node that matches conv, through which all comes, over nodes that match relu");
    const missed_match none = missed("dominates(input, *, add)", g, 3);
    CHECK(none.why == cause::dominator);
    CHECK(none.found == "no such node");
    CHECK(missed("add~1(*, *)", g, 3).why == cause::operands);
    ir_builder b;
    const node_id t = b.tuple(std::vector<node_id>{b.input("x", {}), b.constant(tensor::scalar(2.0f))}), f = b.projection(t, 1),
                  c = b.call("f", {f});
    const missed_match field = missed("f((input, *).0)", b.so_far(), c);
    CHECK(field.why == cause::field);
    CHECK(field.found == "field 1");
    const missed_match number = missed("f((*, 3).1)", b.so_far(), c);
    CHECK(number.why == cause::constant);
    CHECK(number.found == "a constant 2");
    CHECK(number.path == "f > operand 0: field 1 > of: tuple > field 1");
    const missed_match input = missed("f((input \"z\", *).1)", b.so_far(), c);
    CHECK(input.expected == "input z");
    CHECK(input.found == "input x");
    CHECK(missed("f[mode=\"a\"]", b.so_far(), c).found == "no attribute mode");
    CHECK(missed("f[!mode, axis=[1,2]]", b.so_far(), c).expected == "axis=[1,2]");
}

TEST_CASE("what fails under a negation or on a path is no miss by itself") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("add", {1, 0});
    const missed_match m = missed("add(!relu(relu(relu)) & abs, *)", g, 2);
    CHECK(m.expected == "a call of abs");
}

TEST_CASE("a search that stops at its limit tells the nearest so far, and says so") {
    two_vectors g;
    g.add("x");
    g.add("sum", std::vector<node_id>(12, 0));
    const missed_match m = missed("sum~(input, input, input, input, input, input, input, input, input, input, input, abs)", g, 1, 1'000);
    CHECK(m.gave_up);
    CHECK(to_text(m).find("stopped at its limit of steps") != std::string::npos);
}

TEST_CASE("over a whole graph the roots that came nearest are told first") {
    two_vectors g;
    g.add("x");
    g.add("conv", {0});
    g.add("add", {1, 0});
    g.add("relu", {2});
    g.add("relu", {1});
    g.add("sub", {1, 0});
    g.add("relu", {5});
    const user_lists users(g);
    const pattern_value p = pattern_test::read("relu(add(conv(*, *), *))");
    const auto nearest = near_misses(p.view(), g, users);
    REQUIRE(nearest.size() == 3);
    CHECK(nearest[0].root == 3);
    CHECK(nearest[0].found == "1 operand");
    CHECK(nearest[1].root == 4);
    CHECK(nearest[2].root == 6);
    CHECK(near_misses(p.view(), g, users, 1).size() == 1);
    CHECK(near_misses(pattern_test::read("relu").view(), g, users).empty());
    CHECK(name_of(cause::attribute) == "attribute");
}

TEST_CASE("of several misses the one that shares most operators is nearest, however soon it fails [pattern.near-miss.shared-operators]") {
    ir_builder b;
    const node_id x = b.input("x", {});
    // Fails at its first operand, and has all of the second.
    const node_id early = b.call("add", {b.call("tanh", {x}), b.call("relu", {b.call("relu", {x})})});
    // Fails later, and has less.
    const node_id late = b.call("add", {b.call("mul", {b.call("tanh", {x}), x}), x});
    const ir_module& g = b.so_far();
    const pattern_value p = pattern_test::read("add(mul(conv, *), relu(relu(*)))");
    const auto found = near_misses(p.view(), g, user_lists(g));
    REQUIRE(found.size() == 2);
    CHECK(found[0].root == early);
    CHECK(found[0].shared == 3);
    CHECK(found[0].taken == 1);
    CHECK(found[1].root == late);
    CHECK(found[1].shared == 2);
    CHECK(found[1].taken == 2);
}

TEST_CASE("at one root the attempt that took most operators is told, not the one that took most constants") {
    ir_builder b;
    const node_id x = b.input("x", {}), one = b.constant(tensor::scalar(1.0f));
    const node_id root = b.call("list", {b.call("relu", {b.call("conv", {x})}), one, one, one, x});
    const missed_match m = missed("list(*, const, const, const, tanh) | list(relu(conv(dense)), *, *, *, *)", b.so_far(), root);
    CHECK(m.taken == 3);
    CHECK(m.expected == "a call of dense");
}

TEST_CASE("a sentence names nodes that have a name, on one line") {
    ir_builder b;
    const node_id x = b.input("in\nput", {}), y = b.input("other", {});
    const node_id root = b.call("add", {x, y});
    const missed_match m = missed("add(?a, ?a)", b.so_far(), root);
    CHECK(m.expected == "node 'in\\x0aput', which ?a is bound to");
    CHECK(m.found == "node 'other', input other");
}
