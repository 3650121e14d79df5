// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/concat.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_concat::pattern_of_concat())>);

TEST_CASE("tensors are put side by side along every axis in both orders, constants and repeated ones included") {
    for (std::int64_t axis = -1; axis < 4; ++axis) {
        CAPTURE(axis);
        extents second{2, 5, 4, 3};
        second[static_cast<std::size_t>(axis < 0 ? 3 : axis)] = 6;
        small_graph t;
        const node_id a = t.input({2, 5, 4, 3}), b = t.input(second), c = t.random({2, 5, 4, 3});
        const taken got = expect_taken(t.finish(t.call("onnx.Concat", {a, b, c, a}, {{"axis", axis}})), 1, 0);
        CHECK(got.has("channels_last,channels_last->channels_last"));
        CHECK(got.has("plain,plain->plain"));
    }
    small_graph t;
    CHECK(
        expect_taken(t.finish(t.call("onnx.Concat", {t.input({3, 2}), t.input({3, 70})}, {{"axis", std::int64_t{1}}})), 1, 0).ways.size() ==
        1);
}

TEST_CASE("parts of another element type are refused with their type") {
    small_graph t;
    const node_id part = t.call("onnx.Concat", {t.integers({1, 2}), t.integers({3})}, {{"axis", std::int64_t{0}}});
    CHECK_FALSE(why_not(t.finish(part)).empty());
}
