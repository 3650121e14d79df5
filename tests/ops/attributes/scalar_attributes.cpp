// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/scalar_attributes.hpp>

#include <limits>

#include <doctest/doctest.h>

#include "ops/attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("the defaults of element-wise operators' attributes are those that the operators mean") {
    const tensor x = numbers({3, 5});
    check_defaults<elu_attributes>("onnx.Elu", {x});
    check_defaults<celu_attributes>("onnx.Celu", {x});
    check_defaults<selu_attributes>("onnx.Selu", {x});
    check_defaults<leaky_relu_attributes>("onnx.LeakyRelu", {x});
    check_defaults<thresholded_relu_attributes>("onnx.ThresholdedRelu", {x});
    check_defaults<hard_sigmoid_attributes>("onnx.HardSigmoid", {x});
    check_defaults<shrink_attributes>("onnx.Shrink", {x});
    check_defaults<gelu_attributes>("onnx.Gelu", {x});
    const float infinite = std::numeric_limits<float>::infinity();
    check_defaults<is_inf_attributes>("onnx.IsInf", {tensor::of({3}, std::vector<float>{-infinite, 0, infinite})});
    check_defaults<mod_attributes>("onnx.Mod",
                                   {tensor::of({2}, std::vector<std::int32_t>{-7, 7}), tensor::of({2}, std::vector<std::int32_t>{3, -3})});
    check_defaults<bit_shift_attributes>("onnx.BitShift",
                                         {tensor::of({1}, std::vector<std::uint8_t>{4}), tensor::of({1}, std::vector<std::uint8_t>{1})},
                                         with("direction", std::string("LEFT")));
    check_defaults<cast_attributes>("onnx.Cast", {x}, with("to", std::int64_t{6}));
}

TEST_CASE("the defaults of matrix products' attributes are those that the operators mean") {
    check_defaults<gemm_attributes>("onnx.Gemm", {numbers({3, 3}), numbers({3, 3}), numbers({3})});
    check_defaults<einsum_attributes>("onnx.Einsum", {numbers({3, 2}), numbers({2, 4})}, with("equation", std::string("ij,jk->ik")));
    CHECK(attr<&gemm_attributes::trans_b>(with("transB", std::int64_t{1})));
}
