// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/format_conversion.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/op_table.hpp>

using namespace inlay;

TEST_CASE("a conversion has its operand's type and values, and moves them twice") {
    const op_definition* op = op_table<format_conversions<>>::find(conversion_op);
    REQUIRE(op != nullptr);
    const node_type type(tensor_type(element_type::float32, {2, 3}));
    const node_type* types[] = {&type};
    const attribute_map none;
    call_view call;
    call.op = conversion_op;
    call.attributes = &none;
    call.types = types;
    const auto inferred = op->infer(call);
    REQUIRE(inferred.has_value());
    CHECK(*inferred == type);
    tensor x(element_type::float32, {2, 3});
    for (std::size_t i = 0; i < 6; ++i) x.as<float>()[i] = static_cast<float>(i);
    const auto result = op->evaluate(call, std::vector<tensor>{x});
    REQUIRE(result.has_value());
    CHECK((*result)[0].content() == x.content());
    CHECK(op->work(call, type).bytes == 48);
    CHECK_FALSE(op->evaluate(call, std::vector<tensor>{}).has_value());
    call.types = {};
    CHECK_FALSE(op->infer(call).has_value());
}
