// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_nn_maps.hpp>

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sample_relay_call.hpp"

using namespace inlay;
using namespace inlay_test;
using floats = std::vector<float>;
using ints = std::vector<std::int64_t>;

namespace {

constexpr float least = std::numeric_limits<float>::lowest();

attribute_map moving(std::int64_t size, std::int64_t stride, ints padding, bool ceil = true) {
    return {{"pool_size", ints{size}}, {"strides", ints{stride}}, {"padding", std::move(padding)}, {"ceil_mode", std::int64_t{ceil}}};
}

}  // namespace

TEST_CASE("ceil_mode adds the window that hangs over the end, or lies behind it [ops.relay.ceil]") {
    const tensor row = tensor::of({1, 1, 4}, floats{1, 2, 3, 4});
    CHECK(relay_numbers<float>("nn.max_pool1d", {row}, moving(3, 2, {0}, false)) == floats{3});
    CHECK(relay_numbers<float>("nn.max_pool1d", {row}, moving(3, 2, {0})) == floats{3, 4});
    CHECK(relay_numbers<float>("nn.max_pool1d", {row}, moving(1, 2, {0})) == floats{1, 3, least});
    CHECK(relay_numbers<float>("nn.max_pool1d", {row}, moving(2, 3, {2, 2})) == floats{least, 3, least});
    CHECK(relay_numbers<float>("nn.avg_pool1d", {row}, moving(3, 2, {0})) == floats{2, 3.5f});
    CHECK(relay_numbers<float>("nn.avg_pool1d", {row}, moving(1, 2, {0})) == floats{1, 3, 0});
    attribute_map counts = moving(3, 2, {1, 0});
    counts.set("count_include_pad", std::int64_t{1});
    CHECK(relay_numbers<float>("nn.avg_pool1d", {row}, counts) == floats{1, 3});
    const tensor turned = tensor::of({1, 4, 1}, floats{1, 2, 3, 4});
    attribute_map last = moving(3, 2, {0});
    last.set("layout", std::string("NWC"));
    CHECK(relay_results("nn.max_pool1d", {turned}, last).front().extents() == ints{1, 2, 1});
}

TEST_CASE("products and normalisations have Relay's defaults [ops.relay.defaults]") {
    const tensor a = tensor::of({1, 1, 2}, floats{1, 2}), b = tensor::of({1, 2, 2}, floats{1, 2, 3, 4});
    CHECK(relay_numbers<float>("nn.batch_matmul", {a, b}) == floats{7, 10});
    CHECK(relay_numbers<float>("nn.batch_matmul", {a, b}, {{"transpose_b", std::int64_t{1}}}) == floats{5, 11});
    const node_type image = tensor_type(element_type::float32, {1, 4, 6, 6}), row = tensor_type(element_type::float32, {4});
    CHECK(relay_type("nn.batch_norm", {image, row, row, row, row}) == "(float32[1,4,6,6], float32[4], float32[4])");
    CHECK(relay_type("nn.adaptive_avg_pool2d", {image}, {{"output_size", ints{3}}}) == "float32[1,4,3,3]");
    CHECK(relay_type("nn.adaptive_avg_pool2d", {image}) == "float32[1,4,6,6]");
    CHECK(relay_type("image.resize2d", {image}, {{"size", ints{3, 9}}}) == "float32[1,4,3,9]");
}

TEST_CASE("images are resized by the nearest element, by lines and by cubic curves [ops.relay.resize]") {
    const tensor row = tensor::of({1, 1, 4}, floats{1, 2, 3, 5});
    const auto resized = [&](std::int64_t size, const char* method, const char* mode, const char* rounding = nullptr,
                             attribute_map how = {}) {
        how.set("layout", std::string("NCW"));
        how.set("size", ints{size});
        how.set("method", std::string(method));
        how.set("coordinate_transformation_mode", std::string(mode));
        if (rounding != nullptr) how.set("rounding_method", std::string(rounding));
        return relay_numbers<float>("image.resize1d", {row}, how);
    };
    CHECK(resized(8, "nearest_neighbor", "asymmetric", "floor") == floats{1, 1, 2, 2, 3, 3, 5, 5});
    CHECK(resized(8, "nearest_neighbor", "asymmetric", "ceil") == floats{1, 2, 2, 3, 3, 5, 5, 5});
    CHECK(resized(2, "nearest_neighbor", "half_pixel") == floats{2, 5});
    CHECK(resized(2, "nearest_neighbor", "half_pixel", "round") == floats{2, 5});
    CHECK(resized(2, "nearest_neighbor", "half_pixel", "round_prefer_floor") == floats{1, 3});
    CHECK(resized(2, "nearest_neighbor", "half_pixel", "") == floats{1, 3});
    CHECK(resized(7, "nearest_neighbor", "align_corners", "") == floats{1, 2, 2, 3, 3, 5, 5});
    CHECK(resized(4, "nearest_neighbor", "half_pixel") == floats{1, 2, 3, 5});
    CHECK(resized(7, "linear", "align_corners") == floats{1, 1.5f, 2, 2.5f, 3, 4, 5});
    const auto curve = [&](const floats& wanted, const attribute_map& how) {
        const floats found = resized(6, "cubic", "half_pixel", nullptr, how);
        REQUIRE(found.size() == wanted.size());
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-5));
    };
    curve({0.942130f, 1.437500f, 2.155093f, 2.775463f, 4.062500f, 5.115741f}, {});
    curve({0.913194f, 1.406250f, 2.195602f, 2.700231f, 4.093750f, 5.173611f}, {{"cubic_alpha", -0.75}});
    curve({0.898649f, 1.371429f, 2.195602f, 2.700231f, 4.171429f, 5.202703f}, {{"cubic_alpha", -0.75}, {"cubic_exclude", std::int64_t{1}}});
    const node_type image = tensor_type(element_type::float32, {1, 6, 6, 4});
    CHECK(relay_type("image.resize2d", {image},
                     {{"size", ints{3, 9}}, {"layout", std::string("NHWC")}, {"method", std::string("nearest_neighbor")}}) ==
          "float32[1,3,9,4]");
    CHECK(relay_type("image.resize2d", {image}, {{"size", ints{3, 9}}, {"method", std::string("area")}}) == "?");
}
