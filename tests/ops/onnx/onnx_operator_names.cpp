// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/onnx_operator_names.hpp>

#include <doctest/doctest.h>

using namespace inlay;

static_assert(std::is_sorted(std::begin(onnx_operator_names), std::end(onnx_operator_names)));

TEST_CASE("names of ONNX's operators are known, deprecated ones too, and others are not") {
    for (const char* name : {"Abs", "LSTM", "Scatter", "Upsample", "Xor"}) CHECK(is_onnx_operator(name));
    for (const char* name : {"", "abs", "Sigmoidd", "onnx.Abs", "Zzz"}) CHECK_FALSE(is_onnx_operator(name));
}
