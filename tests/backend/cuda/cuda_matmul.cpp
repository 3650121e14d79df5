// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_matmul.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "played_matmul.hpp"
#include "product_back_end.hpp"

using namespace inlay;
using namespace cuda_test;

namespace {

/// A product of whole rows of 6 with what a test puts behind it.
template <class Behind>
std::string why_not_behind(Behind&& behind) {
    small_graph t;
    return read_whole(t.finish(behind(t, t.call("onnx.MatMul", {t.input({4, 5}), t.input({5, 6})})))).refusal;
}

}  // namespace

TEST_CASE("a factor, a bias, a tensor and a Relu go along with a product") {
    {
        const read_match m = read_whole(scaled_product_with_row());
        REQUIRE(m.refusal == "");
        CHECK(m.plan.product.factor == 3);
        CHECK(m.plan.product.bias);
        CHECK(!m.plan.addend);
        CHECK(m.plan.has_relu);
        CHECK(m.worst < 2e-6);
    }
    {
        small_graph t;
        const node_id y = t.call("onnx.Add", {t.input({2, 4, 6}), t.call("onnx.MatMul", {t.input({2, 4, 5}), t.input({5, 6})})});
        const read_match m = read_whole(t.finish(y));
        REQUIRE(m.refusal == "");
        CHECK(m.plan.addend);
        CHECK(!m.plan.has_relu);
        CHECK(m.worst < 2e-6);
    }
}

TEST_CASE("Gemm goes with its factors, transposed operands and a third operand that is a constant row or a matrix") {
    for (const bool is_row : {false, true}) {
        const read_match m = read_whole(gemm_with(is_row));
        REQUIRE(m.refusal == "");
        CHECK(m.plan.product.bias.has_value() == is_row);
        CHECK(m.plan.addend.has_value() == !is_row);
        CHECK(m.worst < 2e-6);
    }
}

TEST_CASE("what the library does not compute exactly so is refused, with the reason") {
    CHECK(why_not_behind([](small_graph& t, node_id y) { return t.call("onnx.Relu", {y}); }) == "");
    for (const std::string_view op : {"onnx.Sigmoid", "onnx.Gelu", "onnx.LeakyRelu"})
        CHECK(why_not_behind([&](small_graph& t, node_id y) { return t.call(op, {y}); }) ==
              std::string(op) + " behind the product is none of cuBLASLt's epilogues, of which Relu is taken");
    CHECK(why_not_behind([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {t.call("onnx.Relu", {y}), t.input({4, 6})});
          }) == "onnx.Add behind a Relu is no part of cuBLASLt's product");
    CHECK(why_not_behind([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {y, t.input({4, 1})});
          }) == "what is added to the product, of type float32[4,1], is neither of its shape nor a constant row");
    CHECK(why_not_behind([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {y, t.input({6})});
          }) == "what is added to the product, of type float32[6], is neither of its shape nor a constant row");
    CHECK(why_not_behind([](small_graph& t, node_id y) {
              return t.call("onnx.Mul", {y, t.input({4, 6})});
          }) == "onnx.Mul with a tensor behind the product is no part of cuBLASLt's");
    CHECK(why_not_behind([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {t.call("onnx.Add", {y, t.input({4, 6})}), t.input({4, 6})});
          }) == "cuBLASLt adds one tensor to a product, and there are two");
    CHECK(why_not_behind([](small_graph& t, node_id y) { return t.call("onnx.Mul", {y, t.scalar(1e38F)}); }) == "");
    small_graph t;
    const node_id huge = t.call("onnx.Gemm", {t.input({4, 5}), t.input({5, 6})}, {{"alpha", 1e39}});
    CHECK(read_whole(t.finish(huge)).refusal.find("is no finite float32") != std::string::npos);
}
