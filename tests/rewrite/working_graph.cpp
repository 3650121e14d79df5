// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/working_graph.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/relay_text.hpp>

#include "small_program.hpp"

using namespace inlay;
using working = working_graph<ir_module>;

static_assert(graph<working> && attributed_graph<working> && functional_graph<working>);

namespace {

const auto ignore = [](node_id) {};

}  // namespace

TEST_CASE("a graph in which nothing was changed comes out as it went in") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const ir_module m = random_program(seed, 20);
        CHECK(relay_text(working(m).finish()) == relay_text(m));
    }
}

TEST_CASE("a node takes over the readers of another, which dies with what only it reads") {
    small_program p;
    const node_id x = p.input({2}, "x"), a = p.call("Abs", {x}, {}, "a"), n = p.call("Neg", {a}, {}, "n"), e = p.call("Exp", {n}, {}, "e");
    const ir_module m = p.finish({e});
    working w(m);
    const node_id made = w.call("onnx.Floor", {&x, 1}, {}, w.type(n));
    CHECK_FALSE(w.is_alive(made));
    w.place(made, n, w.block(n));
    CHECK(w.is_alive(made));
    CHECK(w.rank(made) < w.rank(n));
    CHECK(w.rank(made) > w.rank(a));
    std::vector<node_id> dead;
    w.replace(n, made, made, [&](node_id d) { dead.push_back(d); });
    CHECK(dead == std::vector<node_id>{n, a});
    CHECK(w.stands_for(n) == made);
    CHECK(w.stands_for(a) == no_node);
    CHECK(w.operand(e, 0) == made);
    const ir_module out = w.finish();
    CHECK(calls(out, "Floor") == 1);
    CHECK(calls(out, "Neg") + calls(out, "Abs") == 0);
}

TEST_CASE("what was made and is taken back leaves no trace") {
    small_program p;
    const node_id x = p.input({2}, "x"), a = p.call("Abs", {x}, {}, "a");
    const ir_module m = p.finish({a});
    working w(m);
    const std::size_t size = w.size();
    const node_id first = w.call("onnx.Neg", {&a, 1}, {}, {});
    w.constant(tensor::scalar(2.0f));
    w.call("onnx.Neg", {&first, 1}, {}, {});
    w.forget(first);
    CHECK(w.size() == size);
    CHECK(relay_text(w.finish()) == relay_text(m));
}

TEST_CASE("results and parameters do not die, and results keep their names") {
    small_program p;
    const node_id x = p.input({2}, "x"), unused = p.input({2}, "unused"), a = p.call("Abs", {x}, {}, "a"), n = p.call("Neg", {a}, {}, "n");
    const ir_module m = p.finish({a, n});
    working w(m);
    w.replace(n, x, static_cast<node_id>(w.size()), ignore);
    CHECK(w.is_alive(a));
    CHECK(w.is_alive(unused));
    const ir_module out = w.finish();
    CHECK(out.inputs().size() == 2);
    CHECK(out.results().size() == 2);
    CHECK(out.results()[1] == out.inputs()[0]);
    CHECK(out.result_names() == std::vector<std::string>{"a", "n"});
}

TEST_CASE("nodes of a branch stay in it") {
    ir_builder b;
    b.open_block();
    const node_id c = b.input("c", node_type(tensor_type(element_type::boolean, shape{}))),
                  x = b.input("x", node_type(tensor_type(element_type::float32, {2})));
    b.open_block();
    const node_id inside = b.call("onnx.Abs", {x}, {}, b.so_far().type(x), "inside");
    b.close_block();
    const node_id either = b.if_else(c, inside, x, "either");
    b.declare(b.function(std::vector<node_id>{c, x}, either, "main"));
    const ir_module m = b.finish();
    working w(m);
    const node_id made = w.call("onnx.Neg", {&x, 1}, {}, w.type(inside));
    w.place(made, inside, w.block(inside));
    w.replace(inside, made, made, ignore);
    const ir_module out = w.finish();
    for (node_id n = 0; n < out.size(); ++n)
        if (out.kind(n) == node_kind::if_else) {
            CHECK(out.op(out.operand(n, 1)) == "onnx.Neg");
            CHECK(out.block(out.operand(n, 1)) != out.block(n));
            CHECK(out.parent(out.block(out.operand(n, 1))) == out.block(n));
        }
}
