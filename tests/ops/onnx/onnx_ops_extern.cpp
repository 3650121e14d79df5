// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/onnx_ops_extern.hpp>

#include <doctest/doctest.h>

// This test is a program of one file, so that elsewhere is here.
template const inlay::op_definition* inlay::onnx_families::find<void>(std::string_view);

TEST_CASE("Operators that are compiled in one file are found from all") {
    REQUIRE(inlay::onnx_ops::find("onnx.Gemm") != nullptr);
    CHECK(inlay::onnx_ops::find("onnx.Gemm")->kind == inlay::op_kind::anchor);
}
