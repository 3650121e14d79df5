// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/backend.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"
#include "emitted.hpp"

#include <inlay/ops/loops/convert_elements.hpp>

using namespace inlay;
using inlay_test::small_graph;
using portable_c_test::check_call;
using portable_c_test::check_emitted;

namespace {

tensor some(const std::vector<std::int64_t>& extents) {
    tensor t(element_type::float32, extents);
    float value = 0.3f;
    for (float& v : t.as<float>()) v = value = value > 0.9f ? value - 1.7f : value + 0.37f;
    return t;
}
std::vector<tensor> floats(const ir_module& m) {
    std::vector<tensor> inputs;
    for (const node_id n : m.inputs()) inputs.push_back(some(static_shape(m.type(n).of_tensor)));
    return inputs;
}
void check_floats(const ir_module& m) { check_emitted(m, floats(m)); }

}  // namespace

TEST_CASE("loops of products, windows, reductions and moves are C that agrees with the interpreter [portable_c.loops]") {
    {
        small_graph t;
        const node_id x = t.input({1, 3, 9, 8}), w = t.random({4, 3, 3, 3});
        check_floats(
            t.finish(t.call("onnx.Relu", {t.call("onnx.Conv", {x, w, t.random({4})}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}})})));
    }
    {
        small_graph t;
        check_floats(t.finish(t.call("onnx.Sigmoid", {t.call("onnx.Gemm", {t.input({3, 5}), t.random({5, 4}), t.random({4})})})));
    }
    {
        small_graph t;
        check_floats(t.finish(t.call("onnx.Softmax", {t.call("onnx.Transpose", {t.input({4, 3, 5})})})));
    }
    {
        small_graph t;
        check_floats(t.finish(t.call("onnx.MaxPool", {t.input({1, 2, 7, 7})}, {{"kernel_shape", std::vector<std::int64_t>{3, 3}}})));
    }
    {
        small_graph t;
        const node_id halves = t.call("onnx.Split", {t.input({4, 6})}, {{"axis", std::int64_t{1}}, {"num_outputs", std::int64_t{2}}}, 2);
        check_floats(t.finish({t.output(halves, 0), t.output(halves, 1)}));
    }
}

TEST_CASE("half precision is C that computes in float32 and rounds as the interpreter does [portable_c.half]") {
    for (const element_type e : {element_type::float16, element_type::bfloat16}) {
        CAPTURE(name_of(e));
        const double step = e == element_type::float16 ? 0x1p-10 : 0x1p-7;
        const auto halves = [e](const std::vector<std::int64_t>& extents) { return *convert_elements(some(extents), e); };
        check_call("onnx.Conv", {halves({1, 3, 6, 5}), halves({4, 3, 3, 3}), halves({4})},
                   {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}}, 1, {}, 2 * step);
        check_call("onnx.Softmax", {halves({3, 7})}, {}, 1, {}, 2 * step);
        check_call("onnx.Sub", {halves({3, 7}), halves({7})}, {}, 1, {}, 0);
        check_call("onnx.Pad", {halves({2, 3})}, {}, 1, {tensor::of<std::int64_t>({4}, {1, 0, 0, 1}), halves({})}, 0);
        check_call("onnx.Cast", {halves({5})}, {{"to", std::int64_t{6}}}, 1, {}, 0);
        check_call("onnx.Less", {halves({5}), halves({5})}, {}, 1, {}, 0);
        check_call("onnx.LayerNormalization", {halves({3, 7}), halves({7})}, {{"epsilon", 0.01}}, 3, {}, 2 * step);
    }
}

TEST_CASE("attention and what learns are C that agrees with the interpreter [portable_c.loops]") {
    const tensor q = some({2, 5, 12}), k = some({2, 7, 6}), v = some({2, 7, 8});
    check_call("onnx.Attention", {q, k, v},
               {{"q_num_heads", std::int64_t{4}}, {"kv_num_heads", std::int64_t{2}}, {"is_causal", std::int64_t{1}}});
    const tensor x = some({4, 3, 5}), of_channel = some({3});
    check_call("onnx.BatchNormalization", {x, of_channel, of_channel, of_channel, of_channel}, {{"training_mode", std::int64_t{1}}}, 3, {},
               1e-4);
}

TEST_CASE("what only has other extents is no function [portable_c.views]") {
    small_graph t;
    const ir_module m = t.finish(t.call("onnx.Reshape", {t.input({4, 6}), t.integers({3, 8})}));
    const inlay_test::whole_region whole(m);
    const auto part = portable_c{}.emit_c(whole.view(), "part");
    REQUIRE(part);
    CHECK(part->text.empty());
    REQUIRE(part->views.size() == 1);
    CHECK(part->views[0].input == 0);
    CHECK(part->views[0].bytes == 96);
    check_floats(m);
}

TEST_CASE("a result is computed where it ends up, without memory beside it [portable_c.workspace]") {
    small_graph t;
    const node_id x = t.input({1, 3, 20, 20}), w = t.random({32, 3, 3, 3});
    const inlay_test::whole_region whole(t.finish(t.call("onnx.Relu", {t.call("onnx.Conv", {x, w})})));
    const auto part = portable_c{}.emit_c(whole.view(), "part");
    REQUIRE(part);
    CHECK(part->workspace_bytes == 0);
}

TEST_CASE("what has no C says why [portable_c.refused]") {
    small_graph t;
    const inlay_test::whole_region whole(t.finish(t.call("onnx.MatMul", {t.input({2, 3}), t.input({3, 2})})));
    CHECK(detail::refuse_c(whole.view()).empty());
    small_graph u;
    const inlay_test::whole_region dynamic(u.finish(u.call("onnx.NonZero", {u.input({3})})));
    CHECK(detail::refuse_c(dynamic.view()) == "there is no C for onnx.NonZero: the shape is known only while it runs");
    small_graph v;
    const inlay_test::whole_region shape(v.finish(v.call("onnx.Shape", {v.input({3})})));
    CHECK(detail::refuse_c(shape.view()) == "there is no C for onnx.Shape: it is known before the run, and folding has replaced it");
}
