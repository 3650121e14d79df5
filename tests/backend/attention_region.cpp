// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/attention_region.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("an attention is read through its factors, its mask and its transpositions") {
    using list = std::vector<std::int64_t>;
    small_graph t;
    const node_id q = t.input({2, 5, 3, 8}), k = t.input({2, 7, 3, 8}), v = t.input({2, 7, 3, 4}), mask = t.input({2, 1, 1, 7});
    const auto turned = [&](node_id x, list order) { return t.call("onnx.Transpose", {x}, {{"perm", std::move(order)}}); };
    const node_id scaled = t.call("onnx.Mul", {t.scalar(0.5f), turned(q, {0, 2, 1, 3})});
    const node_id scores = t.call("onnx.Div", {t.call("onnx.MatMul", {scaled, turned(k, {0, 2, 3, 1})}), t.scalar(4)});
    const node_id weights = t.call("onnx.Softmax", {t.call("onnx.Add", {mask, scores})}, {{"axis", std::int64_t{3}}});
    const node_id product = t.call("onnx.MatMul", {weights, turned(v, {0, 2, 1, 3})});
    const whole_region whole(t.finish(turned(product, {0, 2, 1, 3})));
    const auto p = detail::attention_region::read(whole.view(), 8);
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    CHECK(p->factor == 0.125);
    CHECK(p->extents == list{2, 3, 5, 4});
    CHECK(p->strides == list{60, 4, 12, 1});
    CHECK(p->queries.strides == list{120, 8, 24, 1});
    CHECK(p->keys.extents == list{2, 3, 8, 7});
    CHECK(p->keys.strides == list{168, 8, 1, 24});
    CHECK(p->values.strides == list{84, 4, 12, 1});
    REQUIRE(p->mask.has_value());
    CHECK(p->mask->extents == list{2, 1, 1, 7});
}
