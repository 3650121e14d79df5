// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/word_panels.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct counted : simd::word_panels {
    explicit counted(simd::panels of) : word_panels(std::move(of)) {}
    static counted of(std::size_t depth, std::size_t columns, std::size_t vectors, std::size_t lanes) {
        return counted(simd::panels::filled(depth, columns, vectors, lanes, nullptr, {}, [](simd::panels& to) {
            fill(to, [](std::size_t k, std::size_t column) { return static_cast<std::uint32_t>(100 * k + column + 1); });
        }));
    }
};

}  // namespace

TEST_CASE("words stand by panel, depth and column, and the last panel has the vectors that it needs") {
    const counted made = counted::of(2, 9, 2, 4);
    REQUIRE_FALSE(made.is_empty());
    CHECK(made.count() == 2);
    CHECK(made.vectors(0) == 2);
    CHECK(made.vectors(1) == 1);
    CHECK(made.at(0)[7] == 8);
    CHECK(made.at(0)[8] == 101);
    CHECK(made.at(1)[0] == 9);
    CHECK(made.at(1)[1] == 0);
    CHECK(made.at(1)[4] == 109);
}
