// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/resize.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::attribute_map;
using inlay::tensor;
using ops_under_test = inlay::onnx_resize<>;

namespace {

tensor numbers(const floats& values) { return tensor::of<float>({static_cast<std::int64_t>(values.size())}, values); }
attribute_map mode(const char* name, const char* coordinates) {
    return {{"mode", std::string(name)}, {"coordinate_transformation_mode", std::string(coordinates)}};
}
floats line(const floats& x, float scale, const attribute_map& attributes) {
    return elements_of<float>(result<ops_under_test>("onnx.Resize", {numbers(x), tensor(), numbers({scale})}, attributes));
}

}  // namespace

TEST_CASE("Nearest repeats elements when an image is doubled") {
    const tensor y =
        result<ops_under_test>("onnx.Resize", {counting({1, 1, 2, 2}), tensor(), numbers({1, 1, 2, 2})}, mode("nearest", "asymmetric"));
    REQUIRE(y.extents() == ints{1, 1, 4, 4});
    // Places 0, 0.5, 1, 1.5: halves go down.
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) CHECK(y.as<float>()[i * 4 + j] == static_cast<float>((i < 2 ? 0 : 1) * 2 + (j < 2 ? 0 : 1)));
    const tensor whole = tensor::of<std::int64_t>({3}, ints{7, 8, 9});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.Resize", {whole, tensor(), tensor(), list({6})}, {})) ==
          ints{7, 7, 8, 8, 9, 9});
}

TEST_CASE("Linear interpolates between neighbours, by each coordinate mode") {
    CHECK(line({0, 4}, 2, mode("linear", "half_pixel")) == floats{0, 1, 3, 4});
    CHECK(line({0, 4}, 2, mode("linear", "asymmetric")) == floats{0, 2, 4, 4});
    CHECK(line({0, 3}, 2, mode("linear", "align_corners")) == floats{0, 1, 2, 3});
    CHECK(line({0, 4, 8, 12}, 0.5f, mode("linear", "half_pixel")) == floats{2, 10});
    CHECK(line({5, 7}, 0.5f, mode("linear", "pytorch_half_pixel")) == floats{5});
    const tensor y =
        result<ops_under_test>("onnx.Resize", {counting({2, 2}), tensor(), numbers({1.5f, 1.5f})}, mode("linear", "align_corners"));
    CHECK(elements_of<float>(y) == floats{0, 0.5f, 1, 1, 1.5f, 2, 2, 2.5f, 3});
}

TEST_CASE("Cubic reproduces what lies on the elements and overshoots beside a step") {
    CHECK(line({1, 2, 4, 8}, 1, mode("cubic", "half_pixel")) == floats{1, 2, 4, 8});
    const floats y = line({0, 0, 8, 8}, 2, mode("cubic", "asymmetric"));
    REQUIRE(y.size() == 8);
    CHECK(y[2] == 0);
    CHECK(y[3] == 4);
    CHECK(y[4] == 8);
    // Half way between 0 and 0, the 8 on the right weighs -0.09375.
    CHECK(y[1] == -0.75f);
}

TEST_CASE("A cropped part is stretched over the result, and what is outside is extrapolated") {
    attribute_map attributes = mode("linear", "tf_crop_and_resize");
    attributes.set("extrapolation_value", -1.0);
    const tensor roi = numbers({0.5f, 1.5f});
    const tensor y = result<ops_under_test>("onnx.Resize", {counting({5}), roi, tensor(), list({5})}, attributes);
    CHECK(elements_of<float>(y) == floats{2, 3, 4, -1, -1});
    attributes.set("mode", std::string("nearest"));
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Resize", {counting({5}), roi, tensor(), list({5})}, attributes)) ==
          floats{2, 3, 4, -1, -1});
}

TEST_CASE("Axes, and policies that keep the aspect ratio") {
    attribute_map attributes = mode("nearest", "asymmetric");
    attributes.set("axes", ints{1, 2});
    const sample_operand x = f32({symbol("n"), 4, 8, symbol("c")});
    const auto typed = [&](const char* policy) {
        attributes.set("keep_aspect_ratio_policy", std::string(policy));
        return inferred<ops_under_test>("onnx.Resize", {x, sample_operand(), sample_operand(), list({8, 8})}, attributes);
    };
    CHECK(typed("stretch") == "float32[n,8,8,c]");
    CHECK(typed("not_larger") == "float32[n,4,8,c]");
    CHECK(typed("not_smaller") == "float32[n,8,16,c]");
    CHECK(typed("whatever").starts_with("error:"));
}

TEST_CASE("a kept aspect ratio has one scale for all axes, and halves of an extent go up [ops.resize.policy]") {
    attribute_map attributes = mode("nearest", "half_pixel");
    attributes.set("keep_aspect_ratio_policy", std::string("not_larger"));
    attributes.set("axes", ints{-1, -2});
    // Both axes have the scale 1.4, and axis 2 gets 5.6 elements.
    const tensor y = result<ops_under_test>("onnx.Resize", {counting({1, 1, 4, 5}), tensor(), tensor(), list({7, 9})}, attributes);
    CHECK(y.extents() == ints{1, 1, 6, 7});
    CHECK(floats(y.as<float>().begin(), y.as<float>().begin() + 7) == floats{0, 1, 1, 2, 3, 3, 4});
    attributes.set("axes", ints{0, 1});
    attributes.set("keep_aspect_ratio_policy", std::string("not_smaller"));
    CHECK(result<ops_under_test>("onnx.Resize", {counting({3, 2}), tensor(), tensor(), list({2, 5})}, attributes).extents() == ints{8, 5});
}

TEST_CASE("an antialiased Resize averages over what it leaves out, and integers are rounded [ops.resize.antialias]") {
    attribute_map attributes = mode("linear", "half_pixel");
    attributes.set("antialias", std::int64_t{1});
    const floats x{0, 8, 0, 8, 0, 8, 0, 8};
    const floats half = line(x, 0.5f, attributes);
    REQUIRE(half.size() == 4);
    CHECK(half[1] == doctest::Approx(4));
    CHECK(line({0, 4}, 2, attributes) == floats{0, 1, 3, 4});
    attributes.set("mode", std::string("nearest"));
    CHECK(line({0, 4}, 2, attributes) == floats{0, 0, 4, 4});
    const tensor bytes = tensor::of<std::uint8_t>({4}, std::vector<std::uint8_t>{0, 9, 255, 255});
    attributes.set("mode", std::string("cubic"));
    attributes.set("antialias", std::int64_t{0});
    // 270.58 and -9.61 at the overshoots.
    const auto cubic = elements_of<std::uint8_t>(result<ops_under_test>("onnx.Resize", {bytes, tensor(), numbers({2})}, attributes));
    REQUIRE(cubic.size() == 8);
    CHECK(cubic[1] == 0);
    CHECK(cubic[5] == 255);
}

TEST_CASE("Resize's type rule") {
    const sample_operand x = f32({symbol("n"), 3, symbol("h"), 10}), none;
    CHECK(inferred<ops_under_test>("onnx.Resize", {x, none, numbers({1, 1, 2, 0.7f})}) == "float32[n,3,?,7]");
    CHECK(inferred<ops_under_test>("onnx.Resize", {x, none, f32({4})}) == "float32[?,?,?,?]");
    CHECK(inferred<ops_under_test>("onnx.Resize", {x, none, numbers({}), list({1, 3, 20, 20})}) == "float32[1,3,20,20]");
    CHECK(inferred<ops_under_test>("onnx.Resize", {inlay::tensor_type(inlay::element_type::float32), none, numbers({1})}) == "float32[*]");
    const auto no = [&](const std::vector<sample_operand>& operands, const attribute_map& a, std::string_view words) {
        return refused<ops_under_test>("onnx.Resize", operands, a, words);
    };
    CHECK(no({x}, {}, "neither"));
    CHECK(no({x, none, numbers({1, 1, 1, 1}), list({1, 1, 1, 1})}, {}, "both"));
    CHECK(no({x, none, numbers({1, 1})}, {}, "2 scales"));
    CHECK(no({x, none, none, list({1})}, {}, "1 sizes"));
    CHECK(no({x, none, numbers({1, 1, 1, 0})}, {}, "scale of 0"));
    CHECK(no({x, none, numbers({1, 1, 1, -2})}, {}, "scale of -2"));
    CHECK(no({x, none, numbers({1, 1, 1, std::numeric_limits<float>::quiet_NaN()})}, {}, "scale of"));
    CHECK(no({x, none, numbers({1, 1, 1, 2e9f})}, {}, "too large"));
    CHECK(no({x, none, none, list({1, 1, 1, -1})}, {}, "size of -1"));
    CHECK(no({f32({0}), none, none, list({3})}, {}, "of none"));
    CHECK(no({x, none, numbers({1})}, {{"axes", ints{4}}}, "axis 4"));
    CHECK(no({x, none, numbers({1, 1})}, {{"axes", ints{1, 1}}}, "twice"));
    CHECK(no({x, none, numbers({1, 1, 1, 1})}, mode("spline", "half_pixel"), "'spline'"));
    CHECK(no({x, none, numbers({1, 1, 1, 1})}, mode("linear", "middle"), "'middle'"));
    CHECK(no({x, none, numbers({1, 1, 1, 1})}, mode("linear", "tf_crop_and_resize"), "cropped"));
    CHECK(no({x, numbers({0, 1}), numbers({1, 1, 1, 1})}, mode("linear", "tf_crop_and_resize"), "cropped"));
}
