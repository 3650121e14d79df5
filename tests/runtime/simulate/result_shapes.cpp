// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/result_shapes.hpp>

#include <doctest/doctest.h>

#include "runtime/simulate/few_ops.hpp"

using namespace inlay_test;

namespace {

/// What the shapes of main's result are for operands of these shapes, as one list, or the error.
std::string shapes_of(const ir_module& m, const std::vector<ints>& shapes) {
    const auto code = compile_registers(m, few_ops());
    REQUIRE(code.has_value());
    std::vector<tensor> given;
    for (const ints& s : shapes) given.push_back(tensor::of({static_cast<std::int64_t>(s.size())}, s));
    const auto found = result_shapes(*code, code->functions[code->main], given);
    if (!found) return found.failure().message;
    std::string text;
    for (const tensor& t : *found) {
        text += "[";
        for (const std::int64_t e : t.as<std::int64_t>()) text += std::to_string(e) + ",";
        text += "]";
    }
    return text;
}
tensor_type of_rank(std::size_t rank) { return tensor_type(element_type::float32, shape(rank)); }

}  // namespace

TEST_CASE("shapes follow from shapes by the type rules, through tuples and constants") {
    placed_builder b;
    const node_id x = b.variable("x", cuda, of_rank(2)), y = b.variable("y", cuda, of_rank(1));
    const node_id sum = b.op("add", {x, y}), row = b.op("negative", {b.op("multiply", {y, b.value(2)})});
    const ir_module m = b.main({x, y}, b.at(b.tuple(nodes{sum, row})), cuda);
    CHECK(shapes_of(m, {{2, 3}, {3}}) == "[2,3,][3,]");
    CHECK(shapes_of(m, {{2, 1}, {5}}) == "[2,5,][5,]");
    CHECK(has(shapes_of(m, {{2, 3}, {4}}), "Add"));
    CHECK(shapes_of(m, {{2, 3}}) == "gives 1 shapes for a function of 2 tensors");
}

TEST_CASE("what has no shape function says why") {
    placed_builder b;
    const node_id c = b.variable("c", cpu, flag), x = b.variable("x", cpu, of_rank(1));
    CHECK(has(shapes_of(b.main({c, x}, b.at(b.if_else(c, x, b.op("negative", {x}))), cpu), {{}, {3}}), "has no shape function"));
    placed_builder d;
    const node_id y = d.variable("y", cpu, of_rank(1));
    CHECK(has(shapes_of(d.main({y}, d.op("no.such", {y}), cpu), {{3}}), "'no.such' has no type rule"));
}
