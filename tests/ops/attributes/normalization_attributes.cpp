// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/normalization_attributes.hpp>

#include <doctest/doctest.h>

#include "ops/attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("the defaults of normalisations' attributes are those that the operators mean") {
    const tensor x = numbers({2, 4, 3}), c = numbers({4}), v = tensor::of({4}, std::vector<float>{0.5f, 1, 2, 0.1f});
    check_defaults<batch_normalization_attributes>("onnx.BatchNormalization", {x, c, c, c, v});
    check_defaults<batch_normalization_attributes>("onnx.BatchNormalization", {x, c, c, c, v}, with("training_mode", std::int64_t{1}), {},
                                                   3);
    check_defaults<instance_normalization_attributes>("onnx.InstanceNormalization", {x, c, c});
    check_defaults<layer_normalization_attributes>("onnx.LayerNormalization", {x, numbers({3}), numbers({3})});
    check_defaults<group_normalization_attributes>("onnx.GroupNormalization", {x, numbers({2}), numbers({2})},
                                                   with("num_groups", std::int64_t{2}));
    check_defaults<lrn_attributes>("onnx.LRN", {x}, with("size", std::int64_t{3}));
    check_defaults<lp_normalization_attributes>("onnx.LpNormalization", {x});
}

TEST_CASE("softmax, its logarithm and the greatest alone share their attributes") {
    for (const char* op : {"onnx.Softmax", "onnx.LogSoftmax", "onnx.Hardmax"}) check_defaults<softmax_attributes>(op, {numbers({2, 3, 4})});
}
