// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/backend.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "emitted.hpp"

using namespace inlay;
using inlay_test::small_graph;
using portable_c_test::check_emitted;

namespace {

std::vector<tensor> floats(const ir_module& m) {
    std::vector<tensor> inputs;
    for (const node_id n : m.inputs()) {
        tensor& t = inputs.emplace_back(element_type::float32, static_shape(m.type(n).of_tensor));
        float value = 0.3f;
        for (float& v : t.as<float>()) v = value = value > 0.9f ? value - 1.7f : value + 0.37f;
    }
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
    CHECK(detail::refuse_c(dynamic.view()).find("is not known before the run") != std::string::npos);
}
