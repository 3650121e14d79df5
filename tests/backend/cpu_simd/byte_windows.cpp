// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/byte_windows.hpp>

#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;

namespace {

simd::byte_windows over(const tap_axis& y, const tap_axis& x, std::ptrdiff_t groups, std::ptrdiff_t channels, bool by_quads) {
    static cpu_simd self;
    simd::byte_windows k;
    k.table = self.table();
    k.by_quads = by_quads;
    k.groups = groups;
    k.channels = channels;
    k.filters = 3;
    k.y = y;
    k.x = x;
    return k;
}

constexpr tap_axis three{8, 8, 3, 1, 1, 1};  // 8 places between pads

}  // namespace

TEST_CASE("words are as many as channels need, and rows as long as windows reach") {
    const auto fours = over(three, three, 1, 6, true), pairs = over(three, three, 2, 5, false);
    CHECK(fours.group_words() == 2);
    CHECK(pairs.place_words() == 6);
    CHECK(fours.rows() == 10);
    CHECK(fours.row_words() == 20);
    CHECK(fours.workspace() == 10 * 20 * 4);
    CHECK(pairs.depth() == 27);
    const tap_axis apart{9, 4, 2, 2, 2, 0};
    CHECK(simd::byte_windows::reach(apart) == 9);
}

TEST_CASE("an input without pads whose bytes are unsigned and fill words is read where it stands") {
    const tap_axis plain{8, 8}, two{8, 7, 2};
    CHECK(over(plain, plain, 1, 8, true).reads_in_place());
    CHECK(over(two, two, 2, 4, true).reads_in_place());
    CHECK(over(two, two, 1, 4, true).row_words() == 8);
    CHECK_FALSE(over(plain, plain, 1, 6, true).reads_in_place());
    CHECK_FALSE(over(plain, plain, 1, 8, false).reads_in_place());
    CHECK_FALSE(over(three, three, 1, 8, true).reads_in_place());
    auto with_sign = over(plain, plain, 1, 8, true);
    with_sign.is_signed = true;
    CHECK_FALSE(with_sign.reads_in_place());
    const tap_axis behind{8, 8, 2};  // its last window reaches one place behind the row
    CHECK_FALSE(over(plain, behind, 1, 8, true).reads_in_place());
}

TEST_CASE("a row of a window is one run where its places lie side by side") {
    auto k = over(three, three, 1, 8, false);
    k.plan();
    REQUIRE(k.runs.size() == 3);
    CHECK(k.runs[1].a == k.row_words());
    CHECK(k.runs[1].count == 12);
    auto grouped = over(three, three, 2, 8, false);
    grouped.plan();
    REQUIRE(grouped.runs.size() == 9);
    CHECK(grouped.runs[1].a == grouped.place_words());
    CHECK(grouped.runs[1].count == 4);
}
