// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/image_slices.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay::detail;
using list = std::vector<std::int64_t>;

TEST_CASE("enough images are cut between images, few of them into rows of one each") {
    const auto whole = image_slices(8, 5, 1, 2);
    REQUIRE(whole.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(whole[i].image == static_cast<std::int64_t>(2 * i));
        CHECK(whole[i].images == 2);
        CHECK(whole[i].past - whole[i].from == 5);
    }
    const auto rows = image_slices(2, 9, 1, 2);
    REQUIRE(rows.size() == 4);
    CHECK(rows[1].image == 0);
    CHECK(rows[1].past == 9);
    CHECK(rows[2].image == 1);
    CHECK(rows[2].from == 0);
    CHECK(image_slices(2, 9, 5, 2).size() == 2);
    CHECK(image_slices(1, 9, 6, 2).size() == 1);
    CHECK(image_slices(3, 1, 2, 2).size() == 1);
}

TEST_CASE("slices read what the windows of their rows read, with the pads that are left") {
    for (unsigned seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        spatial_window w = spatial_window::over({pick(1, 4), 3});
        w.strides[0] = pick(1, 3);
        w.dilations[0] = pick(1, 2);
        w.begin[0] = pick(0, w.span(0) - 1);
        w.end[0] = pick(0, w.span(0) - 1);
        const list x{pick(1, 5), 2, w.span(0) + pick(0, 9), 7};
        const std::int64_t rows = (x[2] + w.begin[0] + w.end[0] - w.span(0)) / w.strides[0] + 1;
        const list y{x[0], 3, rows, 4};
        std::int64_t covered = 0;
        for (const image_slice& s : image_slices(x[0], rows, pick(1, 3), static_cast<int>(pick(2, 4)))) {
            spatial_window part = w;
            list px = x, py = y;
            const auto before = cut_to(s, part, px, py);
            REQUIRE(before.has_value());
            CHECK(py == list{s.images, 3, s.past - s.from, 4});
            CHECK(before->y == static_cast<std::size_t>(covered * 3 * 4));
            covered += py[0] * py[2];
            // The window leads from the rows that are read to those of the slice, and its first place stands where it stood.
            CHECK((px[2] + part.begin[0] + part.end[0] - part.span(0)) / part.strides[0] + 1 == py[2]);
            const std::int64_t first = static_cast<std::int64_t>(before->x) / (2 * 7) - s.image * x[2];
            CHECK(first - part.begin[0] == s.from * w.strides[0] - w.begin[0]);
            CHECK(first + px[2] <= x[2]);
            CHECK(part.begin[0] >= 0);
            CHECK(part.end[0] >= 0);
            if (part.end[0] > 0) CHECK(first + px[2] == x[2]);
        }
        CHECK(covered == y[0] * y[2]);
    }
}

TEST_CASE("rows that read pads alone are no slice") {
    spatial_window w = spatial_window::over({1, 1});
    w.begin = {4, 0};
    list x{1, 2, 5, 7}, y{1, 2, 9, 7};
    CHECK_FALSE(cut_to({0, 1, 0, 4}, w, x, y).has_value());
    CHECK(cut_to({0, 1, 0, 9}, w, x, y).has_value());
    CHECK(cut_to({0, 1, 3, 9}, w, x, y).has_value());
}
