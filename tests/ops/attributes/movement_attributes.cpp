// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/movement_attributes.hpp>

#include <doctest/doctest.h>

#include "ops/attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {
tensor numbers_of(const std::vector<std::int64_t>& values) { return tensor::of({static_cast<std::int64_t>(values.size())}, values); }
}  // namespace

TEST_CASE("the defaults of moving operators' attributes are those that the operators mean") {
    const tensor x = numbers({2, 4, 2, 2});
    check_defaults<transpose_attributes>("onnx.Transpose", {x}, {}, with("perm", std::vector<std::int64_t>{3, 2, 1, 0}));
    check_defaults<reshape_attributes>("onnx.Reshape", {x, numbers_of({0, -1})});
    check_defaults<flatten_attributes>("onnx.Flatten", {x});
    check_defaults<concat_attributes>("onnx.Concat", {x, x}, with("axis", std::int64_t{1}));
    check_defaults<split_attributes>("onnx.Split", {x, numbers_of({1, 1})}, {}, {}, 2);
    check_defaults<gather_attributes>("onnx.Gather", {x, numbers_of({1, 0})});
    check_defaults<gather_attributes>("onnx.GatherElements", {numbers({3, 3}), tensor::of({1, 3}, std::vector<std::int64_t>{2, 0, 1})});
    check_defaults<gather_nd_attributes>("onnx.GatherND", {x, tensor::of({2, 1}, std::vector<std::int64_t>{1, 0})});
    check_defaults<scatter_elements_attributes>("onnx.ScatterElements", {numbers({3}), numbers_of({1}), numbers({1})});
    check_defaults<scatter_nd_attributes>("onnx.ScatterND", {numbers({3}), tensor::of({1, 1}, std::vector<std::int64_t>{2}), numbers({1})});
    check_defaults<pad_attributes>("onnx.Pad", {numbers({3}), numbers_of({1, 1})});
    check_defaults<depth_to_space_attributes>("onnx.DepthToSpace", {x}, with("blocksize", std::int64_t{2}));
    check_defaults<space_to_depth_attributes>("onnx.SpaceToDepth", {x}, with("blocksize", std::int64_t{2}));
    check_defaults<trilu_attributes>("onnx.Trilu", {x});
    check_defaults<one_hot_attributes>("onnx.OneHot",
                                       {numbers_of({1, 0}), tensor::scalar(std::int64_t{3}), tensor::of({2}, std::vector<float>{0, 1})});
    check_defaults<constant_of_shape_attributes>("onnx.ConstantOfShape", {numbers_of({2})}, {},
                                                 with("value", tensor::of({1}, std::vector<float>{0})));
    for (const char* mode : {"nearest", "linear", "cubic"})
        check_defaults<resize_attributes>("onnx.Resize",
                                          {numbers({1, 1, 3, 3}), tensor(), tensor::of({4}, std::vector<float>{1, 1, 1.7f, 1.7f})},
                                          with("mode", std::string(mode)));
    check_defaults<resize_attributes>("onnx.Resize",
                                      {numbers({1, 1, 3, 3}), tensor(), tensor::of({4}, std::vector<float>{1, 1, 1.7f, 1.7f})});
}

TEST_CASE("what has no default but its absence is an optional") {
    CHECK_FALSE(attr<&split_attributes::num_outputs>(attribute_map()).has_value());
    CHECK(attr<&split_attributes::num_outputs>(with("num_outputs", std::int64_t{2})) == std::int64_t{2});
}
