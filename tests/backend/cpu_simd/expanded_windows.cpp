// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/expanded_windows.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::simd;

namespace {

window_shape square(std::ptrdiff_t size, std::ptrdiff_t kernel, std::ptrdiff_t stride = 1, std::ptrdiff_t dilation = 1) {
    window_shape s;
    const std::ptrdiff_t pad = kernel / 2 * dilation;
    s.kernel = {1, kernel, kernel};
    s.strides = {1, stride, stride};
    s.dilations = {1, dilation, dilation};
    s.before = {0, pad, pad};
    s.x = {1, size, size};
    s.y = {1, (size - 1) / stride + 1, (size - 1) / stride + 1};
    return s;
}

}  // namespace

TEST_CASE("strips expand each row of an image that a window reads once, and find the others in the buffer") {
    std::mt19937 random(5);
    const auto pick = [&](std::ptrdiff_t low, std::ptrdiff_t high) {
        return std::uniform_int_distribution<std::ptrdiff_t>(low, high)(random);
    };
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        expanded_windows k;
        k.window.shape = square(pick(1, 40), 2 * pick(0, 3) + 1, pick(1, 4), pick(1, 3));
        const window_shape& s = k.window.shape;
        const std::ptrdiff_t rows = pick(1, s.y[1]), span = expanded_windows::rows_spanned(s, rows);
        // Which row of the image stands in each row of the buffer; -1: none.
        std::vector<std::ptrdiff_t> buffer(static_cast<std::size_t>(span), -1);
        std::vector<int> made(static_cast<std::size_t>(s.x[1]), 0);
        expanded_windows::kept_rows there;
        for (std::ptrdiff_t first = 0; first < s.y[1]; first += rows) {
            const std::ptrdiff_t past = std::min(first + rows, s.y[1]);
            const expanded_windows::strip now = k.strip_of(there, 0, first, past);
            for (std::ptrdiff_t row = now.ready; row < now.end; ++row) {
                REQUIRE(row - now.top < span);
                buffer[static_cast<std::size_t>(row - now.top)] = row;
                ++made[static_cast<std::size_t>(row)];
            }
            for (std::ptrdiff_t y = first; y < past; ++y)
                for (std::ptrdiff_t w = 0; w < s.kernel[1]; ++w) {
                    const std::ptrdiff_t row = y * s.strides[1] - s.before[1] + w * s.dilations[1];
                    if (row >= 0 && row < s.x[1]) CHECK(buffer[static_cast<std::size_t>(row - now.top)] == row);
                }
            if (past < s.y[1])
                for (std::ptrdiff_t row = now.kept; row < now.end; ++row)
                    buffer[static_cast<std::size_t>(row - now.next)] = buffer[static_cast<std::size_t>(row - now.top)];
            there = now.left();
        }
        CHECK(*std::max_element(made.begin(), made.end()) <= 1);
    }
}

TEST_CASE("a buffer's rows of another image, or of rows further up, are not taken for the strip's") {
    expanded_windows k;
    k.window.shape = square(20, 3);
    const expanded_windows::kept_rows left = k.strip_of({}, 0, 0, 5).left();
    CHECK(k.strip_of(left, 0, 5, 10).ready == 6);
    CHECK(k.strip_of(left, 1, 5, 10).ready == 4);
    CHECK(k.strip_of(left, 0, 6, 10).ready == 5);
}

TEST_CASE("tasks take all rows where there are enough of them, and else few rows are expanded twice") {
    const window_shape s = square(56, 3);
    CHECK(expanded_windows::rows_of_task(s, true, 1, 1) == 56);
    CHECK(expanded_windows::rows_of_task(s, true, 4, 2) == 56);
    CHECK(expanded_windows::rows_of_task(s, true, 1, 2) == 14);
    CHECK(expanded_windows::rows_of_task(s, true, 1, 4) == 14);
    CHECK(expanded_windows::rows_of_task(s, false, 1, 4) == 7);
}

TEST_CASE("a strip has as many rows as fit, in about even strips, and one at least") {
    const auto up_to = [](std::ptrdiff_t most) { return [most](std::ptrdiff_t count) { return count <= most; }; };
    CHECK(expanded_windows::rows_of_strip(10, up_to(100)) == 10);
    CHECK(expanded_windows::rows_of_strip(10, up_to(9)) == 5);
    CHECK(expanded_windows::rows_of_strip(10, up_to(4)) == 4);
    CHECK(expanded_windows::rows_of_strip(10, up_to(0)) == 1);
}
