// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/dataflow.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ir/ir_builder.hpp>

#include "../graph/two_vectors.hpp"
#include "lettered_graph.hpp"

using namespace inlay;

static_assert(graph<dataflow>);

namespace {
/// Knows relu, as elementwise.
op_kind toy_kind(const ir_module& m, node_id n) { return m.op(n) == "toy.Relu" ? op_kind::elementwise : op_kind::opaque; }
}  // namespace

TEST_CASE("operands left out, function literals and simple scalar constants are inlined, other values are not [candidate.inlined]") {
    ir_builder b;
    b.open_block();
    const tensor_type row(element_type::float32, {2});
    const node_id x = b.input("x", row);
    const node_id unit = b.unit(), full = b.tuple(std::vector<node_id>{x});
    const node_id simple[] = {b.constant(tensor::scalar(1.0f)),
                              b.constant(tensor::scalar(1.0)),
                              b.constant(tensor::scalar(std::int16_t{1})),
                              b.constant(tensor::scalar(std::int32_t{1})),
                              b.constant(tensor::scalar(std::int64_t{1})),
                              b.constant(tensor::scalar(true)),
                              b.constant(tensor(element_type::float16, {}))};
    const node_id other[] = {b.constant(tensor::scalar(std::int8_t{1})), b.constant(tensor::scalar(std::uint8_t{1})),
                             b.constant(tensor(element_type::bfloat16, {})), b.constant(tensor::of({1}, std::vector<float>{1}))};
    const node_id call = b.call("toy.Relu", {x}, {}, row);
    const node_id parameters[] = {x};
    const node_id main = b.function(parameters, call, "main");
    b.declare(main);
    const ir_module m = b.finish();
    const dataflow flow(m, toy_kind);
    CHECK(flow.is_inlined(unit));
    CHECK(flow.is_inlined(main));
    for (const node_id n : simple) CHECK(flow.is_inlined(n));
    for (const node_id n : other) CHECK_FALSE(flow.is_inlined(n));
    CHECK_FALSE(flow.is_inlined(x));
    CHECK_FALSE(flow.is_inlined(full));
    CHECK_FALSE(flow.is_inlined(call));
    CHECK(flow.op(simple[0]) == "scalar");
    CHECK(flow.op(other[3]) == "const");
}

TEST_CASE(
    "constants are elementwise, tuples of tensors and their fields injective, calls what the source says, the rest opaque "
    "[candidate.kind.of-node]") {
    ir_builder b;
    b.open_block();
    const tensor_type row(element_type::float32, {2});
    const node_id x = b.input("x", row);
    const node_id constant = b.constant(tensor::of({1}, std::vector<float>{1}));
    const node_id relu = b.call("toy.Relu", {x}, {}, row), other = b.call("toy.Other", {x}, {}, row);
    const node_id flat = b.tuple(std::vector<node_id>{relu, other}), nested = b.tuple(std::vector<node_id>{flat, x});
    const node_id field = b.projection(flat, 1), inner = b.projection(nested, 0);
    const node_id parameters[] = {x};
    const node_id main = b.function(parameters, b.tuple(std::vector<node_id>{field, inner}), "main");
    b.declare(main);
    const ir_module m = b.finish();
    const dataflow flow(m, toy_kind);
    CHECK(flow.kind_of_op(x) == op_kind::opaque);
    CHECK(flow.kind_of_op(constant) == op_kind::elementwise);
    CHECK(flow.kind_of_op(relu) == op_kind::elementwise);
    CHECK(flow.kind_of_op(other) == op_kind::opaque);
    CHECK(flow.kind_of_op(flat) == op_kind::injective);
    CHECK(flow.kind_of_op(field) == op_kind::injective);
    CHECK(flow.kind_of_op(nested) == op_kind::opaque);
    CHECK(flow.kind_of_op(inner) == op_kind::opaque);
    CHECK(flow.kind_of_op(main) == op_kind::opaque);
    CHECK(label_of(flow, {relu, flat, field}) == "toy.Relu+tuple+proj");
}

TEST_CASE("a graph without kinds, types or constants has inputs and calls [candidate.kind.plain-graph]") {
    const two_vectors g = random_two_vectors(3, 12);
    const dataflow flow(g, [](const two_vectors&, node_id n) { return n % 2 == 0 ? op_kind::broadcast : op_kind::reduction; });
    REQUIRE(flow.size() == g.size());
    for (node_id n = 0; n < g.size(); ++n) {
        CHECK(flow.kind(n) == (g.arity(n) == 0 ? node_kind::input : node_kind::call));
        if (g.arity(n) != 0) CHECK(flow.kind_of_op(n) == (n % 2 == 0 ? op_kind::broadcast : op_kind::reduction));
        if (g.arity(n) != 0) CHECK(flow.op(n) == g.op(n));
        REQUIRE(flow.arity(n) == g.arity(n));
        for (std::size_t i = 0; i < g.arity(n); ++i) CHECK(flow.operand(n, i) == g.operand(n, i));
        CHECK_FALSE(flow.is_owned(n));
        CHECK_FALSE(flow.is_inlined(n));
        CHECK(flow.leaves(n) == (flow.users().count(n) == 0 && g.arity(n) != 0));
    }
}

TEST_CASE("over random graphs, one set flows into another where a path by definition does [candidate.subgraph.flows]") {
    CHECK(rc::check("flows and reach", [] {
        const lettered_graph g = random_lettered(*rc::gen::arbitrary<std::uint32_t>(), 14);
        std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
        const dataflow flow = flow_of(g);
        const auto reaches = reach(g);
        const std::vector<node_id> from = random_set(g, random), into = random_set(g, random);
        bool expected = false;
        for (const node_id a : from)
            for (const node_id b : into) expected = expected || reaches[a][b];
        RC_ASSERT(flows(flow, node_set(from), node_set(into)) == expected);
    }));
}
