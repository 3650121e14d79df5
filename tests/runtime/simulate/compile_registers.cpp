// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/compile_registers.hpp>

#include <doctest/doctest.h>

#include "runtime/simulate/few_ops.hpp"

using namespace inlay_test;

TEST_CASE("a straight program becomes an instruction for each node, and constants are loaded where they are read") {
    placed_builder b;
    const node_id x = b.variable("x", cpu), y = b.variable("y", cuda), two = b.value(2);
    const node_id moved = b.copied(b.there(b.op("add", {x, two}), cpu), cpu, cuda);
    CHECK(listing(b.main({x, y}, b.op("multiply", {b.op("add", {moved, y}), two}), cuda)) ==
          "@main(r0 in the memory of cpu, r1 in the memory of cuda), 0 captured, 3 registers\n"
          "  0\tr2 = load_constant 0: float32[] in the memory of cpu\n"
          "  1\tr2 = invoke add(r0, r2) in the memory of cpu\n"
          "  2\texpect r2 in the memory of cpu\n"
          "  3\tr2 = copy r2 from the memory of cpu in the memory of cuda\n"
          "  4\tr1 = invoke add(r2, r1) in the memory of cuda\n"
          "  5\tr2 = load_constant 1: float32[] in the memory of cuda\n"
          "  6\tr2 = invoke multiply(r1, r2) in the memory of cuda\n"
          "  7\tgive r2 in the memory of cuda\n");
}

TEST_CASE("a function that knows itself captures itself, and one that says no place runs where it is called") {
    placed_builder b;
    const node_id x = b.variable("x", cpu), f = b.input("f", {}), y = b.input("y", number), c = b.variable("c", cpu, flag);
    const node_id value = b.function(nodes{y}, b.if_else(c, b.apply(nodes{f, b.op("negative", {y})}), y));
    CHECK(listing(b.main({c, x}, b.let(f, value, b.apply(nodes{f, x})), {})) ==
          "@main(r0 in the memory of cpu, r1 in the memory of cpu), 0 captured, 2 registers\n"
          "  0\tr0 = make_function function 1(itself, r0)\n"
          "  1\tr1 = call r0(r1) in the memory of the caller\n"
          "  2\tgive r1 in the memory of the caller\n"
          "function 1(r0 in the memory of the caller), 2 captured, 3 registers\n"
          "  0\tjump_unless r2 to 5 in the memory of the caller\n"
          "  1\tr2 = invoke negative(r0) in the memory of the caller\n"
          "  2\tr2 = call r1(r2) in the memory of the caller\n"
          "  3\tr2 = move r2\n"
          "  4\tjump to 6\n"
          "  5\tr2 = move r0\n"
          "  6\tgive r2 in the memory of the caller\n");
}

TEST_CASE("a match becomes tests and fields, which are taken where somebody looks at them") {
    placed_builder b;
    const node_id x = b.variable("x", cpu, {}), h = b.input("h", {}), t = b.input("t", {});
    CHECK(listing(b.main({x}, b.matched({x, h, h, t, t}, {1, 1}, {"Cons(%, Cons(_, _))", "%"}), cpu)) ==
          "@main(r0 in the memory of cpu), 0 captured, 3 registers\n"
          "  0\texpect r0 in the memory of cpu\n"
          "  1\tjump_unless_tag r0 is Cons of 2 to 7\n"
          "  2\tr1 = take_field r0.0\n"
          "  3\tr2 = take_field r0.1\n"
          "  4\tjump_unless_tag r2 is Cons of 2 to 7\n"
          "  5\tr1 = move r1\n"
          "  6\tjump to 8\n"
          "  7\tr1 = move r0\n"
          "  8\tgive r1 in the memory of cpu\n");
}

TEST_CASE("a node that both sides of a branch read is evaluated before it, in the order of first use") {
    placed_builder b;
    const node_id c = b.variable("c", cpu, flag), x = b.variable("x", cpu);
    const node_id first = b.op("negative", {x}), second = b.op("multiply", {x, x});
    const node_id inner = b.at(b.if_else(c, b.op("add", {second, first}), first));
    const std::string code = listing(b.main({c, x}, b.at(b.if_else(c, inner, second)), cpu));
    // The product is read by both sides of the outer branch, the negative by both of the inner one alone.
    CHECK(code.find("multiply") < code.find("jump_unless"));
    CHECK(code.find("negative") > code.find("jump_unless"));
    CHECK(code.find("negative") < code.rfind("jump_unless"));
}

TEST_CASE("what cannot be code is an error that names the node") {
    placed_builder b;
    const node_id x = b.variable("x", cpu), y = b.input("y", number);
    CHECK(listing(b.main({x}, b.op("negative", {y}), cpu)) == "line 2, column 1 (negative): reads the variable 'y' where it is not bound");
    placed_builder c;
    const node_id z = c.variable("z", cpu);
    CHECK(has(listing(c.main({z}, c.matched({z, z}, {0}, {"%"}), cpu)), "has the pattern '%' with 1 variables"));
}

TEST_CASE("branches and lets a hundred thousand deep cost no native stack and no square of time") {
    placed_builder b;
    const node_id c = b.variable("c", cpu, flag), x = b.variable("x", cpu);
    node_id n = x;
    for (int i = 0; i < 100'000; ++i) {
        const node_id v = b.input("v", number);
        n = b.if_else(c, b.let(v, b.op("negative", {n}), v), x);
    }
    const ir_module m = b.main({c, x}, n, cpu);
    CHECK(run(m, {truth(true), num(3)}) == 3);
    CHECK(run(m, {truth(false), num(3)}) == 3);
}
