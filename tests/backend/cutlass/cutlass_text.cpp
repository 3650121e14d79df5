// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/cutlass_text.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;
using detail::matmul_layout;

namespace {

/// The text of a product whose first operand is transposed.
std::string text_of(bool by_tf32, bool has_relu, std::int64_t rows = 8) {
    const matmul_layout m{{12, 6, 12}, {rows, 6, rows, true, 0}, {12, rows, 12}, true, 1, {{}}};
    const auto layout = detail::cutlass_layout::of(m, by_tf32);
    REQUIRE(layout);
    return detail::cutlass_text(*layout, has_relu, {4, 2, 0});
}

bool has(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a kernel is instantiated for the forms of its matrices, its tile and what follows") {
    const std::string exact = text_of(false, false), rounded = text_of(true, true);
    CHECK(has(exact, "DefaultGemm<\n    float, cutlass::layout::ColumnMajor, 1, float, cutlass::layout::RowMajor, 1, float,"));
    CHECK(has(exact, "OpClassSimt, cutlass::arch::Sm80"));
    CHECK(has(exact, "GemmShape<64, 64, 8>, cutlass::gemm::GemmShape<32, 32, 8>, cutlass::gemm::GemmShape<1, 1, 1>"));
    CHECK(has(exact, "LinearCombination<float, 1, float, float>"));
    CHECK(has(rounded, "DefaultGemm<\n    float, cutlass::layout::ColumnMajor, 4, float, cutlass::layout::RowMajor, 4, float,"));
    CHECK(has(rounded, "OpClassTensorOp, cutlass::arch::Sm80"));
    CHECK(has(rounded, "cutlass::gemm::GemmShape<16, 8, 8>"));
    CHECK(has(rounded, "LinearCombinationRelu<float, 4, float, float>"));
    CHECK(has(rounded, "linear_combination_relu.h"));
}

TEST_CASE("what a launch takes for granted is asserted in the text, and so is the release of the headers") {
    const std::string text = text_of(true, false);
    CHECK(has(text, "static_assert(product::kThreadCount == 128,"));
    CHECK(has(text, "static_assert(sizeof(product::SharedStorage) <= 32768,"));
    CHECK(has(text, "CUTLASS_MAJOR == 4 && CUTLASS_MINOR == 2 && CUTLASS_PATCH == 0"));
    CHECK(has(text, detail::cutlass_kernel_name));
}

TEST_CASE("products of one form have one text") {
    CHECK(text_of(true, true, 8) == text_of(true, true, 16));
    CHECK(text_of(true, true, 8) != text_of(true, true, 6));
    CHECK(text_of(true, true) != text_of(true, false));
}
