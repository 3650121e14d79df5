// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/softmax.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_softmax::pattern_of_softmax())>);

namespace {
ir_module softmax(extents x, std::int64_t axis) {
    small_graph t;
    return t.finish(t.call("onnx.Softmax", {t.input(std::move(x))}, {{"axis", axis}}));
}
}  // namespace

TEST_CASE("softmax over the innermost axis agrees with its definition") {
    CHECK(expect_taken(softmax({3, 37}, -1), 1).has("plain->plain"));
    CHECK(expect_taken(softmax({2, 3, 4, 5}, 3), 1).ways.size() == 1);
    const taken channels = expect_taken(softmax({2, 9, 4, 5}, 1), 1);
    CHECK(channels.has("channels_last->channels_last"));
    CHECK(channels.ways.size() == 1);
    CHECK(expect_taken(softmax({2, 9, 1, 1}, 1), 1).ways.size() == 2);
    CHECK(expect_taken(softmax({2, 9, 1}, 1), 1).has("plain->plain"));
}

TEST_CASE("softmax over another axis is refused with the axis") {
    CHECK(why_not(softmax({2, 3, 4}, 1)).find("axis 1 of float32[2,3,4]") != std::string::npos);
}
