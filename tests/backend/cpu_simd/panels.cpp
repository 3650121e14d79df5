// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/panels.hpp>

#include <cstdint>

#include <doctest/doctest.h>

using inlay::simd::panels;

TEST_CASE("panels hold whole vectors, the last one fewer, biases behind them") {
    panels b(3, 21, 2, 4);
    CHECK(b.count() == 3);
    CHECK(b.vectors(0) == 2);
    CHECK(b.vectors(2) == 2);
    CHECK(b.columns(2) == 5);
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t c = 0; c < 21; ++c) b.set(d, c, static_cast<float>(100 * d + c));
    b.set_bias(20, 7);
    CHECK(b.at(1)[8 * 2 + 3] == 211);
    CHECK(b.at(2)[8 + 4] == 120);
    CHECK(b.at(2)[8 + 5] == 0);
    CHECK(b.bias(2)[4] == 7);
    CHECK(reinterpret_cast<std::uintptr_t>(b.at(0)) % 64 == 0);
    const panels one(2, 9, 2, 4);
    CHECK(one.vectors(1) == 1);
    CHECK(panels().is_empty());
}
