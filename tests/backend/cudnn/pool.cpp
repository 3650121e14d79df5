// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/pool.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "read_whole.hpp"

using namespace inlay;
using namespace cudnn_test;
using detail::cudnn_library;
using detail::cudnn_pool;
using detail::pooling_layout;

namespace {

/// What cuDNN makes of a layout, on the processor.
struct played_pooling {
    pooling_layout p;

    bool run(const run_arguments& a) const {
        const auto* const from = static_cast<const float*>(a.inputs[0]);
        auto* const to = static_cast<float*>(a.results[0]);
        int window = 1;
        for (const int n : p.window.kernel) window *= n;
        for_each_place(p.y.extents, [&](int number, const std::vector<int>& y) {
            double sum = 0, largest = -std::numeric_limits<double>::infinity();
            int inside = 0;
            for_each_place(p.window.kernel, [&](int, const std::vector<int>& in_window) {
                const int at = read_at(p.window, p.x, y, in_window);
                if (at < 0) return;
                const auto one = static_cast<double>(from[(y[0] * p.x.extents[1] + y[1]) * spatial_places(p.x) + at]);
                sum += one;
                largest = std::max(largest, one);
                ++inside;
            });
            to[number] = static_cast<float>(p.mode == cudnn_library::pool_maximum             ? largest
                                            : p.mode == cudnn_library::pool_average_with_pads ? sum / window
                                                                                              : sum / inside);
        });
        return true;
    }
};

read_match<pooling_layout> read(const ir_module& g) {
    return read_whole<cudnn_pool>(g, [](const pooling_layout& p, const region_view&) { return played_pooling{p}; });
}

}  // namespace

TEST_CASE("random poolings of one to three axes are what their layouts say") {
    std::size_t taken = 0;
    for (unsigned seed = 1; seed <= 120; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        extents x{pick(1, 2), pick(1, 3)}, kernel, pads, strides;
        const std::int64_t axes = pick(1, 3);
        for (std::int64_t i = 0; i < axes; ++i) {
            kernel.push_back(pick(1, 3));
            strides.push_back(pick(1, 3));
            x.push_back(pick(4, 8));
        }
        for (std::int64_t i = 0; i < axes; ++i) pads.push_back(pick(0, kernel[static_cast<std::size_t>(i)] - 1));
        for (std::int64_t i = 0; i < axes; ++i)
            pads.push_back(pick(0, 3) == 0 ? pick(0, kernel[static_cast<std::size_t>(i)] - 1) : pads[static_cast<std::size_t>(i)]);
        attribute_map how{{"kernel_shape", kernel}, {"pads", pads}, {"strides", strides}};
        const bool average = pick(0, 1) == 0;
        if (average) how = {{"kernel_shape", kernel}, {"pads", pads}, {"strides", strides}, {"count_include_pad", pick(0, 1)}};
        small_graph t(seed);
        const auto m = read(t.finish(t.call(average ? "onnx.AveragePool" : "onnx.MaxPool", {t.input(x)}, how)));
        if (m.refusal.empty()) {
            ++taken;
            CHECK(m.worst < 2e-6);
        } else {
            CHECK(m.refusal.find("has one number for both") != std::string::npos);
        }
    }
    CHECK(taken > 60);
}

TEST_CASE("poolings over all places are taken, and those that the library does not have are refused") {
    for (const char* op : {"onnx.GlobalAveragePool", "onnx.GlobalMaxPool"}) {
        small_graph t;
        const auto m = read(t.finish(t.call(op, {t.input({2, 3, 5, 4})})));
        CHECK(m.refusal == "");
        CHECK(m.worst < 2e-6);
    }
    {
        small_graph t;
        const attribute_map how{{"kernel_shape", extents{2, 2}}, {"dilations", extents{2, 2}}};
        CHECK(read(t.finish(t.call("onnx.MaxPool", {t.input({2, 3, 5, 4})}, how))).refusal == "cuDNN's pooling has no dilation");
    }
    small_graph t;
    const attribute_map how{{"kernel_shape", extents{2, 2}}, {"pads", extents{0, 0, 1, 1}}, {"count_include_pad", std::int64_t{1}}};
    CHECK(read(t.finish(t.call("onnx.AveragePool", {t.input({2, 3, 5, 4})}, how))).refusal ==
          "an average that counts pads of 0 and 1 places is none of cuDNN's, which has one number for both");
}
