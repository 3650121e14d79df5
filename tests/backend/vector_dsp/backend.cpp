// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/backend.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../../codegen/c/run_compiled.hpp"

#include <inlay/backend/accel/backend.hpp>
#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/codegen/c/emit_c_program.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {

using both_accelerators = backend_list<accel, vector_dsp, portable_c>;

/// A second for all that nobody states but changes of layout: whatever an accelerator has, it gets.
struct dear_cpu {
    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        std::vector<measurement> made;
        for (const pricing_job& job : jobs) {
            const double sample[] = {job.what == pricing_job::subject::conversion ? 1e-6 : 1.0};
            made.push_back(measurement::of(sample));
        }
        return made;
    }
};
struct no_bounds {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

template <class T>
tensor random_numbers(std::mt19937& random, const std::vector<std::int64_t>& extents, int low, int high) {
    tensor made(element_type_of<T>, extents);
    for (T& v : made.as<T>()) v = static_cast<T>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
    return made;
}

/// Quantised: a depthwise convolution, a convolution of one place, a sum of both and a pooling.
ir_module quantised_block(std::uint32_t seed) {
    std::mt19937 random(seed);
    ir_builder b;
    b.open_block();
    const std::int64_t channels = 1 + static_cast<std::int64_t>(random() % 40), side = 5 + static_cast<std::int64_t>(random() % 5);
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {1, channels, side, side}))};
    const bool is_unsigned = random() % 2 == 0;
    const auto zero_of = [&] {
        return b.constant(is_unsigned ? tensor::scalar(static_cast<std::uint8_t>(random() % 200))
                                      : tensor::scalar(static_cast<std::int8_t>(random() % 20)));
    };
    const auto scale = [&](float s) { return b.constant(tensor::scalar(s)); };
    const node_id no_zero = b.constant(tensor::scalar(std::int8_t{0})), x_scale = scale(0.02f), x_zero = zero_of();
    const node_id in = b.call("onnx.QuantizeLinear", {x[0], x_scale, x_zero});
    const auto convolution = [&](node_id from, node_id from_scale, node_id from_zero, std::int64_t inner, std::int64_t taps,
                                 node_id y_scale, node_id y_zero) {
        const node_id w = b.constant(random_numbers<std::int8_t>(random, {channels, inner, taps, taps}, -128, 127));
        const node_id bias = b.constant(random_numbers<std::int32_t>(random, {channels}, -900, 900));
        tensor scales(element_type::float32, {channels});
        for (float& s : scales.as<float>()) s = static_cast<float>(1 + random() % 30) / 2000;
        return b.call("onnx.QLinearConv", {from, from_scale, from_zero, w, b.constant(scales), no_zero, y_scale, y_zero, bias},
                      {{"pads", std::vector<std::int64_t>(4, taps / 2)}, {"group", inner == 1 ? channels : std::int64_t{1}}});
    };
    const node_id s1 = scale(0.03f), z1 = zero_of(), s2 = scale(0.05f), z2 = zero_of(), s3 = scale(0.06f), z3 = zero_of();
    const node_id deep = convolution(in, x_scale, x_zero, 1, 3, s1, z1);
    const node_id mixed = convolution(deep, s1, z1, channels, 1, s2, z2);
    const node_id sum =
        b.call("onnx.Add", {b.call("onnx.DequantizeLinear", {mixed, s2, z2}), b.call("onnx.DequantizeLinear", {in, x_scale, x_zero})});
    const node_id back = b.call("onnx.QuantizeLinear", {random() % 2 == 0 ? b.call("onnx.Relu", {sum}) : sum, s3, z3});
    const node_id pooled = b.call("onnx.MaxPool", {back},
                                  {{"kernel_shape", std::vector<std::int64_t>{3, 3}},
                                   {"strides", std::vector<std::int64_t>{2, 2}},
                                   {"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    const node_id results[] = {pooled, deep};
    b.declare(b.function(x, b.tuple(results), "main"));
    auto typed = infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    return *std::move(typed);
}

both_accelerators two_machines(std::uint32_t seed) {
    vector_dsp d;
    d.lanes = 16 << seed % 3;
    d.memory = 16 << 10;
    d.double_buffering = seed % 2 == 0;
    return both_accelerators(accel{}, d, portable_c{});
}

plan plan_of_both(const ir_module& m, const both_accelerators& backends) {
    dear_cpu meter;
    plan_options options;
    options.fallback = portable_c::kind;
    auto made = make_plan(m, backends, meter, no_bounds(), options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

std::size_t parts_of(const plan& p, std::size_t owner) {
    std::size_t count = 0;
    for (const part& one : p.cut.parts)
        if (one.owner == owner) count += one.composites.size();
    return count;
}

}  // namespace

TEST_CASE("two accelerators share a quantised network and give the interpreter's bytes, here and as one program in C [vector_dsp.bytes]") {
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        const ir_module m = quantised_block(seed);
        const both_accelerators backends = two_machines(seed);
        const plan made = plan_of_both(m, backends);
        CHECK(parts_of(made, 1) == 3);
        CHECK(parts_of(made, 0) == 1);
        std::mt19937 random(seed);
        std::vector<tensor> inputs{tensor(element_type::float32, static_shape(m.type(m.inputs()[0]).of_tensor))};
        for (float& v : inputs[0].as<float>()) v = static_cast<float>(random() % 401) / 100 - 2;
        const auto meant = interpret(m, inputs);
        REQUIRE(meant);
        const auto same = [&](const std::vector<tensor>& got) {
            REQUIRE(got.size() == meant->size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                REQUIRE(got[i].bytes() == (*meant)[i].bytes());
                CHECK(std::memcmp(got[i].data(), (*meant)[i].data(), got[i].bytes()) == 0);
            }
        };
        const auto linked = link(m, backends, made.set, made.cut);
        REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
        const auto got = linked->run(inputs);
        REQUIRE(got);
        same(*got);
        const auto program = emit_c_program(m, backends, made.set, made.cut, {.name = "net", .weights = c_weights::embedded});
        REQUIRE_MESSAGE(program.has_value(), program.failure().message);
        CHECK(program->headers.size() == 2);
        same(c_programs::run_compiled(*program, inputs, *meant));
    }
}

TEST_CASE("floats: depthwise convolutions, poolings and sums agree with the interpreter, here and in C [vector_dsp.floats]") {
    std::mt19937 random(5);
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {2, 20, 9, 7}))};
    tensor weights(element_type::float32, {20, 1, 3, 3}), bias(element_type::float32, {20});
    for (tensor* t : {&weights, &bias})
        for (float& one : t->as<float>()) one = static_cast<float>(random() % 2001) / 1000 - 1;
    const node_id deep = b.call("onnx.Relu", {b.call("onnx.Conv", {x[0], b.constant(weights), b.constant(bias)},
                                                     {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}, {"group", std::int64_t{20}}})});
    const node_id greatest =
        b.call("onnx.MaxPool", {b.call("onnx.Mul", {deep, x[0]})}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
    const node_id results[] = {b.call("onnx.GlobalAveragePool", {greatest}),
                               b.call("onnx.AveragePool", {deep}, {{"kernel_shape", std::vector<std::int64_t>{3, 2}}})};
    b.declare(b.function(x, b.tuple(results), "main"));
    const auto m = infer_types(b.finish());
    REQUIRE(m);
    const both_accelerators backends = two_machines(1);
    const plan made = plan_of_both(*m, backends);
    CHECK(parts_of(made, 1) == 5);
    CHECK(parts_of(made, 2) == 0);
    std::vector<tensor> inputs{tensor(element_type::float32, {2, 20, 9, 7})};
    for (float& one : inputs[0].as<float>()) one = static_cast<float>(random() % 2001) / 1000 - 1;
    const auto meant = interpret(*m, inputs);
    const auto linked = link(*m, backends, made.set, made.cut);
    REQUIRE(linked);
    const auto got = linked->run(inputs);
    REQUIRE(got);
    const auto program = emit_c_program(*m, backends, made.set, made.cut, {.name = "net", .weights = c_weights::embedded});
    REQUIRE_MESSAGE(program.has_value(), program.failure().message);
    const auto in_c = c_programs::run_compiled(*program, inputs, *meant);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(compare((*got)[i], (*meant)[i], 1e-5, 1e-5).agrees);
        CHECK(compare(in_c[i], (*meant)[i], 1e-5, 1e-5).agrees);
    }
}

TEST_CASE("the price is the cycles of the program that is run, taken apart [vector_dsp.price]") {
    const ir_module m = quantised_block(2);
    const both_accelerators backends = two_machines(2);
    const plan made = plan_of_both(m, backends);
    std::size_t seen = 0;
    for (const candidate& c : made.set.candidates) {
        if (c.backend != 1) continue;
        backends.visit(1, [&]<class B>(const B& b) {
            if constexpr (std::same_as<B, vector_dsp>) {
                const auto plan = b.plan(c.view());
                const auto apart = b.price_apart(c.view());
                REQUIRE(plan);
                REQUIRE(apart);
                CHECK(*b.price(c.view()) == doctest::Approx(static_cast<double>(plan->timeline.total) * 1e-9));
                CHECK(plan->timeline.total == plan->chosen.cycles);
                CHECK(apart->macs == plan->read.what.operations());
                CHECK(apart->cycles == plan->timeline.total);
                CHECK(apart->utilization() < 1);
                CHECK(apart->bytes[0].second >= plan->read.what.in_bytes() + plan->read.what.out_bytes());
                ++seen;
            }
        });
    }
    CHECK(seen > 2);
}

TEST_CASE("what the processor has not is told in one sentence [vector_dsp.refused]") {
    vector_dsp d;
    d.lanes = 2;
    CHECK(d.usable().failure().message == "option '-lanes' of target 'vector_dsp' takes 4 to 4096, not 2");
    d = {};
    d.lanes = 256;  // whole vectors of everything
    d.memory = 1024;
    const auto set = enumerate(quantised_block(1), both_accelerators(accel{}, d, portable_c{}));
    std::string told;
    for (const refusal& r : set.refusals)
        if (r.backend == 1) told += r.reason + "\n";
    CHECK(told.find("no strip of the layer fits: one row of") != std::string::npos);
    CHECK(told.find("the processor has a window for each channel alone; group is 1") != std::string::npos);
}
