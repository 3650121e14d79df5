// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/matmul.hpp>

#include <doctest/doctest.h>

#include <inlay/backend/cutlass/backend.hpp>

#include "../cuda/product_back_end.hpp"
#include "played_product.hpp"

using namespace inlay;
using namespace cutlass_test;
using detail::cutlass_addend;

TEST_CASE("a factor, a row or a tensor, and a Relu go along with a product") {
    {
        const read_product m = read_whole(cuda_test::scaled_product_with_row());
        REQUIRE(m.refusal == "");
        CHECK(m.plan.added == cutlass_addend::row);
        CHECK(m.plan.product.has_relu);
        CHECK(m.worst < 2e-6);
    }
    {
        small_graph t;
        const node_id y = t.call("onnx.Add", {t.input({3, 4, 6}), t.call("onnx.MatMul", {t.input({3, 4, 5}), t.input({3, 5, 6})})});
        const read_product m = read_whole(t.finish(y));
        REQUIRE(m.refusal == "");
        CHECK(m.plan.added == cutlass_addend::matrix);
        CHECK(m.worst < 2e-6);
    }
}

TEST_CASE("Gemm goes with its factors, transposed operands and a third operand that is a constant row or a matrix") {
    for (const bool is_row : {false, true}) {
        const read_product m = read_whole(cuda_test::gemm_with(is_row));
        REQUIRE(m.refusal == "");
        CHECK(m.plan.added == (is_row ? cutlass_addend::row : cutlass_addend::matrix));
        CHECK(m.worst < 2e-6);
    }
}

TEST_CASE("what the kernel does not compute is refused in CUTLASS's name, and the largest match leaves it to others") {
    small_graph t;
    const node_id y = t.call("onnx.MatMul", {t.input({4, 5}), t.input({5, 6})});
    CHECK(read_whole(t.finish(t.call("onnx.Sigmoid", {y}))).refusal ==
          "onnx.Sigmoid behind the product is none of CUTLASS's epilogues, of which Relu is taken");
    small_graph both;
    const node_id z = both.call("onnx.Add", {both.call("onnx.MatMul", {both.input({4, 5}), both.input({5, 6})}), both.random({6})});
    const ir_module g = both.finish(both.call("onnx.Add", {z, both.input({4, 6})}));
    CHECK(read_whole(g).refusal == "CUTLASS adds a row or a tensor to a product, and here are both");
}
