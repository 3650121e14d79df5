// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/check_inputs.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/sample/sampled_tensor.hpp>

#include "../ops/sample/sampled_program.hpp"

using namespace inlay;
using sample_test::sampled_program;

namespace {

/// The integers that an input gets which an operator reads behind data of 5 rows.
std::vector<std::int64_t> integers_for(std::string_view op, const attribute_map& attributes = {}) {
    sampled_program p;
    const auto data = p.input({5, 3});
    p.finish({p.call(op, {data, p.input({200}, element_type::int64)}, attributes)});
    const region_view r = p.whole->view();
    const auto made = check_inputs(r, 1, false);
    REQUIRE(made.has_value());
    for (const tensor& t : *made)
        if (t.element() == element_type::int64) return {t.as<std::int64_t>().begin(), t.as<std::int64_t>().end()};
    return {};
}

}  // namespace

TEST_CASE("indices range over their whole axis, negative ones included") {
    for (const auto& [axis, extent] : {std::pair{0, 5}, {-1, 3}}) {
        const auto made = integers_for("onnx.Gather", {{"axis", std::int64_t{axis}}});
        CHECK(*std::min_element(made.begin(), made.end()) == -extent);
        CHECK(*std::max_element(made.begin(), made.end()) == extent - 1);
    }
}

TEST_CASE("divisors are not zero, and the same seed gives the same inputs") {
    sampled_program p;
    const auto x = p.input({300}, element_type::int64);
    p.finish({p.call("onnx.Div", {x, p.input({300}, element_type::int64)})});
    const region_view r = p.whole->view();
    const auto a = check_inputs(r, 3, false), b = check_inputs(r, 3, false), c = check_inputs(r, 4, false);
    REQUIRE((a && b && c));
    bool dividend_has_zero = false;
    for (value_id v = 0; v < 2; ++v) {
        CHECK((*a)[v].content() == (*b)[v].content());
        CHECK((*a)[v].content() != (*c)[v].content());
        const auto values = (*a)[v].as<std::int64_t>();
        const bool has_zero = std::find(values.begin(), values.end(), 0) != values.end();
        if (r.calls()[0].operands[0] == v)
            dividend_has_zero = has_zero;
        else
            CHECK_FALSE(has_zero);
    }
    CHECK(dividend_has_zero);
}

TEST_CASE("what the extents of a result follow from is as the result says") {
    const node_type data{tensor_type(element_type::float32, {2, 4})}, result{tensor_type(element_type::float32, {2, 6})},
        whole{tensor_type(element_type::int64, {2})}, factors{tensor_type(element_type::float32, {2})};
    const attribute_map none;
    const auto numbers_for = [&](std::string_view op, std::vector<value_id> operands, const node_type& type) {
        std::vector<region_value> values(3);
        for (region_value& v : values) {
            v.attributes = &none;
            v.kind = region_value::role::input;
        }
        values[0].type = &data;
        values[1].type = &type;
        values[2].type = &result;
        values[2].kind = region_value::role::call;
        values[2].op = op;
        values[2].operands = operands;
        const value_id left = 2;
        const auto made = check_inputs({values, 2, 0, {&left, 1}, {}, {}}, 1, false);
        REQUIRE(made.has_value());
        return std::vector<double>{element_as_double((*made)[1].data(), type.of_tensor.element, 0),
                                   element_as_double((*made)[1].data(), type.of_tensor.element, 1)};
    };
    CHECK(numbers_for("onnx.Reshape", {0, 1}, whole) == std::vector<double>{2, 6});
    CHECK(numbers_for("onnx.Expand", {0, 1}, whole) == std::vector<double>{2, 6});
    CHECK(numbers_for("onnx.ConstantOfShape", {1}, whole) == std::vector<double>{2, 6});
    CHECK(numbers_for("onnx.Resize", {0, 0, 0, 1}, whole) == std::vector<double>{2, 6});
    CHECK(numbers_for("onnx.Resize", {0, 0, 1}, factors) == std::vector<double>{1, 1.5});
    CHECK(numbers_for("onnx.Tile", {0, 1}, whole) == std::vector<double>{1, 1});
}
