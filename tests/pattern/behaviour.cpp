// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// The rules of matching, each by its id in docs/rules.md, and cases that other matchers are known to get wrong.
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "../graph/two_vectors.hpp"
#include "by_text.hpp"

using namespace pattern_test;
using inlay::node_id;

namespace {

std::vector<node_id> first_nodes(std::string_view text, const two_vectors& g, node_id root) {
    const auto found = all(text, g, root);
    return found.empty() ? std::vector<node_id>{} : found[0].nodes;
}

}  // namespace

TEST_CASE("a pattern is asked about one root, and nothing is looked for elsewhere [pattern.root.only-there]") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("abs", {1});
    CHECK(matches("relu", g, 1));
    CHECK_FALSE(matches("relu", g, 2));
}

TEST_CASE("a name that stands again means the same node, and two wildcards are independent [pattern.capture.one-node]") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("add", {0, 0});
    g.add("add", {0, 1});
    CHECK(matches("add(?a, ?a)", g, 2));
    CHECK_FALSE(matches("add(?a, ?a)", g, 3));
    CHECK(matches("add(*, *)", g, 2));
    CHECK(matches("add(*, *)", g, 3));
}

TEST_CASE("an alternative that fits is taken back when what stands after it fails [pattern.alternatives.full-backtracking]") {
    // The first alternative takes the first operand; only the second operand shows that it binds the wrong node.
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("add", {1, 0});
    const auto found = all("add(?a:relu | relu(?a), ?a)", g, 2);
    REQUIRE(found.size() == 1);
    CHECK(found[0].bound.at("a") == 0);
    CHECK(matches("add(Relu?(?a) | relu?(?a), ?a)", g, 2));
}

TEST_CASE("an order of operands that fits is taken back when what stands after it fails [pattern.commutative.full-backtracking]") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("add", {0, 1});
    g.add("sub", {2, 1});
    g.add("sub", {2, 0});
    CHECK(all("sub(add~(?a, *), ?a)", g, 3).size() == 1);
    CHECK(all("sub(add~(?a, *), ?a)", g, 4).size() == 1);
    CHECK(all("sub(add(?a, *), ?a)", g, 3).empty());
}

TEST_CASE("operands are taken in any order where the pattern says so, of any operator and of several [pattern.commutative.any-operator]") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    for (const char* op : {"add", "max", "own"}) g.add(op, {1, 0});
    for (node_id n = 2; n < 5; ++n) {
        CHECK(matches("add/max/own~(input, relu)", g, n));
        CHECK_FALSE(matches("add/max/own(input, relu)", g, n));
    }
}

TEST_CASE("of more than two operands every order is tried, the written one first [pattern.commutative.every-order]") {
    two_vectors g;
    for (const char* input : {"x", "y", "z"}) g.add(input);
    g.add("sum", {0, 1, 2});
    const auto found = all("sum~(?a, ?b, ?c)", g, 3);
    REQUIRE(found.size() == 6);
    CHECK(found[0].bound == std::map<std::string, node_id>{{"a", 0}, {"b", 1}, {"c", 2}});
    CHECK(all("sum~(?a, ?b, ...)", g, 3).size() == 6);
    CHECK(all("sum~2(?a, ...)", g, 3).size() == 2);
    CHECK(all("sum~(?a, ?b)", g, 3).empty());
}

TEST_CASE("nothing is reassociated: a quotient of a product is no product of a quotient [pattern.call.as-written]") {
    two_vectors g;
    for (const char* input : {"x", "y", "z"}) g.add(input);
    g.add("divide", {1, 2});
    g.add("multiply", {0, 3});
    CHECK_FALSE(matches("divide(multiply(?a, ?b), ?c)", g, 4));
    CHECK(matches("multiply(?a, divide(?b, ?c)) | divide(multiply(?a, ?b), ?c)", g, 4));
}

TEST_CASE("a call has as many operands as are written, unless the rest is left open [pattern.call.arity]") {
    two_vectors g;
    g.add("x");
    g.add("f", {0, 0});
    CHECK(matches("f(*, *)", g, 1));
    CHECK(matches("f(*, ...)", g, 1));
    CHECK(matches("f(*, *, ...)", g, 1));
    CHECK(matches("f", g, 1));
    for (const char* text : {"f()", "f(*)", "f(*, *, *)", "f(*, *, *, ...)"}) CHECK_FALSE(matches(text, g, 1));
}

TEST_CASE("alternatives are tried from the left, and both count where both fit [pattern.alternatives.left-first]") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    const auto found = all("?a:relu | ?b:*(input) | abs", g, 1);
    REQUIRE(found.size() == 2);
    CHECK(found[0].bound.count("a") == 1);
    CHECK(found[1].bound.count("b") == 1);
}

TEST_CASE("what is optional is taken where it is there, before it is left out [pattern.optional.longer-first]") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("relu", {1});
    const auto found = all("relu?(relu)", g, 2);
    REQUIRE(found.size() == 2);
    CHECK(found[0].nodes == std::vector<node_id>{1, 2});
    CHECK(found[1].nodes == std::vector<node_id>{2});
    CHECK(first_nodes("abs?(relu)", g, 2) == std::vector<node_id>{2});
}

TEST_CASE("what a negation asks for binds nothing [pattern.negation.binds-nothing]") {
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("add", {1, 0});
    const auto found = all("add(!abs(?a), ?a)", g, 2);
    REQUIRE(found.size() == 1);
    CHECK(found[0].bound.at("a") == 0);
    CHECK(found[0].nodes == std::vector<node_id>{2});
    CHECK_FALSE(matches("add(!relu(?a), ?a)", g, 2));
    CHECK(matches("add(?b, !?b)", g, 2));
    // What it found before it failed, or what is taken because it is there, is bound and covered by nothing.
    CHECK(matches("add(!(?a & abs), ?a)", g, 2));
    const auto twice = all("!!?a:relu", g, 1);
    REQUIRE(twice.size() == 1);
    CHECK(twice[0].bound.empty());
    CHECK(twice[0].nodes.empty());
}

TEST_CASE("an attribute that is kept in a way that no pattern asks for is no match, and no failure [pattern.attributes.unsupported-kind]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), f = b.call("f", {x}, {{"table", inlay::tensor::scalar(1.0f)}});
    CHECK_FALSE(matches("f[table=1]", b.so_far(), f));
    CHECK_FALSE(matches("f[table=[1]]", b.so_far(), f));
    CHECK(matches("f[table]", b.so_far(), f));
    CHECK(matches("f[]", b.so_far(), f));
}

TEST_CASE("the attributes of functions are asked for as those of calls are [pattern.attributes.of-functions]") {
    inlay::ir_builder b;
    b.open_block();
    const node_id p = b.input("p", {}), f = b.function(std::vector<node_id>{p}, p, "f", {{"Compiler", std::string("dnnl")}});
    CHECK(matches("fn(*, *)[Compiler=\"dnnl\"]", b.so_far(), f));
    CHECK_FALSE(matches("fn(*, *)[Compiler=\"other\"]", b.so_far(), f));
    CHECK(matches("fn \"f\"(...)", b.so_far(), f));
    CHECK_FALSE(matches("fn \"g\"(...)", b.so_far(), f));
}

TEST_CASE("constants are any, of one number, or of one content [pattern.constants.by-value]") {
    inlay::ir_builder b;
    const node_id a = b.constant(inlay::tensor::scalar(0.1f)), same = b.constant(inlay::tensor::scalar(0.1f)),
                  other = b.constant(inlay::tensor::scalar(0.2f));
    const std::string content = printed("const#" + to_string(b.so_far().constant(a)->content()));
    for (const char* text : {"const", "0.1"}) CHECK(matches(text, b.so_far(), a));
    CHECK(matches(content, b.so_far(), a));
    CHECK(matches(content, b.so_far(), same));
    CHECK_FALSE(matches(content, b.so_far(), other));
    CHECK(matches("const", b.so_far(), other));
    CHECK_FALSE(matches("0.1", b.so_far(), other));
}

TEST_CASE("a dominator has one parent, through which all goes, over any number of nodes, none among them [pattern.dominator.one-parent]") {
    two_vectors g;
    g.add("x");
    g.add("conv", {0});
    g.add("relu", {1});
    g.add("abs", {1});
    g.add("add", {2, 3});
    g.add("add", {1, 1});
    const std::string pattern = "dominates(?p:conv, relu | abs, ?c:add)";
    // The convolution is read by node 5 as well: what stands at 4 is not all that reads it.
    CHECK_FALSE(matches(pattern, g, 4));
    two_vectors alone = g;
    alone.ops.pop_back();
    alone.reads.pop_back();
    const auto found = all(pattern, alone, 4);
    REQUIRE(found.size() == 1);
    CHECK(found[0].nodes == std::vector<node_id>{1, 2, 3, 4});
    CHECK(found[0].bound.at("p") == 1);
    CHECK(found[0].bound.at("c") == 4);
    two_vectors none;
    none.add("x");
    none.add("conv", {0});
    none.add("add", {1, 1});
    CHECK(first_nodes(pattern, none, 2) == std::vector<node_id>{1, 2});
}

TEST_CASE(
    "every path to a dominator's child begins in its parent, though one that begins elsewhere is of path nodes "
    "[pattern.dominator.every-path]") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("conv", {0});
    g.add("relu", {2});
    g.add("relu", {1});
    g.add("add", {3, 4});
    CHECK_FALSE(matches("dominates(conv, relu, add)", g, 5));
    CHECK_FALSE(matches("dominates(conv | input, *, add)", g, 5));
    two_vectors wrong;
    wrong.add("x");
    wrong.add("conv", {0});
    wrong.add("tanh", {1});
    wrong.add("add", {1, 2});
    CHECK_FALSE(matches("dominates(conv, relu, add)", wrong, 3));
    CHECK(matches("dominates(conv, tanh, add)", wrong, 3));
}

TEST_CASE("constants and functions on the way of a dominator bring nothing that flows [pattern.dominator.constants]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), w = b.constant(inlay::tensor::scalar(1.0f)), conv = b.call("conv", {x, w});
    const node_id scaled = b.call("mul", {conv, w}), out = b.call("add", {scaled, w});
    const auto found = all("dominates(conv, mul, add)", b.so_far(), out);
    REQUIRE(found.size() == 1);
    CHECK(found[0].nodes == std::vector<node_id>{conv, scaled, out});
    CHECK_FALSE(matches("dominates(const, *, add)", b.so_far(), out));
}

TEST_CASE("a value on the way of a dominator that is read elsewhere is no way [pattern.dominator.read-outside]") {
    two_vectors g;
    g.add("x");
    g.add("conv", {0});
    g.add("relu", {1});
    g.add("add", {2, 2});
    CHECK(matches("dominates(conv, relu, add)", g, 3));
    g.add("abs", {2});
    CHECK_FALSE(matches("dominates(conv, relu, add)", g, 3));
}

TEST_CASE("a dominator over a lattice of 2^60 paths is found at once [pattern.dominator.linear]") {
    two_vectors g;
    g.add("conv", {});
    node_id last = 0;
    for (int i = 0; i < 60; ++i) {
        const node_id a = g.add("relu", {last}), c = g.add("relu", {last});
        last = g.add("add", {a, c});
    }
    last = g.add("out", {last});
    const auto found = all("dominates(input, add | relu, out)", g, last, 100'000);
    REQUIRE(found.size() == 1);
    CHECK(found[0].nodes.size() == 181);
}

TEST_CASE("a pattern that stands inside itself takes a whole tree [pattern.recursion.again]") {
    two_vectors g;
    g.add("x");
    g.add("y");
    g.add("add", {0, 1});
    g.add("mul", {2, 0});
    g.add("add", {3, 2});
    CHECK(first_nodes("%e:(add/mul(%e, %e) | input)", g, 4) == std::vector<node_id>{2, 3, 4});
    CHECK_FALSE(matches("%e:(add(%e, %e) | input)", g, 4));
}

TEST_CASE("patterns match inside functions and branches, and across their borders; each node says its block [pattern.blocks.across]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), c = b.input("c", {});
    b.open_block();
    const node_id p = b.input("p", {}), inner = b.call("relu", {b.call("conv", {p})}), f = b.function(std::vector<node_id>{p}, inner);
    const node_id outside = b.call("conv", {x});
    b.open_block();
    const node_id yes = b.call("relu", {outside});
    b.close_block();
    b.open_block();
    const node_id no = b.call("abs", {outside});
    b.close_block();
    const node_id branch = b.if_else(c, yes, no);
    const inlay::ir_module& g = b.so_far();
    CHECK(matches("relu(conv(input))", g, inner));
    CHECK(matches("fn(?p, relu(conv(?p)))", g, f));
    // The match has nodes of two blocks, which `block` tells: no region may be made of it.
    const auto across = all("relu(conv(*))", g, yes);
    REQUIRE(across.size() == 1);
    CHECK(g.block(across[0].nodes[0]) != g.block(across[0].nodes[1]));
    CHECK(matches("if(*, relu(?v), abs(?v))", g, branch));
    CHECK_FALSE(matches("if(*, relu(?v), relu(?v))", g, branch));
}

TEST_CASE("a false match: what lies between two uses of one value is not passed over (pytorch 104775) [pattern.capture.no-false-match]") {
    // relu feeds mul and clip in the pattern; in the graph an add stands between relu and clip.
    two_vectors g;
    g.add("x");
    g.add("relu", {0});
    g.add("add", {1, 1});
    g.add("clip", {2});
    g.add("mul", {1, 3});
    CHECK_FALSE(matches("mul(?r:relu, clip(?r))", g, 4));
    CHECK(matches("mul(?r:relu, clip(add(?r, ?r)))", g, 4));
    // Constants and attributes that the pattern names are no wildcards.
    inlay::ir_builder b;
    const node_id v = b.input("x", {}), two = b.constant(inlay::tensor::scalar(2.0f)), square = b.call("pow", {v, two}),
                  turned = b.call("permute", {square}, {{"dims", std::vector<std::int64_t>{0, 2, 3, 1}}});
    CHECK(matches("permute[dims=[0,2,3,1]](pow(*, 2))", b.so_far(), turned));
    CHECK_FALSE(matches("permute[dims=[0,1,3,2]](pow(*, 2))", b.so_far(), turned));
    CHECK_FALSE(matches("permute(pow(*, 3))", b.so_far(), turned));
}

TEST_CASE("matches that stand back to back are each found at their root (pytorch 159613) [pattern.root.back-to-back]") {
    two_vectors g;
    g.add("x");
    for (int i = 0; i < 3; ++i) {
        const auto last = static_cast<node_id>(g.size() - 1);
        g.add("norm", {last});
        g.add("quant", {last + 1});
    }
    const inlay::pattern_value made = read("quant(norm(?x))");
    const inlay::pattern_view p = made.view();
    const inlay::user_lists users(g);
    inlay::matcher<two_vectors> m(g, users);
    std::vector<std::vector<node_id>> found;
    for (node_id root = 0; root < g.size(); ++root)
        m.each(p, root, [&](const inlay::found_match& one) {
            found.emplace_back(one.covered.begin(), one.covered.end());
            found.back().push_back(one.bound[0]);
            return false;
        });
    CHECK(found == std::vector<std::vector<node_id>>{{2, 1, 0}, {4, 3, 2}, {6, 5, 4}});
}

TEST_CASE("a diamond is told from parallel branches (relax 160) [pattern.capture.diamond]") {
    two_vectors diamond, parallel;
    diamond.add("x");
    diamond.add("conv", {0});
    diamond.add("relu", {1});
    diamond.add("abs", {1});
    diamond.add("add", {2, 3});
    parallel.add("x");
    parallel.add("conv", {0});
    parallel.add("conv", {0});
    parallel.add("relu", {1});
    parallel.add("abs", {2});
    parallel.add("add", {3, 4});
    const std::string shared = "add(relu(?c:conv), abs(?c))", apart = "add(relu(?c:conv), abs(?d:conv & !?c))",
                      either = "add(relu(conv), abs(conv))";
    CHECK(matches(shared, diamond, 4));
    CHECK_FALSE(matches(shared, parallel, 5));
    CHECK_FALSE(matches(apart, diamond, 4));
    CHECK(matches(apart, parallel, 5));
    CHECK(matches(either, diamond, 4));
    CHECK(matches(either, parallel, 5));
}

TEST_CASE(
    "what a match finds does not depend on who asks: a constant and a tensor of unknown shape are nodes as others (tvm 13543) "
    "[pattern.root.same-everywhere]") {
    inlay::ir_builder b;
    const node_id score = b.input("score", inlay::tensor_type(inlay::element_type::float32, {7})), box = b.input("box", {}),
                  c = b.constant(inlay::tensor::scalar(0.01f));
    const node_id greater = b.call("greater", {score, c}),
                  where = b.call("argwhere", {greater}, {}, inlay::tensor_type(inlay::element_type::int64));
    const node_id squeezed = b.call("squeeze", {where}, {{"axis", std::vector<std::int64_t>{1}}});
    const node_id fields = b.tuple(std::vector<node_id>{box, squeezed}), indexed = b.call("adv_index", {fields});
    const auto found = all("squeeze(argwhere(greater(?score, const)))", b.so_far(), squeezed);
    REQUIRE(found.size() == 1);
    CHECK(found[0].nodes == std::vector<node_id>{greater, where, squeezed});
    CHECK(matches("adv_index((*, squeeze(argwhere(greater(*, 0.01)))))", b.so_far(), indexed));
}

TEST_CASE("a match whose inner value is read elsewhere is found; the users say so (relax 366) [pattern.match.inner-value-read-outside]") {
    two_vectors g;
    g.add("x");
    g.add("conv", {0});
    g.add("relu", {1});
    g.add("abs", {1});
    const auto found = all("relu(?c:conv)", g, 2);
    REQUIRE(found.size() == 1);
    // Who makes a region of it sees that node 3 reads it too; a dominator asks for it in the pattern.
    CHECK(inlay::user_lists(g).count(found[0].bound.at("c")) == 2);
    CHECK_FALSE(matches("dominates(conv, *, relu)", g, 2));
    g.ops.pop_back();
    g.reads.pop_back();
    CHECK(matches("dominates(conv, *, relu)", g, 2));
}

TEST_CASE("a repetition is what its unrolling is [pattern.repeat.unrolled]") {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const two_vectors g = random_two_vectors(seed, 30);
        for (node_id n = 0; n < g.size(); ++n) {
            CHECK(all("repeat[0..2](f(_) | g(_, ?a), ?b)", g, n) ==
                  all("f(f(?b) | g(?b, ?a) | ?b) | g(f(?b) | g(?b, ?a) | ?b, ?a) | ?b", g, n));
            CHECK(all("repeat[2..2](f/h(_, ...), h)", g, n) == all("f/h(f/h(h, ...), ...)", g, n));
        }
    }
}

TEST_CASE(
    "a chain of a million nodes under an unbounded repetition, under a name and up to a dominator takes memory and no stack "
    "[pattern.limits.depth]") {
    constexpr node_id length = 1'000'000;
    two_vectors g;
    g.add("x");
    for (node_id n = 0; n < length; ++n) g.add("relu", {n});
    const inlay::user_lists users(g);
    for (const char* text : {"repeat(relu(_), input)", "%c:(relu(%c) | input)", "dominates(input, relu, relu)"}) {
        CAPTURE(text);
        const inlay::pattern_value made = read(text);
        inlay::matcher<two_vectors> m(g, users);
        std::size_t covered = 0;
        // The nearest parents fail one after the other: a dominator over this chain is looked for from its beginning.
        const bool near = text[0] == 'd';
        CHECK(m.each(made.view(), near ? 2'000 : length, [&](const inlay::found_match& found) {
            covered = found.covered.size();
            return true;
        }));
        CHECK(covered == (near ? 2'000 : length));
        CHECK_FALSE(m.gave_up());
    }
}

TEST_CASE("a search stops at its limit of steps and says so [pattern.limits.steps]") {
    two_vectors g;
    g.add("x");
    g.add("sum", std::vector<node_id>(12, 0));
    const inlay::user_lists users(g);
    inlay::matcher<two_vectors> m(g, users, {10'000});
    const inlay::pattern_value made = read("sum~(input, input, input, input, input, input, input, input, input, input, input, !input)"),
                               easy = read("sum~(input, ...)");
    CHECK_FALSE(m.matches(made.view(), 1));
    CHECK(m.gave_up());
    CHECK(m.matches(easy.view(), 1));
    CHECK_FALSE(m.gave_up());
    const inlay::pattern_value negated = read("!sum~(input, input, input, input, input, input, input, input, input, input, input, !input)");
    // Whether the negation holds is not known: that is no match.
    CHECK_FALSE(m.matches(negated.view(), 1));
    CHECK(m.gave_up());
}

TEST_CASE("a million matches at one root are told one by one, in the memory of one [pattern.limits.matches]") {
    two_vectors g;
    g.add("x");
    node_id last = 0;
    for (int i = 0; i < 20; ++i) last = g.add("f", {last, last});
    const inlay::user_lists users(g);
    inlay::matcher<two_vectors> m(g, users);
    // Two ways at each of 20 nodes.
    const inlay::pattern_value made = read("repeat(f(_, *) | f(*, _), input)");
    std::size_t matches = 0, most = 0;
    m.each(made.view(), last, [&](const inlay::found_match& found) {
        most = found.covered.size() > most ? found.covered.size() : most;
        ++matches;
        return false;
    });
    CHECK(matches == std::size_t{1} << 20);
    CHECK(most == 20);
    CHECK_FALSE(m.gave_up());
}
