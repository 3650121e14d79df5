// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/graph_ref.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

TEST_CASE("a reference to a graph answers as the graph does") {
    ir_builder b;
    const node_id x = b.input("x", tensor_type(element_type::float32, {2})), c = b.constant(tensor::scalar(1.0f));
    const node_id f = b.call("f", {x, c}, {{"axis", std::int64_t{1}}});
    b.projection(b.tuple(std::vector<node_id>{f, x}), 1);
    const ir_module& g = b.so_far();
    const graph_ref r(g);
    REQUIRE(r.size() == g.size());
    for (node_id n = 0; n < g.size(); ++n) {
        CHECK(r.op(n) == g.op(n));
        CHECK(r.kind(n) == g.kind(n));
        CHECK(kind_of(r, n) == g.kind(n));
        CHECK(r.type(n) == g.type(n));
        CHECK(r.attributes(n) == g.attributes(n));
        CHECK(r.constant(n) == g.constant(n));
        CHECK(block_of(r, n) == g.block(n));
        REQUIRE(r.arity(n) == g.arity(n));
        for (std::size_t i = 0; i < g.arity(n); ++i) CHECK(r.operand(n, i) == g.operand(n, i));
    }
}

TEST_CASE("a reference to a reference is another graph that answers the same") {
    ir_builder b;
    b.call("f", {b.input("x", {})});
    const graph_ref once(b.so_far()), copy = once;
    CHECK(copy.op(1) == "f");
    CHECK(copy.arity(1) == 1);
}

TEST_CASE("what leaves a graph leaves a reference to it, also what somebody reads") {
    ir_builder b;
    const node_type row = tensor_type(element_type::float32, {2});
    b.open_block();
    const node_id x = b.input("x", row);
    const node_id inner = b.call("f", {x}, {}, row);
    b.call("g", {inner}, {}, row);
    b.declare(b.function({{x}}, inner, "main"));
    const ir_module m = b.finish();
    CHECK(results_of(m) == std::vector<node_id>{inner});
    CHECK(results_of(graph_ref(m)) == results_of(m));
}
