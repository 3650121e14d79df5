// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/chain.hpp>

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "../../small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;
using on_eigen_step = inlay::detail::on_eigen::epilogue_step;

namespace {

struct chain {
    std::vector<on_eigen_step> steps;
    std::vector<value_id> tensors, consumed;
    bool ends_at_the_result = false;
};

/// What is read after the first call of a program, a tensor 1 x 2 x 3 with two channels.
chain read(small_graph& s, node_id result) {
    const whole_region whole(s.finish(result));
    const region_view r = whole.view();
    const auto start = static_cast<value_id>(r.input_count + r.constant_count);
    detail::on_eigen::chain_reader reader(r, start, 1, 1);
    const value_id end = reader.follow();
    return {reader.steps, reader.tensors, reader.consumed, end == r.results[0]};
}

}  // namespace

TEST_CASE("factors and terms per channel become one step, a function another") {
    small_graph s;
    const node_id x = s.call("onnx.Abs", {s.input({1, 2, 3})});
    const node_id scaled = s.call("onnx.Mul", {x, s.constant(tensor::of<float>({2, 1}, {2, 3}))});
    const node_id shifted = s.call("onnx.Add", {scaled, s.scalar(10)});
    const chain c = read(s, s.call("onnx.Relu", {shifted}));
    CHECK(c.ends_at_the_result);
    CHECK(c.consumed.size() == 3);
    REQUIRE(c.steps.size() == 2);
    CHECK(c.steps[0].kind == on_eigen_step::form::affine);
    CHECK(c.steps[0].scale == std::vector<float>{2, 3});
    CHECK(c.steps[0].shift == std::vector<float>{10, 10});
    CHECK(c.steps[1].kind == on_eigen_step::form::function);
}

TEST_CASE("a tensor of the same shape is an operand of a step") {
    small_graph s;
    const node_id x = s.call("onnx.Abs", {s.input({1, 2, 3})}), other = s.input({1, 2, 3});
    const chain c = read(s, s.call("onnx.Add", {other, x}));
    CHECK(c.ends_at_the_result);
    REQUIRE(c.steps.size() == 1);
    CHECK(c.steps[0].kind == on_eigen_step::form::tensor);
    CHECK(c.steps[0].operand == 1);
    CHECK(c.tensors.size() == 1);
}

TEST_CASE("a function that is written out in several calls is one step") {
    small_graph s;
    const node_id x = s.call("onnx.Abs", {s.input({1, 2, 3})});
    const chain c = read(s, s.call("onnx.Mul", {x, s.call("onnx.Sigmoid", {x})}));
    CHECK(c.ends_at_the_result);
    CHECK(c.consumed.size() == 2);
    REQUIRE(c.steps.size() == 1);
    float v[] = {1.5f};
    c.steps[0].apply(1, v, v);
    CHECK(v[0] == doctest::Approx(1.5 / (1 + std::exp(-1.5))));
}

TEST_CASE("the chain ends before what changes the shape, and before a value that is read twice") {
    small_graph s;
    const node_id x = s.call("onnx.Abs", {s.input({1, 2, 3})});
    const chain turned = read(s, s.call("onnx.Transpose", {s.call("onnx.Relu", {x})}));
    CHECK_FALSE(turned.ends_at_the_result);
    CHECK(turned.consumed.size() == 1);
    small_graph t;
    const node_id y = t.call("onnx.Abs", {t.input({1, 2, 3})});
    const node_id twice = t.call("onnx.Sub", {t.call("onnx.Neg", {y}), t.call("onnx.Exp", {y})});
    CHECK(read(t, twice).steps.empty());
}
