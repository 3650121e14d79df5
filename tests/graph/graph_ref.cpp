// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/graph_ref.hpp>

#include <cstddef>
#include <string_view>
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
        CHECK(r.name(n) == g.name(n));
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

TEST_CASE("a reference to a graph without names has none") {
    struct nameless {
        node_type type_of;
        attribute_map none;
        [[nodiscard]] std::size_t size() const { return 1; }
        [[nodiscard]] std::string_view op(node_id) const { return "f"; }
        [[nodiscard]] std::size_t arity(node_id) const { return 0; }
        [[nodiscard]] node_id operand(node_id, std::size_t) const { return 0; }
        [[nodiscard]] const node_type& type(node_id) const { return type_of; }
        [[nodiscard]] const attribute_map& attributes(node_id) const { return none; }
        [[nodiscard]] const tensor* constant(node_id) const { return nullptr; }
    };
    const nameless g{};
    CHECK(graph_ref(g).name(0).empty());
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
