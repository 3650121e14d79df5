// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/packed_layer.hpp>

#include <cstring>

#include <doctest/doctest.h>

#include "layers.hpp"

TEST_CASE("numbers and weights stand block after block, as instructions load them") {
    using namespace accel_test;
    accel_machine m;
    m.array = {2, 3, array_flow::weight_stationary};
    layer l;
    l.channels = 3;
    l.filters = 4;
    layer_numbers n = some(1).numbers(l);
    for (int i = 0; i < 12; ++i) n.weights[static_cast<std::size_t>(i)] = static_cast<std::byte>(i);
    const auto packed = pack(l, m, {}, n);
    // Three biases, three scales, the range, then rows of three output channels: two of the first chunk, one of the second.
    REQUIRE(packed.size() == 64 + 64);
    CHECK(std::memcmp(packed.data(), n.biases.data(), 12) == 0);
    CHECK(std::memcmp(packed.data() + 16, n.scales.data(), 12) == 0);
    const unsigned char rows[] = {0, 1, 2, 4, 5, 6, 8, 9, 10};
    CHECK(std::memcmp(packed.data() + 48, rows, 9) == 0);
    CHECK(std::memcmp(packed.data() + 64, n.biases.data() + 3, 4) == 0);
}
