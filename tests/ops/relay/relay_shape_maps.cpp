// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_shape_maps.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sample_relay_call.hpp"

using namespace inlay;
using namespace inlay_test;
using floats = std::vector<float>;
using ints = std::vector<std::int64_t>;
using numbers = std::vector<std::int32_t>;

namespace {

const tensor x = tensor::of({2, 3}, floats{0, 1, 2, 3, 4, 5});

}  // namespace

TEST_CASE("take goes through batches side by side, and indices out of range stop or begin anew [ops.relay.batch-dims]") {
    const tensor data = tensor::of({2, 3, 2}, floats{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const tensor rows = tensor::of({2, 2}, numbers{2, 0, 1, 9});
    CHECK(relay_numbers<float>("take", {data, rows}, {{"batch_dims", std::int64_t{1}}, {"axis", std::int64_t{1}}}) ==
          floats{4, 5, 0, 1, 8, 9, 10, 11});
    const auto behind = relay_results("take", {data, rows}, {{"batch_dims", std::int64_t{1}}, {"axis", std::int64_t{2}}}).front();
    CHECK(behind.extents() == ints{2, 3, 2});
    CHECK(floats(behind.as<float>().begin(), behind.as<float>().end()) == floats{1, 0, 3, 2, 5, 4, 7, 7, 9, 9, 11, 11});
    const tensor far = tensor::of({3}, numbers{-1, 4, 1});
    CHECK(relay_numbers<float>("take", {x, far}, {{"axis", std::int64_t{1}}, {"mode", std::string("wrap")}}) == floats{2, 1, 1, 5, 4, 4});
    CHECK(relay_numbers<float>("take", {x, far}) == floats{0, 4, 1});
}

TEST_CASE("layouts are transposed, cut into blocks and joined again") {
    const tensor image = tensor::of({1, 4, 1, 2}, floats{0, 1, 2, 3, 4, 5, 6, 7});
    const auto blocks =
        relay_results("layout_transform", {image}, {{"src_layout", std::string("NCHW")}, {"dst_layout", std::string("NCHW2c")}}).front();
    CHECK(blocks.extents() == ints{1, 2, 1, 2, 2});
    CHECK(floats(blocks.as<float>().begin(), blocks.as<float>().end()) == floats{0, 2, 1, 3, 4, 6, 5, 7});
    const auto back =
        relay_results("layout_transform", {blocks}, {{"src_layout", std::string("NCHW2c")}, {"dst_layout", std::string("NCHW")}}).front();
    CHECK(floats(back.as<float>().begin(), back.as<float>().end()) == floats{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK_FALSE(detail::relay_layout_of("NC4"));
    CHECK_FALSE(detail::relay_layout_of("NN"));
    CHECK_FALSE(detail::relay_layout_of("N4c"));
    CHECK(detail::relay_layout_of("NCHW16c")->size() == 5);
}

TEST_CASE("types follow from attributes and constants [ops.relay.types]") {
    const node_type t = x.type(), image = tensor_type(element_type::float32, {1, extent("c"), 4, 4});
    CHECK(relay_type("topk", {t}) == "(float32[2,1], int32[2,1])");
    CHECK(relay_type("topk", {t}, {{"ret_type", std::string("values")}, {"k", std::int64_t{2}}}) == "float32[2,2]");
    CHECK(relay_type("layout_transform", {image}, {{"src_layout", std::string("NCHW")}, {"dst_layout", std::string("NHWC")}}) ==
          "float32[1,4,4,c]");
    CHECK(relay_type("zeros", {}, {{"shape", ints{2, 3}}}) == "float32[2,3]");
    CHECK(relay_type("argmax", {t}) == "int32[]");
    CHECK(relay_type("repeat", {t}, {{"repeats", std::int64_t{2}}}) == "float32[12]");
    CHECK(relay_type("stack", {node_type::tuple({t, t})}) == "float32[2,2,3]");
    CHECK(relay_type("cumprod", {t}) == "float32[6]");
}

TEST_CASE("mirror_pad repeats the border with SYMMETRIC, its default, and leaves it out with REFLECT [ops.relay.mirror-pad]") {
    const ints width{1, 2, 2, 1};
    const tensor made = relay_results("nn.mirror_pad", {x}, {{"pad_width", width}}).front();
    CHECK(made.extents() == ints{5, 6});
    CHECK(floats(made.as<float>().begin(), made.as<float>().end()) ==
          floats{1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 4, 3, 3, 4, 5, 5, 4, 3, 3, 4, 5, 5, 1, 0, 0, 1, 2, 2});
    CHECK(relay_numbers<float>("nn.mirror_pad", {x}, {{"pad_width", ints{0, 0, 3, 0}}, {"mode", std::string("SYMMETRIC")}}) ==
          floats{2, 1, 0, 0, 1, 2, 5, 4, 3, 3, 4, 5});
    CHECK(relay_numbers<float>("nn.mirror_pad", {x}, {{"pad_width", ints{0, 0, 0, 0}}}) == floats{0, 1, 2, 3, 4, 5});
    CHECK(relay_numbers<float>("nn.mirror_pad", {x}, {{"pad_width", ints{1, 0, 0, 2}}, {"mode", std::string("REFLECT")}}) ==
          floats{3, 4, 5, 4, 3, 0, 1, 2, 1, 0, 3, 4, 5, 4, 3});
    const node_type matrix = tensor_type(element_type::float32, {2, 3});
    // What TVM has no meaning for has none here, and its type stays open.
    CHECK(relay_type("nn.mirror_pad", {matrix}, {{"pad_width", ints{0, 0, 4, 0}}}) == "?");
    CHECK(relay_type("nn.mirror_pad", {matrix}, {{"pad_width", ints{0, 0, -1, 0}}}) == "?");
    CHECK(relay_type("nn.mirror_pad", {tensor_type(element_type::float32, shape{extent(), extent(3)})}, {{"pad_width", width}}) ==
          "float32[?,6]");
}
