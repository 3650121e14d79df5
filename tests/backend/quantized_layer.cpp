// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/quantized_layer.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

#include <inlay/graph/tensor.hpp>

using namespace inlay;
using inlay_test::small_graph;

namespace {

node_id zero(small_graph& t) { return t.constant(tensor::scalar(std::uint8_t{0})); }

inlay_test::whole_region convolution(std::int64_t side, const tensor& w, const attribute_map& attributes) {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::uint8, {2, 4, side, side}));
    const node_id w_zero = t.constant(tensor::scalar(std::int8_t{-3}));
    return inlay_test::whole_region(t.finish(
        t.call("onnx.QLinearConv", {x, t.scalar(1), zero(t), t.constant(w), t.scalar(0.5f), w_zero, t.scalar(2), zero(t)}, attributes)));
}

}  // namespace

TEST_CASE("a convolution is read with its groups, and weights less their zero point") {
    tensor w(element_type::int8, {6, 2, 3, 3});
    w.as<std::int8_t>()[(4 * 2 + 1) * 9 + 5] = 7;
    const inlay_test::whole_region region = convolution(5, w, {{"group", std::int64_t{2}}});
    const auto read = detail::quantized_layer::read(region.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->is_image);
    CHECK(read->images == 2);
    CHECK(read->groups == 2);
    CHECK(read->channels == 2);
    CHECK(read->filters == 3);
    CHECK(read->y.out == 3);
    CHECK_FALSE(read->is_signed);
    CHECK(read->weight(4, 1, 5) == 10);
    CHECK(read->weight(4, 1, 4) == 3);
    CHECK(read->flattened().y == read->y);
}

TEST_CASE("a window of one place makes one row of all images") {
    const inlay_test::whole_region region = convolution(5, tensor(element_type::int8, {6, 4, 1, 1}), {});
    const auto read = detail::quantized_layer::read(region.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    const auto flat = read->flattened();
    CHECK(flat.images == 1);
    CHECK(flat.y == tap_axis{});
    CHECK(flat.x.out == 50);
}

TEST_CASE("a product's weights stand by their columns") {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::int8, {2, 3, 2}));
    const node_id none = t.constant(tensor::scalar(std::int8_t{0}));
    const inlay_test::whole_region region(
        t.finish(t.call("onnx.QLinearMatMul", {x, t.scalar(1), none, t.constant(tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6})),
                                               t.scalar(1), none, t.scalar(1), none})));
    const auto read = detail::quantized_layer::read(region.view());
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK_FALSE(read->is_image);
    CHECK(read->is_signed);
    CHECK(read->x.out == 6);
    CHECK(read->channels == 2);
    CHECK(read->weight(1, 1, 0) == 5);
}

TEST_CASE("windows of three axes and empty sums are refused") {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::uint8, {1, 1, 3, 3, 3}));
    const node_id w = t.constant(tensor(element_type::uint8, {1, 1, 1, 1, 1}));
    const inlay_test::whole_region deep(
        t.finish(t.call("onnx.QLinearConv", {x, t.scalar(1), zero(t), w, t.scalar(1), zero(t), t.scalar(1), zero(t)})));
    CHECK(detail::quantized_layer::read(deep.view()).failure().message == "only windows of one or two axes are computed");
    small_graph u;
    const node_id rows = u.input_of(tensor_type(element_type::uint8, {0, 3}));
    const node_id none = u.constant(tensor(element_type::uint8, {3, 2}));
    const inlay_test::whole_region empty(
        u.finish(u.call("onnx.QLinearMatMul", {rows, u.scalar(1), zero(u), none, u.scalar(1), zero(u), u.scalar(1), zero(u)})));
    CHECK(detail::quantized_layer::read(empty.view()).failure().message == "there is nothing to sum");
}
