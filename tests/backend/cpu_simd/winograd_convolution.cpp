// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/winograd_convolution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <inlay/core/buffer.hpp>

#include "take.hpp"

using namespace inlay;
using namespace inlay::simd;
using namespace cpu_simd_test;

TEST_CASE("a window that picks the middle is the transform of nothing but its place") {
    // A filter of one 1 in the middle: G g G^T is the outer product of G's second column with itself.
    const std::array<double, 36> u = winograd_filter<4>({0, 0, 0, 0, 1, 0, 0, 0, 0});
    const double column[6] = {0, -1.0 / 6, 1.0 / 6, 1.0 / 12, -1.0 / 12, 0};
    for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t c = 0; c < 6; ++c) CHECK(u[r * 6 + c] == doctest::Approx(column[r] * column[c]));
    const std::array<double, 16> v = winograd_filter<2>({0, 0, 0, 0, 1, 0, 0, 0, 0});
    const double shorter[4] = {0, 0.5, -0.5, 0};
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c) CHECK(v[r * 4 + c] == doctest::Approx(shorter[r] * shorter[c]));
}

TEST_CASE("squares of 2 x 2 results are for images whose weights cost more than their results") {
    CHECK(winograd_squares(7, 9, 4) == 6);
    CHECK(winograd_squares(7, 9, 2) == 20);
    CHECK(winograd_2x2_may_win(1, 7, 7));
    CHECK(winograd_2x2_may_win(1, 14, 14));
    CHECK(winograd_2x2_may_win(100, 2, 200));  // half of each square of 4 x 4 would lie outside
    CHECK_FALSE(winograd_2x2_may_win(4, 14, 14));
    CHECK_FALSE(winograd_2x2_may_win(1, 28, 28));
    CHECK_FALSE(winograd_2x2_may_win(1, 56, 56));
}

TEST_CASE("what is no number, or infinite, reaches the squares that read it and changes nothing beyond them") {
    constexpr std::int64_t side = 14, channels = 16, at = 1;
    small_graph t;
    const ir_module g = t.finish(
        t.call("onnx.Conv", {t.input({1, channels, side, side}), t.random({channels, channels, 3, 3})}, {{"pads", extents{1, 1, 1, 1}}}));
    std::size_t forms = 0;
    for (const std::string& isa : instruction_sets()) {
        CAPTURE(isa);
        cpu_simd self;
        self.isa = isa;
        const sized_match best = largest_match(self, g);
        for (const candidate& c : best.ways) {
            if (c.name == "convolution" || c.formats.inputs[0].order.kind != layout::form::channels_last) continue;
            ++forms;
            const std::int64_t square = c.name == "convolution_winograd" ? 4 : 2;
            const auto k = emit_composite(self, {c.composite, &c.match->plan, c.view()});
            REQUIRE(k.has_value());
            const auto run = [&](float first) {
                buffer in(side * side * channels * sizeof(float)), out(in.size()), workspace(k->workspace_bytes);
                auto* x = reinterpret_cast<float*>(in.data());
                for (std::size_t i = 0; i < in.size() / sizeof(float); ++i) x[i] = static_cast<float>(i % 13) - 6;
                x[(at * side + at) * channels] = first;
                const void* from[] = {x};
                void* to[] = {out.data()};
                run_arguments a;
                a.inputs = from;
                a.results = to;
                a.workspace = workspace.data();
                CHECK((*k)(a));
                return out;
            };
            const buffer finite = run(1);
            for_each_special([&](float special) {
                const buffer spoilt = run(special);
                std::size_t changed_beyond = 0, finite_within = 0;
                for (std::int64_t i = 0; i < side * side * channels; ++i) {
                    const std::int64_t row = i / channels / side, column = i / channels % side, away = std::max(row, column) - at;
                    const float before = reinterpret_cast<const float*>(finite.data())[i],
                                now = reinterpret_cast<const float*>(spoilt.data())[i];
                    changed_beyond += away > square + 1 && before != now;
                    finite_within += away <= 1 && std::isfinite(now);
                }
                CHECK(changed_beyond == 0);
                CHECK(finite_within == 0);
            });
        }
    }
    CHECK(forms == 2 * instruction_sets().size());
}

TEST_CASE("both sizes of squares agree with the definition on images of every small extent, 2 x 2 results closer") {
    std::mt19937 random(2);
    double worst[2] = {0, 0};
    const auto note = [&](const taken& got) {
        for (const taken_way& w : got.ways) {
            if (w.composite == "convolution_winograd") worst[0] = std::max(worst[0], w.worst);
            if (w.composite == "convolution_winograd_2x2") worst[1] = std::max(worst[1], w.worst);
        }
        CHECK(worst[0] < 1e-4);
        CHECK(worst[1] < 1e-5);
    };
    for (std::int64_t rows = 1; rows <= 9; ++rows)
        for (std::int64_t columns = rows % 3 + 1; columns <= 9; columns += 3) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto pick = [&](std::int64_t low, std::int64_t high) {
                return std::uniform_int_distribution<std::int64_t>(low, high)(random);
            };
            const std::int64_t images = pick(1, 2), in = pick(16, 48), out = pick(16, 48);
            small_graph t(static_cast<unsigned>(rows * 10 + columns));
            node_id y = t.call("onnx.Conv", {t.input({images, in, rows + 1, columns}), t.random({out, in, 3, 3}), t.random({out})},
                               {{"pads", extents{0, 1, 1, 1}}});
            std::size_t nodes = 1;
            if (pick(0, 1) == 0) y = t.call("onnx.Add", {y, t.input({images, out, rows, columns})}), ++nodes;
            if (pick(0, 1) == 0) y = t.call("onnx.Mul", {y, t.call("onnx.Sigmoid", {y})}), nodes += 2;
            const taken got = expect_taken(t.finish(y), nodes, 1e-4);
            CHECK(got.count("convolution_winograd") >= 1);
            CHECK(got.count("convolution_winograd_2x2") >= 1);
            note(got);
        }
    CHECK(worst[1] < worst[0]);
    small_graph deep;
    note(expect_taken(
        deep.finish(deep.call("onnx.Conv", {deep.input({1, 512, 7, 7}), deep.random({16, 512, 3, 3})}, {{"pads", extents{1, 1, 1, 1}}})), 1,
        1e-4));
    CHECK(worst[1] < worst[0]);
}
