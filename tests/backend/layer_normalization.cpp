// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/layer_normalization.hpp>

#include <string>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

outcome<detail::layer_normalization> read(small_graph& s, node_id y) {
    const whole_region whole(s.finish(y));
    return detail::read_layer_normalization(whole.view());
}

/// What a normalisation of a tensor 2 x 5 over an axis is written as, before scale and shift.
node_id written(small_graph& s, std::int64_t axis, bool as_power, float power = 2) {
    const node_id x = s.input({2, 5});
    const node_id difference = s.call("onnx.Sub", {x, s.call("onnx.ReduceMean", {x, s.integers({axis})})});
    const node_id square = as_power ? s.call("onnx.Pow", {difference, s.scalar(power)}) : s.call("onnx.Mul", {difference, difference});
    const node_id variance = s.call("onnx.ReduceMean", {square, s.integers({axis})});
    return s.call("onnx.Div", {difference, s.call("onnx.Sqrt", {s.call("onnx.Add", {variance, s.scalar(0.5f)})})});
}

}  // namespace

TEST_CASE("an operator and what is written out are read alike, with or without scale and shift") {
    small_graph s, t, u;
    const auto whole = read(s, s.call("onnx.LayerNormalization", {s.input({2, 3, 5}), s.random({3, 5})}, {{"axis", std::int64_t{1}}}));
    REQUIRE(whole.has_value());
    CHECK(whole->rows == 2);
    CHECK(whole->columns == 15);
    CHECK(whole->scale.has_value());
    CHECK_FALSE(whole->shift.has_value());
    const auto bare = read(t, written(t, -1, true));
    REQUIRE(bare.has_value());
    CHECK(bare->epsilon == 0.5);
    CHECK_FALSE(bare->scale.has_value());
    const auto both = read(u, u.call("onnx.Add", {u.random({5}), u.call("onnx.Mul", {written(u, 1, false), u.random({5})})}));
    REQUIRE(both.has_value());
    CHECK(both->columns == 5);
    CHECK((both->scale && both->shift));
}

TEST_CASE("other axes, other powers and rows that stretch are refused with the reason") {
    small_graph s, t, u, v;
    CHECK(read(s, written(s, 0, true)).failure().message.find("last axis") != std::string::npos);
    CHECK(read(t, written(t, 1, true, 3)).failure().message.find("power") != std::string::npos);
    CHECK(read(u, u.call("onnx.Mul", {written(u, 1, true), u.random({2, 1})})).failure().message.find("float32[2,1]") != std::string::npos);
    CHECK_FALSE(read(v, v.call("onnx.Relu", {v.input({3})})).has_value());
}

TEST_CASE("a scale or shift lies along the normalised axes, whatever the extents are [graph.broadcast.axes]") {
    const auto is_read = [](std::vector<std::int64_t> x_extents, std::vector<std::int64_t> scale, bool as_operator,
                            std::int64_t axis = -1) {
        small_graph s;
        const node_id x = s.input(std::move(x_extents));
        if (as_operator) return read(s, s.call("onnx.LayerNormalization", {x, s.random(std::move(scale))}, {{"axis", axis}})).has_value();
        const node_id difference = s.call("onnx.Sub", {x, s.call("onnx.ReduceMean", {x, s.integers({-1})})});
        const node_id variance = s.call("onnx.ReduceMean", {s.call("onnx.Mul", {difference, difference}), s.integers({-1})});
        const node_id normal = s.call("onnx.Div", {difference, s.call("onnx.Sqrt", {s.call("onnx.Add", {variance, s.scalar(0.5f)})})});
        return read(s, s.call("onnx.Mul", {normal, s.random(std::move(scale))})).has_value();
    };
    for (const bool as_operator : {false, true}) {
        CAPTURE(as_operator);
        CHECK(is_read({2, 4, 4}, {4}, as_operator));
        CHECK(is_read({2, 4, 4}, {1}, as_operator));
        CHECK(is_read({1, 1, 1}, {1}, as_operator));
        CHECK(is_read({4, 4, 1}, {1}, as_operator));
    }
    CHECK(is_read({2, 4, 4}, {1, 4}, false));
    CHECK_FALSE(is_read({2, 4, 4}, {4, 1}, false));
    CHECK_FALSE(is_read({4, 4, 4}, {4, 1, 1}, false));
    CHECK_FALSE(is_read({1, 4, 4}, {1, 4, 1}, false));
    CHECK_FALSE(is_read({4, 4}, {4, 4}, false));
    CHECK(is_read({2, 3, 4}, {3, 4}, true, 1));
    CHECK(is_read({2, 3, 4}, {3, 1}, true, 1));
    CHECK(is_read({2, 3, 4}, {4}, true, 1));
}

TEST_CASE("a row that is shorter than the normalised axes is repeated along them") {
    small_graph s;
    const node_id x = s.input({2, 2, 3}), row = s.constant(tensor::of<float>({2, 1}, {5, 7}));
    const whole_region whole(s.finish(s.call("onnx.LayerNormalization", {x, row}, {{"axis", std::int64_t{1}}})));
    const region_view r = whole.view();
    const auto norm = detail::read_layer_normalization(r);
    REQUIRE(norm.has_value());
    CHECK(norm->numbers(r, *norm->scale) == std::vector<float>{5, 5, 5, 7, 7, 7});
}
