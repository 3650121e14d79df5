// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/operators.hpp>

#include "run_region.hpp"

using namespace reference_test;

TEST_CASE("an operator is found in whatever family it stands, and no other name is") {
    for (const auto name : {"onnx.Relu", "onnx.Add", "onnx.Where", "onnx.Transpose", "onnx.Conv", "onnx.Gemm", "onnx.MaxPool", "onnx.LRN",
                            "onnx.Softmax", "onnx.ReduceMean", "onnx.Resize", "onnx.ConvTranspose", "onnx.Cast"}) {
        REQUIRE(on_eigen::own_operator(name) != nullptr);
        CHECK(on_eigen::own_operator(name)->name == name);
    }
    CHECK(on_eigen::own_operator("onnx.TopK") == nullptr);
    CHECK(on_eigen::own_operator("Relu") == nullptr);
}
