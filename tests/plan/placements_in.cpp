// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/placements_in.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

TEST_CASE("a program's column of places is a rule for each place, with the calls there") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {4}))};
    const node_id first = b.call("onnx.Relu", {x[0]}), free = b.call("onnx.Relu", {first}), second = b.call("onnx.Relu", {free});
    const placement there = placement::on(device_type::ext_dev);
    b.set_where(x[0], there);
    b.set_where(first, there);
    b.set_where(second, there);
    b.declare(b.function(x, second, "main"));
    const auto rules = placements_in(b.finish());
    REQUIRE(rules.size() == 1);
    CHECK(rules[0].where == there);
    CHECK(rules[0].nodes == std::vector<node_id>{first, second});
}
