// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/concat.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

namespace {
const std::string blocked = "channels_blocked" + std::to_string(detail::onednn_block());
}

TEST_CASE("tensors are put side by side along every axis, constants and repeated ones included") {
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        CAPTURE(axis);
        small_graph s;
        const node_id x = s.input({2, 32, 4, 5});
        const taken t = take({}, s.finish(s.call("onnx.Concat", {x, s.random({2, 32, 4, 5}), x}, {{"axis", axis}})));
        CHECK(t.composite == "concat");
        CHECK(t.has("plain->plain"));
    }
}

TEST_CASE("channels are put side by side in blocks where blocks stay whole") {
    small_graph s;
    const taken t =
        expect_taken(s.finish(s.call("onnx.Concat", {s.input({1, 32, 4, 5}), s.input({1, 20, 4, 5})}, {{"axis", std::int64_t{1}}})), 1);
    CHECK(t.has(blocked + "," + blocked + "->" + blocked));
    CHECK(t.has("channels_last,channels_last->channels_last"));
    small_graph u;
    const taken uneven =
        expect_taken(u.finish(u.call("onnx.Concat", {u.input({1, 20, 4, 5}), u.input({1, 32, 4, 5})}, {{"axis", std::int64_t{1}}})), 1);
    CHECK_FALSE(uneven.has(blocked + "," + blocked + "->" + blocked));
}

TEST_CASE("sequences stand row-major") {
    small_graph s;
    const taken t = expect_taken(s.finish(s.call("onnx.Concat", {s.input({2, 8, 5}), s.input({2, 8, 6})}, {{"axis", std::int64_t{2}}})), 1);
    CHECK(t.ways.size() == 1);
}
