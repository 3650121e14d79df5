// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/window_attributes.hpp>

#include <doctest/doctest.h>

#include "ops/attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("the defaults of windows' attributes are those that the operators mean") {
    using list = std::vector<std::int64_t>;
    attribute_map two;
    two.set("strides", list{1, 1});
    two.set("dilations", list{1, 1});
    two.set("pads", list{0, 0, 0, 0});
    two.set("output_padding", list{0, 0});
    two.set("kernel_shape", list{2, 2});
    const tensor x = numbers({1, 2, 5, 6});
    check_defaults<conv_attributes>("onnx.Conv", {x, numbers({4, 2, 2, 2})}, {}, two);
    check_defaults<conv_transpose_attributes>("onnx.ConvTranspose", {x, numbers({2, 3, 2, 2})}, {}, two);
    const attribute_map window = with("kernel_shape", list{2, 2});
    check_defaults<max_pool_attributes>("onnx.MaxPool", {x}, window, two, 2);
    check_defaults<average_pool_attributes>("onnx.AveragePool", {x}, window, two);
    check_defaults<lp_pool_attributes>("onnx.LpPool", {x}, window, two);
    check_defaults<global_lp_pool_attributes>("onnx.GlobalLpPool", {x});
}

TEST_CASE("strides, dilations and pads of a convolution are read axis by axis, given or not") {
    attribute_map some;
    some.set("strides", std::vector<std::int64_t>{2, 2});
    some.set("group", std::int64_t{3});
    const conv_attributes c = read<conv_attributes>(some);
    CHECK(c.strides.all(2));
    CHECK(c.dilations.all(1));
    CHECK(c.pads.all(0));
    CHECK(c.group == 3);
    CHECK(c.kernel_shape.empty());
}
