// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/quantized_product.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take_bytes.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

tensor scales(picker& pick, std::int64_t count, float of) {
    tensor t(element_type::float32, count == 0 ? extents{} : extents{count});
    for (float& s : t.as<float>()) s = of * static_cast<float>(pick(1, 40)) / 20;
    return t;
}

/// A quantised product over an input of a program, and numbers for it.
struct layer {
    ir_module program;
    tensor input;
};

/// What surrounds a product: types of bytes, zero points, and the weights' own.
struct surroundings {
    bool x_signed, y_signed, w_signed, w_centred;

    explicit surroundings(picker& pick)
        : x_signed(pick(0, 1) == 0), y_signed(pick(0, 1) == 0), w_signed(pick(0, 2) != 0), w_centred(w_signed && pick(0, 2) != 0) {}
};

layer of(picker& pick, small_graph& t, const surroundings& s, const extents& x, const extents& w, std::int64_t filters, std::int64_t depth,
         bool is_convolution, const attribute_map& attributes) {
    const bool per_channel = pick(0, 1) == 0;
    const float factor = 1.0f / (16 * static_cast<float>(depth));
    const node_id in = t.input_of(tensor_type(s.x_signed ? element_type::int8 : element_type::uint8, shape(x.begin(), x.end())));
    const tensor w_zero =
        s.w_centred ? tensor::scalar(std::int8_t{0}) : some_bytes(pick, per_channel ? extents{filters} : extents{}, s.w_signed);
    std::vector<node_id> operands{in,
                                  t.constant(scales(pick, 0, 1)),
                                  t.constant(some_bytes(pick, {}, s.x_signed)),
                                  t.constant(some_bytes(pick, w, s.w_signed)),
                                  t.constant(scales(pick, per_channel ? filters : 0, factor)),
                                  t.constant(w_zero),
                                  t.constant(scales(pick, 0, 1)),
                                  t.constant(some_bytes(pick, {}, s.y_signed))};
    if (is_convolution && pick(0, 1) == 0) {
        tensor bias(element_type::int32, {filters});
        for (std::int32_t& b : bias.as<std::int32_t>()) b = static_cast<std::int32_t>(pick(-2000, 2000) * depth);
        operands.push_back(t.constant(bias));
    }
    const node_id y = t.call_on(is_convolution ? "onnx.QLinearConv" : "onnx.QLinearMatMul", operands, attributes);
    return {t.finish(y), some_bytes(pick, x, s.x_signed)};
}

/// A convolution over an image of two axes, or of one.
layer some_convolution(picker& pick, small_graph& t) {
    const surroundings s(pick);
    const std::int64_t groups = pick(0, 3) == 0 ? pick(2, 3) : 1, channels = pick(1, 9),
                       filters = groups * pick(1, pick(0, 3) == 0 ? 70 : 20);
    const std::size_t axes = pick(0, 4) == 0 ? 1 : 2;
    extents x{pick(1, 2), groups * channels}, w{filters, channels}, strides, dilations, pads, after;
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t taps = pick(0, 2) == 0 ? 1 : pick(1, 4), dilation = pick(1, 2), before = pick(0, 2), behind = pick(0, 2);
        w.push_back(taps);
        x.push_back(std::max<std::int64_t>((taps - 1) * dilation + 1 - before - behind, 1) + pick(0, 14));
        strides.push_back(pick(1, 3));
        dilations.push_back(dilation);
        pads.push_back(before);
        after.push_back(behind);
    }
    pads.insert(pads.end(), after.begin(), after.end());
    std::int64_t depth = channels;
    for (std::size_t i = 2; i < w.size(); ++i) depth *= w[i];
    return of(pick, t, s, x, w, filters, depth, true, {{"group", groups}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}});
}

layer some_product(picker& pick, small_graph& t) {
    const std::int64_t depth = pick(1, 90), columns = pick(1, 150);
    extents x{pick(1, 40), depth};
    if (pick(0, 2) == 0) x.insert(x.begin(), pick(1, 3));
    return of(pick, t, surroundings(pick), x, {depth, columns}, columns, depth, false, {});
}

/// Runs a layer with each instruction set, and where words of four numbers are taken with words of two as well. How many kernels were run.
std::size_t check(const layer& l) {
    std::size_t kernels = expect_bytes(l.program, {l.input});
    const tensor meant = interpreted_bytes(l.program, {l.input});
    const auto* first = reinterpret_cast<const std::uint8_t*>(meant.data());
    for (const std::string& isa : instruction_sets()) {
        if (!processor_has_byte_quads(isa == "avx2" ? instruction_set::avx2 : instruction_set::avx512)) continue;
        if (isa != "avx2" && isa != "avx512") continue;
        CAPTURE(isa);
        cpu_simd self;
        self.isa = isa;
        const sized_match match = largest_match(self, l.program);
        REQUIRE(match.ways.size() == 1);
        const auto read = detail::quantized_layer::read(match.ways[0].view());
        REQUIRE(read.has_value());
        const auto in_pairs = simd::quantized_product_entry::made(*self.table(), false, *read, nullptr);
        REQUIRE(in_pairs.has_value());
        CHECK(run_bytes(kernel(*in_pairs, in_pairs->workspace()), match.ways[0], {l.input}, meant) ==
              std::vector<std::uint8_t>(first, first + meant.bytes()));
        ++kernels;
    }
    return kernels;
}

}  // namespace

TEST_CASE("quantised convolutions give the interpreter's bytes") {
    std::size_t kernels = 0;
    for (unsigned seed = 1; seed <= 120; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        small_graph t(seed);
        kernels += check(some_convolution(pick, t));
    }
    CHECK(kernels >= 120);
}

TEST_CASE("quantised convolutions whose channels are not mixed give the interpreter's bytes") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        small_graph t(seed);
        const std::int64_t channels = pick(0, 2) == 0 ? pick(50, 100) : pick(2, 40), taps = pick(1, 4), stride = pick(1, 2),
                           dilation = pick(1, 2);
        const extents pads{pick(0, 2), pick(0, 2), pick(0, 2), pick(0, 2)};
        const std::int64_t height = std::max<std::int64_t>((taps - 1) * dilation + 1 - pads[0] - pads[2], 1) + pick(0, 9),
                           width = std::max<std::int64_t>(2 * dilation + 1 - pads[1] - pads[3], 1) + pick(0, 9);
        (void)check(
            of(pick, t, surroundings(pick), {pick(1, 2), channels, height, width}, {channels, 1, taps, 3}, channels, 3 * taps, true,
               {{"group", channels}, {"pads", pads}, {"strides", extents{stride, stride}}, {"dilations", extents{dilation, dilation}}}));
    }
}

TEST_CASE("quantised products give the interpreter's bytes") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        small_graph t(seed);
        (void)check(some_product(pick, t));
    }
}

TEST_CASE("rows that are longer than what is written in one go are written whole") {
    for (const std::int64_t width : {255, 257, 600}) {
        CAPTURE(width);
        picker pick{std::mt19937(static_cast<unsigned>(width))};
        small_graph t;
        (void)check(of(pick, t, surroundings(pick), {1, 3, 2, width}, {18, 3, 3, 3}, 18, 27, true, {{"pads", extents{1, 1, 1, 1}}}));
        small_graph u;
        (void)check(of(pick, u, surroundings(pick), {width, 33}, {33, 20}, 20, 33, false, {}));
    }
}

TEST_CASE("sums wrap as the definition's do, and what is beyond the bytes is cut to them") {
    for (const float scale : {1e-9f, 1.0f, 3e38f}) {
        CAPTURE(scale);
        small_graph t;
        const node_id x = t.input_of(tensor_type(element_type::uint8, {2, 8}));
        tensor w(element_type::int8, {8, 5}), input(element_type::uint8, {2, 8}), bias(element_type::int32, {5});
        std::fill(w.as<std::int8_t>().begin(), w.as<std::int8_t>().end(), std::int8_t{127});
        std::fill(input.as<std::uint8_t>().begin(), input.as<std::uint8_t>().end(), std::uint8_t{255});
        (void)check({t.finish(t.call("onnx.QLinearMatMul", {x, t.scalar(1), t.constant(tensor::scalar(std::uint8_t{0})), t.constant(w),
                                                            t.scalar(scale), t.constant(tensor::scalar(std::int8_t{0})), t.scalar(1),
                                                            t.constant(tensor::scalar(std::int8_t{-7}))})),
                     input});
    }
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::uint8, {1, 8, 1, 1}));
    tensor w(element_type::int8, {3, 8, 1, 1}), input(element_type::uint8, {1, 8, 1, 1}), bias(element_type::int32, {3});
    std::fill(w.as<std::int8_t>().begin(), w.as<std::int8_t>().end(), std::int8_t{127});
    std::fill(input.as<std::uint8_t>().begin(), input.as<std::uint8_t>().end(), std::uint8_t{255});
    std::fill(bias.as<std::int32_t>().begin(), bias.as<std::int32_t>().end(), std::numeric_limits<std::int32_t>::max());
    (void)check({t.finish(t.call("onnx.QLinearConv", {x, t.scalar(1), t.constant(tensor::scalar(std::uint8_t{3})), t.constant(w),
                                                      t.scalar(4e-8f), t.constant(tensor::scalar(std::int8_t{0})), t.scalar(1),
                                                      t.constant(tensor::scalar(std::int8_t{0})), t.constant(bias)})),
                 input});
}

TEST_CASE("weights are packed once for kernels that share a store") {
    weight_store store;
    cpu_simd self;
    self.weights = &store;
    picker pick{std::mt19937(5)};
    small_graph t;
    const layer l = of(pick, t, surroundings(pick), {4, 30}, {30, 40}, 40, 30, false, {});
    for (int times = 0; times < 2; ++times) {
        const sized_match match = largest_match(self, l.program);
        REQUIRE(match.ways.size() == 1);
        const candidate& c = match.ways.front();
        REQUIRE(emit_composite(self, {c.composite, &c.match->plan, c.view()}));
        CHECK(store.count() == 1);
    }
}

TEST_CASE("what is no such layer is refused with its reason") {
    small_graph t;
    const node_id x = t.input_of(tensor_type(element_type::uint8, {2, 8})), zero = t.constant(tensor::scalar(std::uint8_t{0}));
    const node_id w = t.input_of(tensor_type(element_type::uint8, {8, 3}));
    CHECK(why_not(t.finish(t.call("onnx.QLinearMatMul", {x, t.scalar(1), zero, w, t.scalar(1), zero, t.scalar(1), zero}))) ==
          "it reads other tensors than one, or its weights are computed");
    small_graph u;
    const node_id y = u.input_of(tensor_type(element_type::uint8, {2, 2, 8})), none = u.constant(tensor::scalar(std::uint8_t{0}));
    tensor several(element_type::uint8, {2, 8, 3});
    CHECK(why_not(u.finish(u.call("onnx.QLinearMatMul", {y, u.scalar(1), none, u.constant(several), u.scalar(1), none, u.scalar(1),
                                                         none}))) == "rows are multiplied by one matrix of weights, not by several");
    small_graph v;
    const node_id z = v.input_of(tensor_type(element_type::uint8, {2, 8})), nought = v.constant(tensor::scalar(std::uint8_t{0}));
    tensor one(element_type::uint8, {8, 3});
    CHECK(why_not(v.finish(v.call("onnx.QLinearMatMul", {z, v.scalar(1), nought, v.constant(one), v.scalar(1), nought, v.scalar(0),
                                                         nought}))) == "the scale of output channel 0 is not finite");
}
