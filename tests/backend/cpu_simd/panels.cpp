// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/panels.hpp>

#include <algorithm>
#include <cstddef>
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

TEST_CASE("the tiles of a panel fetch the next one ahead, share by share, and nothing behind it") {
    constexpr std::size_t depth = 6, lanes = 16, share = depth * inlay::simd::tile_job::ahead_floats;
    const panels b(depth, 2 * 32 + 16, 2, lanes);
    REQUIRE(b.count() == 3);
    for (std::size_t tile = 0; tile < 4; ++tile) CHECK(b.ahead(0, tile) == b.at(1) + tile * share);
    CHECK(b.at(1) + 4 * share == b.at(2));
    CHECK(b.ahead(0, 4) == nullptr);
    // The last panel has one vector of columns.
    CHECK(b.ahead(1, 1) == b.at(2) + share);
    CHECK(b.ahead(1, 2) == nullptr);
    CHECK(b.ahead(2, 0) == nullptr);
}

TEST_CASE("rows are set as their elements are") {
    panels one(3, 21, 2, 4), other(3, 21, 2, 4);
    for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t c = 0; c < 21; ++c) one.set(d, c, static_cast<float>(100 * d + c));
        other.set_row(d, [&](std::size_t c) { return static_cast<float>(100 * d + c); });
    }
    CHECK(std::equal(one.at(0), one.at(0) + one.bytes() / sizeof(float), other.at(0)));
}

TEST_CASE("panels filled of the same numbers share them where there is a store") {
    inlay::weight_store store;
    int fills = 0;
    const auto make = [&](std::uint64_t of, std::size_t vectors, inlay::weight_store* from) {
        return panels::filled(3, 21, vectors, 4, from, inlay::digest_builder().add(of).finish(), [&](panels& p) {
            ++fills;
            for (std::size_t d = 0; d < 3; ++d) p.set_row(d, [&](std::size_t c) { return static_cast<float>(of + c); });
            p.set_bias(20, 7);
        });
    };
    const panels first = make(1, 2, &store), second = make(1, 2, &store);
    CHECK(fills == 1);
    CHECK(first.at(0) == second.at(0));
    CHECK(second.at(1)[3] == 12);
    CHECK(second.bias(2)[4] == 7);
    CHECK(make(2, 2, &store).at(0) != first.at(0));
    CHECK(make(1, 3, &store).at(0) != first.at(0));
    CHECK(make(1, 2, nullptr).at(0) != first.at(0));
    CHECK(fills == 4);
}
