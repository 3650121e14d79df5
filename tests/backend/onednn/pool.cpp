// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/pool.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(detail::onednn_pool::pattern_of_pool())>);

namespace {
const std::string blocked = "channels_blocked" + std::to_string(detail::onednn_block());

taken pooled(const char* op, list x, attribute_map a) {
    small_graph s;
    return expect_taken(s.finish(s.call(op, {s.input(std::move(x))}, a)), 1);
}
}  // namespace

TEST_CASE("pooling over windows runs in every layout, pads and channels that do not fill a block included") {
    for (const char* op : {"onnx.MaxPool", "onnx.AveragePool"}) {
        const taken t = pooled(op, {2, 20, 9, 8}, {{"kernel_shape", list{3, 2}}, {"strides", list{2, 1}}, {"pads", list{1, 0, 2, 1}}});
        CHECK(t.has("channels_last->channels_last"));
        CHECK(t.has(blocked + "->" + blocked));
        CHECK(t.composite == "pool");
        pooled(op, {1, 16, 7, 7}, {{"kernel_shape", list{3, 3}}, {"strides", list{2, 2}}, {"ceil_mode", std::int64_t{1}}});
        pooled(op, {1, 16, 8, 8}, {{"kernel_shape", list{3, 3}}, {"strides", list{2, 2}}, {"ceil_mode", std::int64_t{1}}});
        pooled(op, {1, 16, 8, 9}, {{"kernel_shape", list{3, 2}}, {"strides", list{2, 2}}, {"auto_pad", std::string("SAME_LOWER")}});
        pooled(op, {1, 16, 21}, {{"kernel_shape", list{3}}, {"strides", list{2}}});
    }
    pooled("onnx.AveragePool", {1, 16, 7, 7},
           {{"kernel_shape", list{3, 3}}, {"pads", list{1, 1, 1, 1}}, {"count_include_pad", std::int64_t{1}}});
}

TEST_CASE("pooling over all places leaves row-major as well") {
    const taken t = pooled("onnx.GlobalAveragePool", {2, 32, 7, 7}, {});
    CHECK(t.has("channels_last->plain"));
    CHECK(t.has(blocked + "->plain"));
    CHECK(t.has(blocked + "->" + blocked));
    const taken uneven = pooled("onnx.GlobalMaxPool", {2, 20, 7, 5}, {});
    CHECK_FALSE(uneven.has(blocked + "->plain"));
}

TEST_CASE("a mean over the spatial axes is a pooling, whether it keeps them or not") {
    for (const std::int64_t keep : {0, 1}) {
        small_graph s;
        const taken t =
            expect_taken(s.finish(s.call("onnx.ReduceMean", {s.input({2, 32, 5, 6}), s.integers({-1, 2})}, {{"keepdims", keep}})), 1);
        CHECK(t.has("channels_last->plain"));
    }
}

TEST_CASE("large poolings in slices agree with their definition in every layout, with pads and several images") {
    const auto ways = [&](const char* op, list x, const attribute_map& a) {
        small_graph s;
        return ways_in_slices(s.finish(s.call(op, {s.input(std::move(x))}, a)), "pool_in_slices");
    };
    for (const char* op : {"onnx.MaxPool", "onnx.AveragePool"}) {
        CAPTURE(op);
        for (const std::int64_t images : {1, 2, 7}) {
            CAPTURE(images);
            const list x{images, 40, 45, 42};
            CHECK(ways(op, x, {{"kernel_shape", list{3, 3}}, {"pads", list{1, 1, 1, 1}}}) >= 2);
            CHECK(ways(op, x, {{"kernel_shape", list{4, 2}}, {"strides", list{2, 1}}, {"pads", list{3, 0, 2, 1}}}) >= 2);
            CHECK(ways(op, x, {{"kernel_shape", list{3, 3}}, {"strides", list{2, 2}}, {"ceil_mode", std::int64_t{1}}}) >= 1);
        }
        CHECK(ways(op, {1, 64, 9, 20, 20}, {{"kernel_shape", list{2, 2, 2}}, {"strides", list{1, 2, 2}}}) >= 1);
        CHECK(ways(op, {1, 16, 7, 7}, {{"kernel_shape", list{3, 3}}}) == 0);
    }
    CHECK(ways("onnx.AveragePool", {1, 64, 40, 40},
               {{"kernel_shape", list{3, 3}}, {"pads", list{1, 1, 1, 1}}, {"count_include_pad", std::int64_t{1}}}) >= 2);
    CHECK(ways("onnx.GlobalAveragePool", {2, 72, 40, 41}, {}) >= 2);
    CHECK(ways("onnx.GlobalMaxPool", {4, 64, 40, 41}, {}) >= 3);
}

TEST_CASE("pooling that is not taken says why") {
    small_graph s;
    const node_id y = s.call("onnx.MaxPool", {s.input({1, 16, 9, 9})}, {{"kernel_shape", list{3, 3}}, {"dilations", list{2, 2}}});
    CHECK(why_not(s.finish(y)).find("dilation 2") != std::string::npos);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.ReduceMean", {u.input({1, 16, 9, 9}), u.integers({1})}))).find("spatial axes") !=
          std::string::npos);
    small_graph v;
    const node_id z = v.call(
        "onnx.AveragePool", {v.input({1, 16, 8, 8})},
        {{"kernel_shape", list{3, 3}}, {"strides", list{2, 2}}, {"ceil_mode", std::int64_t{1}}, {"count_include_pad", std::int64_t{1}}});
    CHECK(why_not(v.finish(z)).find("beyond") != std::string::npos);
    // Added up one behind the other in float32, a large image's mean would be wrong in its third digit.
    small_graph w;
    CHECK(why_not(w.finish(w.call("onnx.GlobalAveragePool", {w.input({1, 8, 129, 128})}))).find("more than 16384 places") !=
          std::string::npos);
    pooled("onnx.GlobalAveragePool", {1, 8, 128, 128}, {});
    pooled("onnx.GlobalMaxPool", {1, 8, 129, 128}, {});
}
