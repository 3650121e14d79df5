// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/anchored_convolution.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "grouped_convolution.hpp"
#include "small_graph.hpp"

using namespace inlay;
using inlay_test::counted;
using inlay_test::grouped;
using inlay_test::small_graph;
using inlay_test::whole_region;

TEST_CASE("a convolution is read with its bias, its line and what follows") {
    small_graph s;
    const node_id x = s.input({1, 2, 5, 5}), bias = s.constant(tensor::of<float>({2}, {1, 2}));
    const node_id conv = s.call("onnx.Conv", {x, s.random({2, 1, 3, 3}), bias}, {{"group", std::int64_t{2}}});
    const node_id scaled = s.call("onnx.Mul", {conv, s.constant(tensor::of<float>({2, 1, 1}, {10, 100}))});
    const whole_region whole(s.finish(s.call("onnx.Relu", {scaled})));
    const auto p = detail::read_anchored_convolution(whole.view(), 3, 5);
    REQUIRE(p.has_value());
    CHECK_FALSE(p->transposed);
    CHECK(p->groups == 2);
    CHECK(p->y_extents == std::vector<std::int64_t>{1, 2, 3, 3});
    CHECK(p->line.scale == std::vector<double>{10, 100});
    CHECK(p->line.shift == std::vector<double>{10, 200});
    CHECK(p->after.size() == 1);
    const auto images = detail::read_anchored_convolution(whole.view(), 5, 5);
    REQUIRE_FALSE(images.has_value());
    CHECK(images.failure().message == "onnx.Conv of a tensor of rank 4; the library takes 5");
}

TEST_CASE("a region without a convolution, and weights that are no constant, are refused") {
    small_graph s;
    const whole_region none(s.finish(s.call("onnx.Relu", {s.input({3})})));
    CHECK_FALSE(detail::read_anchored_convolution(none.view(), 3, 5).has_value());
    small_graph t;
    const whole_region free(t.finish(t.call("onnx.Conv", {t.input({1, 2, 5, 5}), t.input({2, 2, 3, 3})})));
    const auto p = detail::read_anchored_convolution(free.view(), 3, 5);
    REQUIRE_FALSE(p.has_value());
    CHECK(p.failure().message.find("float32[2,2,3,3]") != std::string::npos);
}

TEST_CASE("weights are scaled by the factor of their output channel") {
    for (const bool transposed : {false, true}) {
        const tensor weights = tensor::of(transposed ? std::vector<std::int64_t>{4, 1, 3} : std::vector<std::int64_t>{2, 2, 3}, counted());
        std::vector<float> wanted = counted();
        for (std::size_t i = 6; i < 12; ++i) wanted[i] *= 10;
        CHECK(grouped(weights, transposed).scaled_weights() == wanted);
    }
    // One group, transposed: outputs are the second axis.
    const tensor weights = tensor::of({3, 2, 2}, counted());
    detail::anchored_convolution p = grouped(weights, true);
    p.groups = 1;
    p.x_extents[1] = 3;
    const std::vector<float> scaled = p.scaled_weights();
    for (std::size_t i = 0; i < 12; ++i) CHECK(scaled[i] == (i / 2 % 2 == 1 ? 10 : 1) * static_cast<float>(i));
}
