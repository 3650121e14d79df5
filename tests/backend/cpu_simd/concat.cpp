// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/concat.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/cpu_simd/backend.hpp>

#include "take_bytes.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("tensors are put side by side along every axis, repeated ones and images in every layout included") {
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        CAPTURE(axis);
        small_graph t;
        const node_id x = t.input({2, 32, 4, 5}), y = t.input({2, 32, 4, 5});
        const taken got = expect_taken(t.finish(t.call("onnx.Concat", {x, y, x}, {{"axis", axis}})), 1);
        CHECK(got.has("channels_last,channels_last->channels_last"));
        CHECK(got.ways.size() == (axis == 0 || axis == 1 ? 3 : 2));
    }
    small_graph t;
    expect_taken(t.finish(t.call("onnx.Concat", {t.input({3, 7}), t.input({3, 1})}, {{"axis", std::int64_t{1}}})), 1);
    small_graph large;
    expect_taken(
        large.finish(large.call("onnx.Concat", {large.input({1, 48, 70, 31}), large.input({1, 5, 70, 31})}, {{"axis", std::int64_t{1}}})),
        1);
}

TEST_CASE("bytes are put side by side as well, in two layouts") {
    for (const std::int64_t axis : {0, 1, 3}) {
        CAPTURE(axis);
        picker pick{std::mt19937(7)};
        small_graph t;
        const node_id x = t.input_of(tensor_type(element_type::uint8, {2, 3, 4, 5})),
                      y = t.input_of(tensor_type(element_type::uint8, {2, 3, 4, 5}));
        const ir_module g = t.finish(t.call("onnx.Concat", {x, y, x}, {{"axis", axis}}));
        CHECK(expect_bytes(g, {some_bytes(pick, {2, 3, 4, 5}, false), some_bytes(pick, {2, 3, 4, 5}, false)}) == 2 * tested_sets().size());
    }
    small_graph t;
    const node_id y =
        t.call("onnx.Concat", {t.input_of(tensor_type(element_type::int8, {4})), t.input_of(tensor_type(element_type::int8, {3}))},
               {{"axis", std::int64_t{0}}});
    picker pick{std::mt19937(8)};
    CHECK(expect_bytes(t.finish(y), {some_bytes(pick, {4}, true), some_bytes(pick, {3}, true)}) == tested_sets().size());
}

TEST_CASE("channels are put side by side in blocks where blocks stay whole") {
    small_graph t;
    const taken got =
        expect_taken(t.finish(t.call("onnx.Concat", {t.input({1, 20, 4, 5}), t.input({1, 32, 4, 5})}, {{"axis", std::int64_t{1}}})), 1);
    CHECK(got.ways.size() == 2);
}

TEST_CASE("parts that are one run say where they stand") {
    for (const std::int64_t images : {1, 2}) {
        small_graph t;
        const ir_module g =
            t.finish(t.call("onnx.Concat", {t.input({images, 16, 3, 3}), t.input({images, 32, 3, 3})}, {{"axis", std::int64_t{1}}}));
        const std::vector<std::int64_t> expected = images == 1 ? std::vector<std::int64_t>{0, 16 * 9 * 4} : std::vector<std::int64_t>{};
        const sized_match m = largest_match(cpu_simd(), g);
        REQUIRE_FALSE(m.ways.empty());
        const auto k = emit_composite(cpu_simd(), {m.ways[0].composite, &m.ways[0].match->plan, m.ways[0].view()});
        REQUIRE(k.has_value());
        CHECK(k->part_at == expected);
    }
}

TEST_CASE("a concatenation with a constant is left to others") {
    small_graph t;
    CHECK(why_not(t.finish(t.call("onnx.Concat", {t.input({2, 3}), t.random({2, 3})}, {{"axis", std::int64_t{0}}}))) ==
          "a part of the concatenation is a constant");
}
