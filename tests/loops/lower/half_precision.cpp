// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/half_precision.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

#include <inlay/ops/loops/convert_elements.hpp>

using namespace inlay;

namespace {

tensor halves(const tensor& wide, element_type e) { return *convert_elements(wide, e); }

}  // namespace

TEST_CASE("half precision is computed in float32 and rounded where an operator gives it [loops.lower.half]") {
    const bool holds = rc::check([] {
        const element_type e = *rc::gen::element(element_type::float16, element_type::bfloat16);
        // One step of the last bit.
        const double step = e == element_type::float16 ? 0x1p-10 : 0x1p-7;
        const tensor x = halves(lowered::random_floats({2, 3, 5}), e), w = halves(lowered::random_floats({5, 4}), e),
                     scale = halves(lowered::random_floats({4}), e);
        RC_ASSERT(lowered::difference(
                      {x, w},
                      [](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.Softmax", {g.call("onnx.Tanh", {g.call("onnx.MatMul", {in[0], in[1]})})});
                      },
                      nullptr, 2 * step) == "");
        RC_ASSERT(lowered::difference(
                      {x, scale},
                      [](ir_builder& g, const std::vector<node_id>& in) {
                          return g.call("onnx.Mul", {g.call("onnx.ReduceSum", {in[0]}), in[1]});
                      },
                      nullptr, 2 * step) == "");
    });
    CHECK(holds);
}

TEST_CASE("a chain of half precision is rounded at each operator, as the interpreter rounds it [loops.lower.half]") {
    // 2048 + 1 is 2048 in float16, and so is that + 1; in float32 it were 2050.
    const tensor x = halves(tensor::of<float>({1}, {2048}), element_type::float16), one = halves(tensor::of<float>({1}, {1}), x.element());
    std::string text;
    CHECK(lowered::difference(
              {x},
              [&](ir_builder& g, const std::vector<node_id>& in) {
                  return g.call("onnx.Add", {g.call("onnx.Add", {in[0], g.constant(one)}), g.constant(one)});
              },
              &text, 0) == "");
}

TEST_CASE("what only moves elements moves half precision as it is [loops.lower.half]") {
    const tensor x = halves(tensor::of<float>({2, 2}, {1, 2, 3, 4}), element_type::float16);
    std::string text;
    CHECK(lowered::difference(
              {x}, [](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.Transpose", {in[0]}); }, &text, 0) == "");
    CHECK(text.find("float32") == std::string::npos);
    CHECK(detail::computed_as(element_type::bfloat16) == element_type::float32);
    CHECK(detail::computed_as(element_type::int8) == element_type::int8);
}
