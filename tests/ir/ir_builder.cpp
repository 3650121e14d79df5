// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/ir_builder.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/relay_text.hpp>

using inlay::ir_builder;
using inlay::ir_module;
using inlay::node_id;
using inlay::node_kind;
using inlay::node_type;

namespace {

const inlay::tensor_type row(inlay::element_type::float32, {4});
const inlay::tensor_type flag(inlay::element_type::boolean, {});

/// A copying pass: every node again, in the block that stands for its own. Blocks open and close as their numbers and parents ask.
ir_module copied(const ir_module& from) {
    ir_builder b;
    std::vector<node_id> made;
    std::vector<inlay::block_id> open{0};
    inlay::block_id next = 1;
    for (node_id n = 0; n < from.size(); ++n) {
        const inlay::block_id wanted = from.block(n);
        const auto around = [&](inlay::block_id outer, inlay::block_id inner) {
            while (inner != outer && inner != 0) inner = from.parent(inner);
            return inner == outer;
        };
        while (!around(open.back(), wanted)) {
            open.pop_back();
            b.close_block();
        }
        while (open.back() != wanted) {
            CHECK(b.open_block() == next);
            open.push_back(next++);
        }
        std::vector<node_id> operands;
        for (const node_id o : from.operands(n)) operands.push_back(made[o]);
        made.push_back(b.copy(from, n, operands));
    }
    for (const node_id f : from.functions()) b.declare(made[f]);
    b.name_results(from.result_names());
    return b.finish();
}

void check_same(const ir_module& a, const ir_module& b) {
    REQUIRE(a.size() == b.size());
    for (node_id n = 0; n < a.size(); ++n) {
        CAPTURE(n);
        CHECK(a.kind(n) == b.kind(n));
        CHECK(a.op(n) == b.op(n));
        CHECK(a.symbol(n) == b.symbol(n));
        CHECK(a.name(n) == b.name(n));
        CHECK(a.type(n) == b.type(n));
        CHECK(a.attributes(n) == b.attributes(n));
        CHECK(a.origins(n) == b.origins(n));
        CHECK(a.field(n) == b.field(n));
        CHECK(a.block(n) == b.block(n));
        CHECK(std::vector<node_id>(a.operands(n).begin(), a.operands(n).end()) ==
              std::vector<node_id>(b.operands(n).begin(), b.operands(n).end()));
        if (a.constant(n) != nullptr) {
            REQUIRE(b.constant(n) != nullptr);
            CHECK(a.constant(n)->content() == b.constant(n)->content());
        }
    }
    REQUIRE(a.blocks() == b.blocks());
    for (inlay::block_id k = 0; k < a.blocks(); ++k) CHECK(a.parent(k) == b.parent(k));
    CHECK(std::vector<node_id>(a.functions().begin(), a.functions().end()) ==
          std::vector<node_id>(b.functions().begin(), b.functions().end()));
    CHECK(a.result_names() == b.result_names());
    CHECK(inlay::relay_text(a) == inlay::relay_text(b));
}

/// A program of lets, branches, a closure over main's parameter, and a function of its own.
ir_module with_everything() {
    ir_builder b;
    b.open_block();
    const node_id p = b.input("p", row);
    const node_id doubled = b.call("add", {p, p}, {}, row);
    const node_id helper_parameters[] = {p};
    const node_id helper = b.function(helper_parameters, doubled, "twice");
    b.declare(helper);

    b.open_block();
    const node_id x = b.input("x", row), c = b.input("c", flag);
    b.open_block();
    const node_id y = b.input("y", row);
    const node_id sum = b.call("add", {x, y}, {}, row);
    const node_id closure_parameters[] = {y};
    const node_id closure = b.function(closure_parameters, sum);
    b.open_block();
    const node_id applied[] = {closure, x};
    const node_id yes = b.apply(applied);
    b.close_block();
    b.open_block();
    const node_id called[] = {b.global("twice", b.so_far().type(helper)), x};
    const node_id no = b.apply(called);
    b.close_block();
    const node_id either = b.if_else(c, yes, no, "either");
    const node_id v = b.input("v", row);
    const node_id scaled = b.call("multiply", {v, b.constant(inlay::tensor::scalar(0.5f), "half")}, {{"axis", std::int64_t{0}}}, row);
    const node_id let = b.let(v, either, scaled);
    const node_id fields[] = {let, x};
    const node_id pair = b.tuple(fields);
    const node_id first = b.projection(pair, 1, "second");
    b.set_origins(first, {"a", "b"});
    const node_id parameters[] = {x, c};
    b.declare(b.function(parameters, first, "main"));
    b.name_results({"out"});
    return b.finish();
}

}  // namespace

TEST_CASE("nodes are numbered in the order in which they are made, operands first") {
    const ir_module m = with_everything();
    for (node_id n = 0; n < m.size(); ++n)
        for (const node_id o : m.operands(n)) CHECK(o < n);
}

TEST_CASE("a node reads its own block and those around it; functions and branches read the blocks inside") {
    const ir_module m = with_everything();
    CHECK(m.blocks() == 6);
    const auto around = [&](inlay::block_id outer, inlay::block_id inner) {
        while (inner != outer && inner != 0) inner = m.parent(inner);
        return inner == outer;
    };
    for (node_id n = 0; n < m.size(); ++n)
        for (const node_id o : m.operands(n)) {
            CAPTURE(n);
            CAPTURE(o);
            const bool of_a_block_inside =
                (m.kind(n) == node_kind::function || m.kind(n) == node_kind::if_else) && m.parent(m.block(o)) == m.block(n);
            CHECK((around(m.block(o), m.block(n)) || of_a_block_inside));
        }
    for (const node_id f : m.functions()) CHECK(m.block(f) == 0);
}

TEST_CASE("blocks are numbered as they open, and closing gives back the one around") {
    ir_builder b;
    CHECK(b.open_block() == 1);
    CHECK(b.open_block() == 2);
    const node_id inner = b.input("i", row);
    b.close_block();
    CHECK(b.open_block() == 3);
    b.close_block();
    const node_id outer = b.input("o", row);
    CHECK(b.so_far().block(inner) == 2);
    CHECK(b.so_far().block(outer) == 1);
    CHECK(b.so_far().parent(3) == 1);
    CHECK(b.so_far().parent(1) == 0);
    CHECK(b.so_far().parent(0) == 0);
}

TEST_CASE("types follow from operands where a kind fixes them") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row), c = b.input("c", flag);
    const node_id fields[] = {x, c};
    const node_id pair = b.tuple(fields);
    CHECK(b.so_far().type(b.projection(pair, 1)) == node_type(flag));
    CHECK(b.so_far().type(b.projection(pair, 2)).kind == node_type::form::unknown);
    CHECK(b.so_far().type(b.projection(x, 0)).kind == node_type::form::unknown);
    CHECK(b.so_far().type(b.unit()) == node_type::tuple({}));
    CHECK(b.so_far().type(b.if_else(c, x, x)) == node_type(row));
    CHECK(b.so_far().type(b.let(c, c, x)) == node_type(row));
    CHECK(b.so_far().type(b.constant(inlay::tensor::scalar(true))) == node_type(flag));
    const node_id f = b.function(fields, x);
    CHECK(b.so_far().type(f) == node_type::function({row, flag}, row));
    const node_id applied[] = {f, x, c};
    CHECK(b.so_far().type(b.apply(applied)) == node_type(row));
    CHECK(b.so_far().type(b.apply(applied, node_type(flag))) == node_type(flag));
}

TEST_CASE("names, types and attribute sets that repeat are stored once") {
    ir_builder b;
    const inlay::attribute_map strides{{"strides", std::vector<std::int64_t>{2, 2}}};
    const node_id x = b.input("x", row);
    const node_id first = b.call("conv", {x}, strides, row), second = b.call("conv", {first}, strides, row);
    const node_id other = b.call("conv", {x}, {{"strides", std::vector<std::int64_t>{1, 1}}}, row, "x");
    const ir_module& m = b.so_far();
    CHECK(&m.type(first) == &m.type(second));
    CHECK(&m.attributes(first) == &m.attributes(second));
    CHECK(&m.attributes(first) != &m.attributes(other));
    CHECK(m.op(first).data() == m.op(other).data());
    CHECK(m.name(other).data() == m.name(x).data());
    CHECK(&m.attributes(x) == &m.attributes(b.unit()));
}

TEST_CASE("types that are written alike and are not the same are kept apart") {
    ir_builder b;
    b.open_block();
    const node_id three = b.input("x", inlay::tensor_type(inlay::element_type::float32, {3}));
    const node_id named = b.input("y", inlay::tensor_type(inlay::element_type::float32, {inlay::extent("3")}));
    CHECK(b.so_far().type(three) != b.so_far().type(named));
    CHECK(b.so_far().type(three).is_static());
    CHECK_FALSE(b.so_far().type(named).is_static());
}

TEST_CASE("attribute sets that differ in one value only are kept apart") {
    ir_builder b;
    const node_id one = b.call("f", {}, {{"a", std::int64_t{1}}}), real = b.call("f", {}, {{"a", 1.0}}),
                  text = b.call("f", {}, {{"a", std::string("1")}});
    CHECK(b.so_far().attributes(one).get<std::int64_t>("a") != nullptr);
    CHECK(b.so_far().attributes(real).get<double>("a") != nullptr);
    CHECK(b.so_far().attributes(text).get<std::string>("a") != nullptr);
}

TEST_CASE("names, types and origins of a node can be set after it is made") {
    ir_builder b;
    const node_id n = b.call("f", {});
    const node_id same = b.call("f", {});
    b.set_name(n, "named");
    b.set_type(n, row);
    b.set_origins(n, {"old"});
    CHECK(b.so_far().name(n) == "named");
    CHECK(b.so_far().type(n) == node_type(row));
    CHECK(b.so_far().origins(n) == std::vector<std::string>{"old"});
    CHECK(b.so_far().name(same).empty());
    CHECK(b.so_far().type(same) == node_type());
    CHECK(b.so_far().origins(same).empty());
}

TEST_CASE("a pass that copies a program node after node makes the same program, twice too") {
    const ir_module from = with_everything();
    const ir_module to = copied(from);
    check_same(from, to);
    check_same(from, copied(to));
}

TEST_CASE("a copy takes new operands and shares the elements of constants") {
    ir_builder old;
    const node_id half = old.constant(inlay::tensor::scalar(0.5f), "half");
    const node_id twice = old.call("add", {half, half}, {{"axis", std::int64_t{3}}}, row, "twice");
    const ir_module& from = old.so_far();
    ir_builder b;
    const node_id x = b.input("x", row);
    const node_id c = b.copy(from, half, {});
    const node_id operands[] = {x, c, c};
    const node_id sum = b.copy(from, twice, operands);
    CHECK(b.so_far().constant(c)->data() == from.constant(half)->data());
    CHECK(b.so_far().arity(sum) == 3);
    CHECK(b.so_far().operand(sum, 0) == x);
    CHECK(b.so_far().name(sum) == "twice");
    CHECK(b.so_far().attributes(sum).integer("axis", 0) == 3);
}

TEST_CASE("a chain of ten thousand nodes is built and copied") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    node_id last = x;
    for (int i = 0; i < 10000; ++i) last = b.call("relu", {last}, {}, row);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, last, "main"));
    const ir_module m = copied(b.finish());
    CHECK(m.size() == 10002);
    CHECK(m.results() == std::vector<node_id>{10000});
}

namespace {

/// A program with a branch, some names, and two calls of one operator with equal attributes.
inlay::ir_module with_a_branch() {
    inlay::ir_builder b;
    b.open_block();
    const inlay::node_type t(inlay::tensor_type(inlay::element_type::float32, {2}));
    const inlay::node_id c = b.input("c", inlay::node_type(inlay::tensor_type(inlay::element_type::boolean, inlay::shape{}))),
                         x = b.input("x", t);
    b.open_block();
    const inlay::node_id f = b.call("f", {x}, {{"k", std::int64_t{1}}}, t, "inside");
    b.close_block();
    const inlay::node_id either = b.if_else(c, f, b.call("f", {x}, {{"k", std::int64_t{1}}}, t), "either");
    b.declare(b.function(std::vector<inlay::node_id>{c, x}, either, "main"));
    return b.finish();
}

}  // namespace

TEST_CASE("a module that is built anew, block for block, is the same") {
    const inlay::ir_module m = with_a_branch();
    for (const bool source : {false, true}) {
        inlay::ir_builder b;
        if (source) b.copy_from(m);
        std::vector<inlay::node_id> made(m.size()), operands;
        for (inlay::node_id n = 0; n < m.size(); ++n) {
            b.go_to(m, m.block(n));
            operands.clear();
            for (const inlay::node_id o : m.operands(n)) operands.push_back(made[o]);
            made[n] = b.copy(m, n, operands);
        }
        CHECK(relay_text(b.finish_as(m, made)) == relay_text(m));
    }
}

TEST_CASE("results that are others now keep the names by which they were known") {
    const inlay::ir_module m = with_a_branch();
    inlay::ir_builder b;
    std::vector<inlay::node_id> made(m.size(), inlay::no_node);
    b.open_block();
    for (const inlay::node_id n : m.inputs()) made[n] = b.copy(m, n, {});
    const inlay::node_id x = made[m.inputs()[1]];
    made[m.result(m.main())] = x;
    made[m.main()] = b.function(std::vector<inlay::node_id>{made[m.inputs()[0]], x}, x, "main");
    const inlay::ir_module out = b.finish_as(m, made);
    CHECK(out.result_names() == std::vector<std::string>{"either"});
    CHECK(out.results()[0] == out.inputs()[1]);
}
