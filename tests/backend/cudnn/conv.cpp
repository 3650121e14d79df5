// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/conv.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/cudnn/backend.hpp>

#include "read_whole.hpp"

using namespace inlay;
using namespace cudnn_test;

namespace {

using whole = detail::cudnn_conv<false>;

/// What cuDNN makes of a plan, on the processor.
struct played_convolution {
    detail::convolution_layout layout;
    tensor weights, bias, added;
    std::optional<value_id> addend;
    std::size_t x = 0;
    bool has_relu = false;

    played_convolution(const whole::plan& p, const region_view& r)
        : layout(p.layout),
          weights(tensor::of<float>(p.convolution.weights->extents(), p.convolution.scaled_weights())),
          bias(whole::bias_of(p.convolution)),
          addend(p.addend),
          x(p.convolution.x),
          has_relu(p.has_relu) {
        if (addend && r[*addend].kind == region_value::role::constant) added = *r[*addend].value;
    }

    bool run(const run_arguments& a) const {
        const auto* const from = static_cast<const float*>(a.inputs[x]);
        auto* const to = static_cast<float*>(a.results[0]);
        const float* z = nullptr;
        if (addend) z = added.count() > 0 ? added.as<float>().data() : static_cast<const float*>(a.inputs[*addend]);
        const int places = spatial_places(layout.x), inner = layout.weights.extents[1], in = layout.x.extents[1], out = layout.y.extents[1];
        int window = 1;
        for (const int n : layout.window.kernel) window *= n;
        for_each_place(layout.y.extents, [&](int number, const std::vector<int>& y) {
            double sum = static_cast<double>(bias.as<float>()[static_cast<std::size_t>(y[1])]);
            for_each_place(layout.window.kernel, [&](int k, const std::vector<int>& in_window) {
                const int at = read_at(layout.window, layout.x, y, in_window);
                if (at < 0) return;
                for (int c = 0; c < inner; ++c) {
                    const int channel = y[1] / (out / layout.groups) * inner + c;
                    sum += static_cast<double>(from[(y[0] * in + channel) * places + at]) *
                           static_cast<double>(weights.as<float>()[static_cast<std::size_t>((y[1] * inner + c) * window + k)]);
                }
            });
            if (z != nullptr) sum += static_cast<double>(z[number]);
            to[number] = static_cast<float>(has_relu ? std::max(sum, 0.0) : sum);
        });
        return true;
    }
};

read_match<whole::plan> read(const ir_module& g) {
    return read_whole<whole>(g, [](const whole::plan& p, const region_view& r) { return played_convolution(p, r); });
}

}  // namespace

TEST_CASE("random convolutions of one to three axes, in groups, with what follows, are what their layouts say") {
    std::size_t taken = 0, uneven = 0;
    for (unsigned seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t groups = pick(1, 3), in = groups * pick(1, 3), out = groups * pick(1, 3), axes = pick(1, 3);
        extents x{pick(1, 2), in}, w{out, in / groups}, pads, strides, dilations;
        for (std::int64_t i = 0; i < axes; ++i) {
            w.push_back(pick(1, 3));
            strides.push_back(pick(1, 3));
            dilations.push_back(pick(1, 2));
            x.push_back(pick(5, 8));
        }
        for (std::int64_t i = 0; i < axes; ++i) pads.push_back(pick(0, 2));
        for (std::int64_t i = 0; i < axes; ++i) pads.push_back(pick(0, 2) == 0 ? pick(0, 2) : pads[static_cast<std::size_t>(i)]);
        small_graph t(seed);
        node_id y = t.call("onnx.Conv", {t.input(x), t.random(w), pick(0, 1) == 0 ? t.random({out}) : t.absent()},
                           {{"group", groups}, {"pads", pads}, {"strides", strides}, {"dilations", dilations}});
        extents result{x[0], out};
        for (std::size_t i = 0; i < static_cast<std::size_t>(axes); ++i)
            result.push_back(
                (x[i + 2] + pads[i] + pads[i + static_cast<std::size_t>(axes)] - (w[i + 2] - 1) * dilations[i] - 1) / strides[i] + 1);
        if (pick(0, 2) == 0) y = t.normalized(y, out);
        if (pick(0, 2) == 0) y = t.call("onnx.Add", {t.input(result), y});
        if (pick(0, 1) == 0) y = t.call("onnx.Relu", {y});
        const auto m = read(t.finish(y));
        if (m.refusal.empty()) {
            ++taken;
            CHECK(m.worst < 3e-6);
        } else {
            ++uneven;
            CHECK(m.refusal.find("where cuDNN has one number for both") != std::string::npos);
        }
    }
    CHECK(taken > 60);
    CHECK(uneven > 10);
}

TEST_CASE("what the library does not compute so is refused, with the reason") {
    const auto refused = [](auto&& behind) {
        small_graph t;
        return read(t.finish(behind(t, t.call("onnx.Conv", {t.input({1, 4, 5, 5}), t.random({8, 4, 3, 3})})))).refusal;
    };
    CHECK(refused([](small_graph& t, node_id y) { return t.call("onnx.Sigmoid", {y}); }) ==
          "onnx.Sigmoid behind the convolution is not Relu, the one function that is asked of cuDNN there");
    CHECK(refused([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {t.call("onnx.Relu", {y}), t.input({1, 8, 3, 3})});
          }) == "onnx.Add behind a Relu is no part of cuDNN's convolution");
    CHECK(refused([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {y, t.input({1, 1, 3, 3})});
          }) == "what is added to the convolution, of type float32[1,1,3,3], is not like its result");
    CHECK(refused([](small_graph& t, node_id y) {
              return t.call("onnx.Mul", {y, t.input({1, 8, 3, 3})});
          }) == "onnx.Mul behind the convolution is no part of cuDNN's");
    CHECK(refused([](small_graph& t, node_id y) {
              return t.call("onnx.Add", {t.call("onnx.Add", {y, t.input({1, 8, 3, 3})}), t.input({1, 8, 3, 3})});
          }) == "cuDNN adds one tensor to a convolution, and there are two");
    small_graph t;
    CHECK(read(t.finish(t.call("onnx.ConvTranspose", {t.input({1, 4, 5, 5}), t.random({4, 8, 3, 3})}))).refusal ==
          "a transposed convolution is not asked of cuDNN");
}

TEST_CASE("a convolution that ends in a Relu has two forms, of which the model finds one call cheaper; any other has one") {
    cudnn b;
    b.model = true;
    b.arch = "sm_80";
    small_graph t;
    const node_id y = t.call("onnx.Conv", {t.input({1, 4, 5, 5}), t.random({8, 4, 3, 3}), t.random({8})});
    const ir_module with_relu = t.finish(t.call("onnx.Relu", {y}));
    const sized_match two = largest_match(b, with_relu);
    REQUIRE(two.ways.size() == 2);
    CHECK(two.nodes.size() == 2);
    const backend_vtable& table = backend_vtable_of<cudnn>();
    const auto price = [&](const candidate& c) { return **table[c.composite].price(&b, c.match->plan, c.view()); };
    CHECK(two.ways[0].name == "convolution");
    CHECK(two.ways[1].name == "convolution_in_calls");
    CHECK(price(two.ways[1]) > price(two.ways[0]) + 2 * 5e-6);
    small_graph s;
    const ir_module alone = s.finish(s.call("onnx.Conv", {s.input({1, 4, 5, 5}), s.random({8, 4, 3, 3})}));
    const sized_match one = largest_match(b, alone);
    REQUIRE(one.ways.size() == 1);
    CHECK(one.ways[0].name == "convolution_in_calls");
}
