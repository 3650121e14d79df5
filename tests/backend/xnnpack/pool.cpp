// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/pool.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_pooling::pattern_of_pool())>);

namespace {
taken pooled(const char* op, extents x, const attribute_map& a) {
    small_graph t;
    return expect_taken(t.finish(t.call(op, {t.input(std::move(x))}, a)), 1);
}
std::string why_not_pooled(const char* op, extents x, const attribute_map& a) {
    small_graph t;
    return why_not(t.finish(t.call(op, {t.input(std::move(x))}, a)));
}
}  // namespace

TEST_CASE("pooling over random windows agrees with its definition") {
    for (const char* op : {"onnx.MaxPool", "onnx.AveragePool"})
        for (unsigned seed = 1; seed <= 20; ++seed) {
            CAPTURE(seed);
            CAPTURE(op);
            std::mt19937 random(seed);
            const auto pick = [&](std::int64_t low, std::int64_t high) {
                return std::uniform_int_distribution<std::int64_t>(low, high)(random);
            };
            const std::int64_t kh = pick(1, 4), kw = pick(2, 4);
            const extents pads{pick(0, kh - 1), pick(0, kw - 1), pick(0, kh - 1), pick(0, kw - 1)};
            const extents x{pick(1, 2), pick(1, 21), pick(5, 11), pick(5, 11)}, strides{pick(1, 3), pick(1, 3)};
            const attribute_map a{{"kernel_shape", extents{kh, kw}}, {"strides", strides}, {"pads", pads}, {"ceil_mode", pick(0, 1)}};
            const bool has_gaps = strides[0] > kh || strides[1] > kw;
            if (has_gaps && op == std::string("onnx.MaxPool") && !detail::xnnpack_operators::max_pooling_takes_gaps) {
                CHECK(why_not_pooled(op, x, a).find("is above the window's") != std::string::npos);
                continue;
            }
            const taken got = pooled(op, x, a);
            CHECK(got.has("channels_last->channels_last"));
            CHECK(got.ways.size() == 1);
        }
    pooled("onnx.AveragePool", {1, 16, 7, 7},
           {{"kernel_shape", extents{3, 3}}, {"strides", extents{2, 2}}, {"auto_pad", std::string("SAME_UPPER")}});
    pooled("onnx.AveragePool", {1, 16, 7, 7}, {{"kernel_shape", extents{3, 3}}, {"count_include_pad", std::int64_t{1}}});
    pooled("onnx.MaxPool", {1, 5, 12, 11}, {{"kernel_shape", extents{3, 2}}, {"dilations", extents{2, 3}}});
}

TEST_CASE("pooling over all places leaves row-major as well, and takes a range along") {
    for (const char* op : {"onnx.GlobalAveragePool", "onnx.GlobalMaxPool"}) {
        const taken got = pooled(op, {2, 19, 7, 5}, {});
        CHECK(got.has("channels_last->plain"));
        CHECK(got.has("channels_last->channels_last"));
    }
    pooled("onnx.GlobalAveragePool", {2, 3, 1, 1}, {});
    small_graph t;
    const node_id mean = t.call("onnx.ReduceMean", {t.input({2, 7, 5, 6}), t.integers({-1, 2})}, {{"keepdims", std::int64_t{0}}});
    const taken got = expect_taken(t.finish(t.call("onnx.Relu", {mean})), 2);
    CHECK(got.has("channels_last->plain"));
    CHECK(got.ways.size() == 1);
}

TEST_CASE("pooling that is not taken says why, with the values found") {
    CHECK(why_not_pooled("onnx.MaxPool", {1, 3, 9}, {{"kernel_shape", extents{3}}}).find("rank 3") != std::string::npos);
    CHECK(why_not_pooled("onnx.MaxPool", {1, 3, 9, 9}, {{"kernel_shape", extents{1, 1}}}).find("one place") != std::string::npos);
    CHECK(why_not_pooled("onnx.MaxPool", {1, 3, 9, 9},
                         {{"kernel_shape", extents{2, 2}}, {"dilations", extents{2, 2}}, {"pads", extents{1, 1, 1, 1}}})
              .find("dilation 2") != std::string::npos);
    CHECK(why_not_pooled("onnx.AveragePool", {1, 3, 9, 9},
                         {{"kernel_shape", extents{2, 2}}, {"pads", extents{1, 1, 1, 1}}, {"count_include_pad", std::int64_t{1}}})
              .find("counts pads") != std::string::npos);
    small_graph t;
    CHECK(why_not(t.finish(t.call("onnx.ReduceMean", {t.input({1, 3, 9, 9}), t.integers({1})}))).find("spatial axes") != std::string::npos);
}
