// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/chain.hpp>

#include <cmath>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "../../small_graph.hpp"

using namespace inlay;
using inlay::detail::on_eigen::chain_epilogue;
using inlay_test::small_graph;
using inlay_test::whole_region;
using on_eigen_step = inlay::detail::on_eigen::epilogue_step;

namespace {

/// What is read after the call of Sin, a tensor 1 x 2 x 3 with two channels.
std::optional<chain_epilogue> read(small_graph& s, node_id result) {
    const whole_region whole(s.finish(result));
    const region_view r = whole.view();
    const auto chain =
        detail::read_anchored_chain(r, r.results[0], [](const region_value& v) { return v.op == "onnx.Sin"; }, 0, {1e-5, true});
    if (!chain) return std::nullopt;
    return detail::on_eigen::epilogue_of(r, *chain, 1, 1);
}

}  // namespace

TEST_CASE("factors and terms per channel become one step, a function another") {
    small_graph s;
    const node_id x = s.call("onnx.Sin", {s.input({1, 2, 3})});
    const node_id scaled = s.call("onnx.Mul", {x, s.constant(tensor::of<float>({2, 1}, {2, 3}))});
    const node_id shifted = s.call("onnx.Add", {scaled, s.scalar(10)});
    const auto c = read(s, s.call("onnx.Relu", {shifted}));
    REQUIRE(c.has_value());
    REQUIRE(c->steps.size() == 2);
    CHECK(c->steps[0].kind == on_eigen_step::form::affine);
    CHECK(c->steps[0].scale == std::vector<float>{2, 3});
    CHECK(c->steps[0].shift == std::vector<float>{10, 10});
    CHECK(c->steps[1].kind == on_eigen_step::form::function);
}

TEST_CASE("a tensor of the same shape is an operand of a step") {
    small_graph s;
    const node_id x = s.call("onnx.Sin", {s.input({1, 2, 3})}), other = s.input({1, 2, 3});
    const auto c = read(s, s.call("onnx.Add", {other, x}));
    REQUIRE(c.has_value());
    REQUIRE(c->steps.size() == 1);
    CHECK(c->steps[0].kind == on_eigen_step::form::tensor);
    CHECK(c->steps[0].operand == 1);
    CHECK(c->tensors.size() == 1);
}

TEST_CASE("a function that is written out in several calls is one step, a factor beside it another") {
    for (const float factor : {1.0f, 3.0f}) {
        small_graph s;
        const node_id x = s.call("onnx.Sin", {s.input({1, 2, 3})});
        const node_id y = s.call("onnx.Mul", {x, s.call("onnx.Sigmoid", {x})});
        const auto c = read(s, s.call("onnx.Mul", {y, s.scalar(factor)}));
        REQUIRE(c.has_value());
        REQUIRE(c->steps.size() == (factor == 1.0f ? 1u : 2u));
        float v[] = {1.5f};
        c->steps[0].apply(1, v, v);
        CHECK(v[0] == doctest::Approx(1.5 / (1 + std::exp(-1.5))));
    }
}

TEST_CASE("what changes the shape, a value that is read twice and a power are no epilogue") {
    small_graph s, t, u;
    const node_id x = s.call("onnx.Sin", {s.input({1, 2, 3})});
    CHECK_FALSE(read(s, s.call("onnx.Transpose", {s.call("onnx.Relu", {x})})).has_value());
    const node_id y = t.call("onnx.Sin", {t.input({1, 2, 3})});
    CHECK_FALSE(read(t, t.call("onnx.Sub", {t.call("onnx.Neg", {y}), t.call("onnx.Exp", {y})})).has_value());
    CHECK_FALSE(read(u, u.call("onnx.Pow", {u.call("onnx.Sin", {u.input({1, 2, 3})}), u.scalar(3)})).has_value());
}
