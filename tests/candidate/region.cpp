// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/region.hpp>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

using namespace inlay;

static_assert(!std::is_copy_constructible_v<region> && std::is_nothrow_move_constructible_v<region>);

TEST_CASE("a region shows each input once, constants and what is left out apart, and the values that leave") {
    const tensor_type t = toys::image();
    node_id first = 0, second = 0, weight = 0, absent = 0;
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        weight = b.constant(tensor::scalar(3.0f));
        absent = b.unit();
        first = b.call("toy.Clip", {x, absent, weight}, {{"axis", std::int64_t{1}}}, t);
        second = b.call("onnx.Add", {first, x}, {}, t);
        const node_id third = b.call("onnx.Mul", {first, second}, {}, t);
        const node_id fields[] = {second, third};
        return b.tuple(fields);
    });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const node_id nodes[] = {first, second};
    const region r(m, users, results, nodes);
    const region_view v = r.view();
    CHECK(v.input_count == 1);
    CHECK(v.constant_count == 2);
    REQUIRE(v.calls().size() == 2);
    const region_value& clip = v.calls()[0];
    CHECK(clip.op == "toy.Clip");
    CHECK(clip.attributes->integer("axis", 0) == 1);
    CHECK(v.operand(clip, 0).origin == m.inputs()[0]);
    CHECK(v.operand(clip, 1).kind == region_value::role::absent);
    CHECK(v.operand(clip, 2).value == m.constant(weight));
    const region_value& sum = v.calls()[1];
    CHECK(v.operand(sum, 0).origin == first);
    CHECK(v.operand(sum, 1).kind == region_value::role::input);
    REQUIRE(v.results.size() == 2);  // the first is read outside, the second leaves the program
    CHECK(v[v.results[0]].origin == first);
    CHECK(v[v.results[1]].origin == second);
    CHECK(v.input_formats.empty());
    CHECK(with_call_view(v, clip, [](const call_view& c) { return c.has(0) && !c.has(1) && c.constant(2) != nullptr && c.outputs == 1; }));
}

TEST_CASE("every operand of a region's value is inside the region, before its reader, and stands for the graph's operand") {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 12);
        const user_lists users(m);
        const std::vector<node_id> results = m.results();
        std::vector<node_id> nodes;
        std::mt19937 random(seed);
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::call && random() % 2 == 0) nodes.push_back(n);
        const region r(m, users, results, nodes);
        const region_view v = r.view();
        CHECK(v.calls().size() == nodes.size());
        for (value_id at = 0; at < v.values.size(); ++at)
            for (std::size_t i = 0; i < v[at].operands.size(); ++i) {
                CHECK(v[at].operands[i] < at);
                CHECK(v.operand(v[at], i).origin == m.operand(v[at].origin, i));
            }
    }
}
