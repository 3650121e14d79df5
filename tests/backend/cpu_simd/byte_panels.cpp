// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/byte_panels.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("words stand panel by panel, and columns that do not exist are zeros") {
    const auto b = simd::byte_panels::filled(2, 5, 1, 4, nullptr, {}, [](std::size_t depth, std::size_t column) {
        return static_cast<std::uint32_t>(100 * depth + column + 1);
    });
    REQUIRE_FALSE(b.is_empty());
    REQUIRE(b.count() == 2);
    CHECK(b.columns(1) == 1);
    CHECK(b.at(0)[0] == 1);
    CHECK(b.at(0)[4] == 101);
    CHECK(b.at(1)[0] == 5);
    CHECK(b.at(1)[1] == 0);
    CHECK(b.at(1)[4] == 105);
}

TEST_CASE("each column has its start and scale, those that do not exist 0") {
    auto b = simd::byte_panels::filled(1, 5, 1, 4, nullptr, {}, [](std::size_t, std::size_t) { return 0u; });
    b.set_column(4, -7, 0.5f);
    CHECK(b.starts(1)[0] == -7);
    CHECK(b.scales(1)[0] == 0.5f);
    CHECK(b.starts(1)[3] == 0);
    CHECK(b.scales(0)[0] == 0);
}
