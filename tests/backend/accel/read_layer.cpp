// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/read_layer.hpp>

#include <doctest/doctest.h>

#include "../small_graph.hpp"

using namespace inlay;
using accel_parts::layer_reader;

namespace {

std::string refused(const ir_module& m, bool is_real = true) {
    const inlay_test::whole_region whole(m);
    const auto read = layer_reader(whole.view(), is_real).read();
    return read ? std::string() : read.failure().message;
}

}  // namespace

TEST_CASE("a convolution is a layer of taps and channels, a product one row of places") {
    inlay_test::small_graph t;
    const inlay_test::whole_region whole(t.finish(
        t.call("onnx.Relu", {t.call("onnx.Conv", {t.input({2, 3, 8, 9}), t.random({5, 3, 3, 2})},
                                    {{"strides", std::vector<std::int64_t>{2, 1}}, {"pads", std::vector<std::int64_t>{1, 0, 1, 0}}})})));
    const region_view view = whole.view();
    layer_reader reader(view, true);
    const auto read = reader.read();
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->is_image);
    CHECK(read->what.y == tap_axis{8, 4, 3, 2, 1, 1});
    CHECK(read->what.x == tap_axis{9, 8, 2, 1, 1, 0});
    CHECK(read->what.channels == 3);
    CHECK(read->what.filters == 5);
    const auto numbers = reader.numbers(read->what);
    CHECK(numbers.real_low == 0);
    CHECK(numbers.real_biases == std::vector<float>(5, 0.0f));
    inlay_test::small_graph u;
    const inlay_test::whole_region product(u.finish(u.call("onnx.MatMul", {u.input({2, 3, 4}), u.random({4, 6})})));
    const auto row = layer_reader(product.view(), true).read();
    REQUIRE(row);
    CHECK_FALSE(row->is_image);
    CHECK(row->what.places() == 6);
    CHECK(row->what.macs() == 6 * 4 * 6);
}

TEST_CASE("groups of channels are read with the channels and filters of one") {
    inlay_test::small_graph t;
    const inlay_test::whole_region grouped(
        t.finish(t.call("onnx.Conv", {t.input({1, 6, 5, 5}), t.random({4, 3, 3, 3})}, {{"group", std::int64_t{2}}})));
    const auto read = layer_reader(grouped.view(), true).read();
    REQUIRE(read);
    CHECK(read->what.groups == 2);
    CHECK(read->what.channels == 3);
    CHECK(read->what.filters == 2);
    CHECK(read->what.macs() == 9 * 9 * 3 * 4);
    CHECK(read->what.in_bytes() == 4 * 6 * 25);
}

TEST_CASE("what is no layer is told why") {
    inlay_test::small_graph a, b, c, d;
    CHECK(refused(a.finish(a.call("onnx.Conv", {a.input({1, 4, 5, 5}), a.random({4, 1, 3, 3})}, {{"group", std::int64_t{4}}}))) ==
          "sums over one channel each leave the array all but idle");
    CHECK(refused(b.finish(b.call("onnx.MatMul", {b.input({3, 4}), b.input({4, 2})}))) ==
          "it reads other tensors than one, or its weights are computed");
    CHECK(refused(c.finish(c.call("onnx.Tanh", {c.call("onnx.MatMul", {c.input({3, 4}), c.random({4, 2})})}))) ==
          "onnx.Tanh behind a product is none of Relu and Clip");
    CHECK(refused(d.finish(d.call("onnx.MatMul", {d.input({3, 4}), d.random({4, 2})})), false) ==
          "the machine computes with bytes; '-element float32' has the other one");
}
