// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/region_view.hpp>

#include <doctest/doctest.h>

TEST_CASE("a region's values are its inputs, its constants and what was left out, then its calls") {
    using namespace inlay;
    const node_type type(tensor_type(element_type::float32, {4}));
    const node_type unit = node_type::tuple({});
    const attribute_map none;
    const tensor two = tensor::scalar(2.0f);
    const value_id reads[] = {0, 1, 2};
    region_value input{region_value::role::input, {}, {}, &none, &type, nullptr, 0, 5};
    region_value constant{region_value::role::constant, {}, {}, &none, &type, &two, 0, 6};
    region_value absent{region_value::role::absent, {}, {}, &none, &unit, nullptr, 0, 7};
    region_value call{region_value::role::call, "toy.Clip", reads, &none, &type, nullptr, 0, 8};
    const region_value values[] = {input, constant, absent, call};
    const value_id results[] = {3};
    const region_view view{values, 1, 2, results, {}, {}};
    REQUIRE(view.inputs().size() == 1);
    CHECK(view.inputs()[0].origin == 5);
    CHECK(view.constants().size() == 2);
    REQUIRE(view.calls().size() == 1);
    CHECK(view.calls()[0].op == "toy.Clip");
    CHECK(view.type(3).element == element_type::float32);
    CHECK(view.operand(view[3], 1).value == &two);
    CHECK(view.has_operand(view[3], 1));
    CHECK_FALSE(view.has_operand(view[3], 2));
    CHECK_FALSE(view.has_operand(view[3], 3));
}
