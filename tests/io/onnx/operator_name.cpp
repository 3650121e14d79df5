// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/operator_name.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a program's operators have the names that ONNX gives them") {
    CHECK(operator_name_of("onnx.Conv") == operator_name{"ai.onnx", "Conv", ""});
    CHECK(operator_name_of("com.microsoft.Gelu") == operator_name{"com.microsoft", "Gelu", ""});
    CHECK(operator_name_of("ai.onnx.ml.LabelEncoder") == operator_name{"ai.onnx.ml", "LabelEncoder", ""});
    CHECK(operator_name_of("plain") == operator_name{"", "plain", ""});
}

TEST_CASE("an old form is told by its version") {
    CHECK(operator_name_of("onnx.Scan.v8") == operator_name{"ai.onnx", "Scan", "v8"});
    CHECK(operator_name_of("onnx.Odd.v") == operator_name{"ai.onnx", "Odd.v", ""});
    CHECK(operator_name_of("onnx.Odd.vx1") == operator_name{"ai.onnx", "Odd.vx1", ""});
}
