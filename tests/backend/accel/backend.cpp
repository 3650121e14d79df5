// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/backend.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../../codegen/c/run_compiled.hpp"

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

using list = backend_list<accel, portable_c>;

/// A second for all that nobody states but changes of layout: whatever the accelerator has, it gets.
struct dear {
    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        std::vector<measurement> made;
        for (const pricing_job& job : jobs) {
            const double sample[] = {job.what == pricing_job::subject::conversion ? 1e-6 : 1.0};
            made.push_back(measurement::of(sample));
        }
        return made;
    }
};
struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

template <class T>
tensor some_numbers(std::mt19937& random, const std::vector<std::int64_t>& extents, int low, int high) {
    std::int64_t count = 1;
    for (const std::int64_t e : extents) count *= e;
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<T>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1))));
    return tensor::of<T>(extents, values);
}

/// An image that is quantised, goes through some convolutions and a product, and comes back as floats.
ir_module quantised_network(std::uint32_t seed) {
    std::mt19937 random(seed);
    ir_builder b;
    b.open_block();
    std::int64_t channels = 1 + static_cast<std::int64_t>(random() % 5), side = 6 + static_cast<std::int64_t>(random() % 5);
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {1, channels, side, side}))};
    const bool is_unsigned = random() % 2 == 0;
    const auto zero_of = [&] {
        return b.constant(is_unsigned ? tensor::scalar(static_cast<std::uint8_t>(random() % 200))
                                      : tensor::scalar(static_cast<std::int8_t>(random() % 20)));
    };
    const auto scale = [&](float s) { return b.constant(tensor::scalar(s)); };
    node_id now_scale = scale(0.02f), now_zero = zero_of();
    node_id now = b.call("onnx.QuantizeLinear", {x[0], now_scale, now_zero});
    const node_id no_zero = b.constant(tensor::scalar(std::int8_t{0}));
    for (int i = 0; i < 2; ++i) {
        const std::int64_t filters = 1 + static_cast<std::int64_t>(random() % 9), taps = 1 + static_cast<std::int64_t>(random() % 3);
        const std::int64_t pad = static_cast<std::int64_t>(random() % 2), stride = 1 + static_cast<std::int64_t>(random() % 2);
        const node_id w = b.constant(some_numbers<std::int8_t>(random, {filters, channels, taps, taps}, -128, 127));
        const node_id bias = b.constant(some_numbers<std::int32_t>(random, {filters}, -900, 900));
        tensor scales(element_type::float32, {filters});
        for (float& s : scales.as<float>()) s = static_cast<float>(1 + random() % 30) / 4000;
        const node_id y_scale = scale(0.03f), y_zero = zero_of();
        now = b.call("onnx.QLinearConv", {now, now_scale, now_zero, w, b.constant(scales), no_zero, y_scale, y_zero, bias},
                     {{"pads", std::vector<std::int64_t>(4, pad)}, {"strides", std::vector<std::int64_t>(2, stride)}});
        side = (side + 2 * pad - taps) / stride + 1;
        now_scale = y_scale;
        now_zero = y_zero;
        channels = filters;
    }
    now = b.call("onnx.Flatten", {now});
    const std::int64_t depth = channels * side * side;
    const node_id matrix = b.constant(some_numbers<std::int8_t>(random, {depth, 7}, -128, 127)), y_scale = scale(0.5f), y_zero = zero_of();
    now = b.call("onnx.QLinearMatMul", {now, now_scale, now_zero, matrix, scale(0.01f), no_zero, y_scale, y_zero});
    const node_id results[] = {now, b.call("onnx.DequantizeLinear", {now, y_scale, y_zero})};
    b.declare(b.function(x, b.tuple(results), "main"));
    auto typed = infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    return *std::move(typed);
}

list machines(std::uint32_t seed) {
    accel a;
    a.rows = 1 + seed % 8;
    a.cols = 1 + seed / 3 % 8;
    a.dataflow = std::vector<std::string>{"ws", "os", "is"}[seed % 3];
    a.scratchpad = 4096;
    a.accumulator = 2048;
    return list(a, portable_c{});
}

plan planned(const ir_module& m, const list& backends) {
    dear meter;
    plan_options options;
    options.fallback = portable_c::kind;
    auto made = make_plan(m, backends, meter, no_bound(), options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

void check_same(const std::vector<tensor>& got, const std::vector<tensor>& meant) {
    REQUIRE(got.size() == meant.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        REQUIRE(got[i].bytes() == meant[i].bytes());
        CHECK(std::memcmp(got[i].data(), meant[i].data(), got[i].bytes()) == 0);
    }
}

}  // namespace

TEST_CASE("quantised networks on the accelerator give the interpreter's bytes, here and as one program in C [accel.bytes]") {
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        const ir_module m = quantised_network(seed);
        const list backends = machines(seed);
        const plan made = planned(m, backends);
        std::size_t layers = 0;
        for (const part& p : made.cut.parts)
            if (p.owner == 0) layers += p.nodes.size();
        CHECK(layers == 3);
        std::mt19937 random(seed);
        const tensor_type in = m.type(m.inputs()[0]).of_tensor;
        std::vector<tensor> inputs{tensor(element_type::float32, static_shape(in))};
        for (float& v : inputs[0].as<float>()) v = static_cast<float>(random() % 401) / 100 - 2;
        const auto meant = interpret(m, inputs);
        REQUIRE(meant);
        const auto linked = link(m, backends, made.set, made.cut);
        REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
        const auto got = linked->run(inputs);
        REQUIRE(got);
        check_same(*got, *meant);
        const auto program = emit_c_program(m, backends, made.set, made.cut, {.name = "net", .weights = c_weights::embedded});
        REQUIRE_MESSAGE(program.has_value(), program.failure().message);
        CHECK(program->headers.size() == 1);
        check_same(c_programs::run_compiled(*program, inputs, *meant), *meant);
    }
}

TEST_CASE("a machine of floats takes convolutions with what cuts them to a range [accel.floats]") {
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {1, 3, 6, 5}))};
    tensor weights(element_type::float32, {4, 3, 3, 3}), bias(element_type::float32, {4});
    float v = 0;
    for (tensor* t : {&weights, &bias})
        for (float& one : t->as<float>()) one = v = v > 0.8f ? v - 1.5f : v + 0.25f;
    const node_id y = b.call("onnx.Conv", {x[0], b.constant(weights), b.constant(bias)}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    b.declare(b.function(x, b.call("onnx.Relu", {y}), "main"));
    const auto m = infer_types(b.finish());
    REQUIRE(m);
    accel a;
    a.element = "float32";
    const list backends(a, portable_c{});
    const plan made = planned(*m, backends);
    REQUIRE(made.cut.parts.size() == 1);
    CHECK(made.cut.parts[0].owner == 0);
    std::vector<tensor> inputs{tensor(element_type::float32, {1, 3, 6, 5})};
    for (float& one : inputs[0].as<float>()) one = v = v > 0.8f ? v - 1.5f : v + 0.25f;
    const auto linked = link(*m, backends, made.set, made.cut);
    REQUIRE(linked);
    const auto got = linked->run(inputs), meant = interpret(*m, inputs);
    REQUIRE(got);
    CHECK(compare((*got)[0], (*meant)[0], 1e-5, 1e-5).agrees);
}

TEST_CASE("the price is the cycles of the model, and no tiling beats the one that is run [accel.price]") {
    const ir_module m = quantised_network(1);
    const list backends = machines(1);
    const plan made = planned(m, backends);
    for (std::size_t c = 0; c < made.set.candidates.size(); ++c) {
        if (made.set.candidates[c].backend != 0) continue;
        backends.visit(0, [&]<class B>(const B& b) {
            if constexpr (std::same_as<B, accel>) {
                const auto plan = b.plan(made.set.candidates[c].view());
                REQUIRE(plan);
                CHECK(*b.price(made.set.candidates[c].view()) == doctest::Approx(static_cast<double>(plan->timeline.total) * 1e-9));
                CHECK(plan->timeline.total == plan->chosen.cycles);
                CHECK(plan->does.macs == plan->what.macs());
            }
        });
    }
}

TEST_CASE("what the machine has not is told in one sentence [accel.refused]") {
    accel a;
    a.rows = 1000;
    CHECK(a.usable().failure().message == "option '-rows' of target 'accel' takes 1 to 256, not 1000");
    a = {};
    a.dataflow = "rs";
    CHECK(a.usable().failure().message == "option '-dataflow' of target 'accel' takes ws, os or is, not 'rs'");
    a = {};
    a.scratchpad = 1024;
    a.rows = a.cols = 64;
    ir_builder b;
    b.open_block();
    std::mt19937 random(1);
    const node_id x[] = {b.input("x", tensor_type(element_type::int8, {4, 64}))};
    const node_id s = b.constant(tensor::scalar(0.5f)), z = b.constant(tensor::scalar(std::int8_t{0}));
    const auto product = [&](const tensor& w, node_id zero) {
        return b.call("onnx.QLinearMatMul", {x[0], s, z, b.constant(w), s, zero, s, z});
    };
    const node_id large = product(some_numbers<std::int8_t>(random, {64, 64}, -9, 9), z);
    const node_id moved = product(some_numbers<std::int8_t>(random, {64, 64}, -9, 9), b.constant(tensor::scalar(std::int8_t{3})));
    const node_id results[] = {large, moved};
    b.declare(b.function(x, b.tuple(results), "main"));
    const auto m = infer_types(b.finish());
    REQUIRE(m);
    const list backends(a, portable_c{});
    const auto set = enumerate(*m, backends);
    std::string told;
    for (const refusal& r : set.refusals)
        if (r.backend == 0) told += r.reason + "\n";
    CHECK(told.find("no tile of the layer fits: one place of 64 output channels needs") != std::string::npos);
    CHECK(told.find("only weights whose zero point is 0 are computed") != std::string::npos);
}
