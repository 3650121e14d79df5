// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/elementwise.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("functions of elements agree with their definition") {
    for (const char* op : {"onnx.Relu", "onnx.Sigmoid", "onnx.Tanh", "onnx.HardSwish", "onnx.Softplus", "onnx.Mish", "onnx.Abs", "onnx.Exp",
                           "onnx.Neg", "onnx.LeakyRelu", "onnx.Elu", "onnx.Gelu", "onnx.HardSigmoid"}) {
        CAPTURE(op);
        for (const std::int64_t count : {7, 33, 5000}) {
            small_graph t;
            expect_taken(t.finish(t.call(op, {t.input({count})})), 1, 2e-6, -9, 9);
        }
    }
    for (const char* op : {"onnx.Sqrt", "onnx.Log", "onnx.Reciprocal"}) {
        CAPTURE(op);
        small_graph t;
        expect_taken(t.finish(t.call(op, {t.input({3, 37})})), 1, 2e-6, 0.1f, 9);
    }
}

TEST_CASE("operations of two tensors agree with their definition, however the second is stretched, in every layout") {
    for (const char* op : {"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Max", "onnx.Min"})
        for (const extents& other : {extents{2, 32, 5, 7}, extents{2, 32, 1, 1}, extents{1, 32, 1, 1}, extents{32, 1, 1}, extents{7},
                                     extents{5, 1}, extents{1}, extents{}, extents{2, 32, 5, 1}, extents{2, 1, 5, 7}}) {
            CAPTURE(op);
            CAPTURE(other.size());
            small_graph t;
            const node_id x = t.input({2, 32, 5, 7});
            expect_taken(t.finish(t.call(op, {x, t.input(other)})), 1, 2e-5, 0.5f, 2);
            small_graph u;
            expect_taken(u.finish(u.call(op, {u.input({2, 32, 5, 7}), u.random(other, 0.5f, 1)})), 1, 2e-5, 0.5f, 2);
        }
}

TEST_CASE("scalars are chains of one element, alone and with each other") {
    small_graph t;
    const node_id x = t.input({}), y = t.input({});
    expect_taken(t.finish(t.call("onnx.Exp", {t.call("onnx.Div", {x, y})})), 2, 2e-5, 0.5f, 2);
    small_graph u;
    expect_taken(u.finish(u.call("onnx.Mul", {u.call("onnx.Sub", {u.input({}), u.scalar(3)}), u.scalar(0.5f)})), 2, 2e-5, 0.5f, 2);
}

TEST_CASE("the tensor that is stretched may stand first where the order does not count") {
    small_graph t;
    const node_id gate = t.input({2, 48, 1, 1}), x = t.input({2, 48, 9, 3});
    const taken got = expect_taken(t.finish(t.call("onnx.Mul", {gate, x})), 1);
    CHECK(got.ways.size() == 3);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.Sub", {u.input({1, 4}), u.input({3, 4})}))).find("stretches") != std::string::npos);
}

TEST_CASE("batch normalisation among element-wise operations agrees with its definition in every layout") {
    for (const extents& e : {extents{2, 32, 5, 7}, extents{1, 24, 9, 3}, extents{3, 17}, extents{2, 16, 3, 4, 5}}) {
        CAPTURE(e.size());
        small_graph alone;
        const taken got = expect_taken(alone.finish(alone.normalized(alone.input(e), e[1])), 1);
        CHECK(got.ways.size() == (e.size() < 4 ? 1u : e[1] % 16 == 0 ? 3u : got.ways.size()));
        small_graph cut;
        expect_taken(cut.finish(cut.call("onnx.Relu", {cut.normalized(cut.input(e), e[1])})), 2);
    }
    small_graph unknown;
    const node_id x = unknown.input({1, 8, 4, 4}), mean = unknown.input({8});
    CHECK(why_not(unknown.finish(unknown.call("onnx.BatchNormalization",
                                              {x, unknown.random({8}), unknown.random({8}), mean, unknown.random({8}, 0.5f, 1)})))
              .find("constants of one number per channel") != std::string::npos);
}

TEST_CASE("constants that follow one another are joined when the kernel is made") {
    small_graph t;
    const node_id x = t.input({2, 32, 5, 7}), a = t.call("onnx.Mul", {x, t.random({1, 32, 1, 1})});
    const node_id b = t.call("onnx.Add", {a, t.random({32, 1, 1})});
    const node_id c = t.call("onnx.Relu", {t.normalized(t.call("onnx.Sub", {t.scalar(2), b}), 32)});
    const whole_region all(t.finish(c));
    const auto read = simd::elementwise_entry::read_region(all.view());
    REQUIRE(read.has_value());
    REQUIRE(read->steps.size() == 3);
    CHECK(read->steps[0].what.what == simd::step::form::multiply);
    CHECK(read->steps[1].what.what == simd::step::form::add);
    CHECK(read->steps[2].what.what == simd::step::form::relu);

    small_graph numbers;
    const node_id twice = numbers.call("onnx.Mul", {numbers.input({3, 5}), numbers.scalar(2)});
    const whole_region line(numbers.finish(numbers.call("onnx.Add", {twice, numbers.random({1, 1})})));
    const auto one = simd::elementwise_entry::read_region(line.view());
    REQUIRE(one.has_value());
    REQUIRE(one->steps.size() == 1);
    CHECK(one->steps[0].what.what == simd::step::form::linear);

    small_graph last;
    const node_id scaled = last.call("onnx.Mul", {last.input({4, 6, 9}), last.random({9})});
    expect_taken(last.finish(last.call("onnx.Add", {scaled, last.random({9})})), 2);
}

TEST_CASE("constants are not joined where that would make no number of a finite one") {
    small_graph t;
    const node_id sum = t.call("onnx.Add", {t.input({1, 16, 2, 2}), t.random({1, 16, 1, 1})});
    const whole_region all(t.finish(t.call("onnx.Div", {sum, t.constant(tensor(element_type::float32, {16, 1, 1}))})));
    const auto read = simd::elementwise_entry::read_region(all.view());
    REQUIRE(read.has_value());
    REQUIRE(read->steps.size() == 2);
    CHECK(read->steps[0].what.what == simd::step::form::add);
    CHECK(read->steps[1].what.what == simd::step::form::divide);
}

TEST_CASE("what is no number stays none, and infinities go where the operators send them") {
    using limits = std::numeric_limits<float>;
    for (const std::string& isa : instruction_sets()) {
        CAPTURE(isa);
        cpu_simd self;
        self.isa = isa;
        const simd::kernel_table& table = *self.table();
        using form = simd::step::form;
        for (const form f : {form::relu, form::clip, form::hard_swish, form::elu, form::sigmoid, form::swish, form::tanh, form::gelu,
                             form::gelu_tanh, form::softplus, form::mish, form::exp, form::log, form::erf, form::maximum, form::minimum}) {
            CAPTURE(static_cast<int>(f));
            const float one = 1;
            const simd::step s{f, f == form::maximum || f == form::minimum ? simd::step::place::number : simd::step::place::none, -1, 1,
                               &one};
            std::vector<float> x(37, limits::quiet_NaN()), y(37);
            simd::chain_job j;
            j.x = x.data();
            j.y = y.data();
            j.count = x.size();
            j.steps = &s;
            j.step_count = 1;
            j.c_begin = y.data();
            table.chain(j);
            CHECK(std::all_of(y.begin(), y.end(), [](float v) { return v != v; }));
        }
        const auto at = [&](form f, float x) {
            const simd::step s{f, simd::step::place::none, 1, 1, nullptr};
            float y = 0;
            simd::chain_job j;
            j.x = &x;
            j.y = &y;
            j.count = 1;
            j.steps = &s;
            j.step_count = 1;
            j.c_begin = &y;
            table.chain(j);
            return y;
        };
        const float infinity = limits::infinity();
        CHECK(at(form::exp, infinity) == infinity);
        CHECK(at(form::exp, -infinity) == 0);
        CHECK(at(form::exp, 1000) == infinity);
        CHECK(at(form::exp, -1000) == 0);
        CHECK(at(form::log, 0) == -infinity);
        CHECK(at(form::log, infinity) == infinity);
        CHECK(at(form::log, -1) != at(form::log, -1));
        CHECK(at(form::tanh, infinity) == 1);
        CHECK(at(form::tanh, -infinity) == -1);
        CHECK(at(form::erf, infinity) == 1);
        CHECK(at(form::sigmoid, -infinity) == 0);
        CHECK(at(form::sigmoid, infinity) == 1);
        CHECK(at(form::softplus, 1000) == 1000);
        CHECK(at(form::exp, -100) > 0);
    }
}
