// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/packed_strips.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

#include "strips.hpp"

#include <doctest/doctest.h>

using namespace dsp_test;

TEST_CASE("a block's numbers stand as one load brings them: starts, scales, range, weights by tap") {
    strip_layer l;
    l.channels = 5;
    l.y.taps = 2;
    some s(1);
    const strip_numbers n = s.numbers(l);
    const auto packed = pack(l, {1, 4}, n);
    const block_numbers first = block_numbers::of(l, 4), second = block_numbers::of(l, 1);
    REQUIRE(packed.size() == static_cast<std::size_t>(first.bytes + second.bytes));
    float scale = 0;
    std::memcpy(&scale, packed.data() + first.bytes + second.scales_at, 4);
    CHECK(scale == n.scales[4]);
    CHECK(packed[static_cast<std::size_t>(first.weights_at) + 5] == n.weights[6]);
    CHECK(packed[static_cast<std::size_t>(first.bytes + second.weights_at) + 1] == n.weights[9]);
    l.work = strip_work::maximum;
    CHECK(pack(l, {1, 4}, n).empty());
    l.work = strip_work::combination;
    CHECK(pack(l, {1, 4}, n).size() == 32);
}
