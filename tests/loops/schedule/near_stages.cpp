// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/near_stages.hpp>

#include <string>

#include <doctest/doctest.h>
#include <inlay/loops/nest/loop_bands.hpp>

#include "../arranged.hpp"

using namespace inlay;
using namespace inlay::nests;

namespace {

/// A sum of each row, which then scales the row.
std::string scaled(int rows, int columns) {
    const std::string r = std::to_string(rows), c = std::to_string(columns), is = "[" + r + ", " + c + "]";
    return "nest n { input x: float32" + is + " output y: float32" + is + " scratch s: float32[" + r + "] { for i < " + r +
           " { s[i] = 0.0 for j < " + c + " { s[i] += x[i, j] } } for k < " + r + " { for l < " + c + " { y[k, l] = x[k, l] * s[k] } } } }";
}

/// What was doubled is stored row by row before it is read backwards.
std::string backwards(int rows, int columns) {
    const std::string r = std::to_string(rows), c = std::to_string(columns), is = "[" + r + ", " + c + "]";
    return "nest n { input x: float32" + is + " output y: float32" + is + " scratch s: float32" + is + " { for i < " + r + " { for j < " +
           c + " { s[i, j] = x[i, j] + x[i, j] } } for k < " + r + " { for l < " + c + " { y[k, l] = s[k, " + std::to_string(columns - 1) +
           " - l] } } } }";
}

std::size_t bands(const std::string& text) { return outermost_bands(arranged(inlay::detail::with_near_stages, text)).size(); }

}  // namespace

TEST_CASE("what is made for a row is computed right before the row is read") {
    check_arranged(inlay::detail::with_near_stages, scaled(20, 6), R"(nest n {
    input x: float32[20, 6]
    output y: float32[20, 6]
    for k < 20 {
        stack s: float32[1] {
            s[0] = 0.0
            for j < 6 {
                s[0] += x[k, j]
            }
            for l < 6 {
                y[k, l] = x[k, l] * s[0]
            }
        }
    }
}
)");
}

TEST_CASE("a reader with too few rounds for threads leaves its stages where they are") {
    CHECK(bands(scaled(16, 6)) == 1);
    check_left(inlay::detail::with_near_stages, scaled(15, 6));
}

TEST_CASE("a row that is larger than the first cache stays in memory") {
    CHECK(bands(backwards(20, 8192)) == 1);
    check_left(inlay::detail::with_near_stages, backwards(20, 8193));
}

TEST_CASE("what several bands read, and what is read across all rows, stays") {
    check_left(inlay::detail::with_near_stages, R"(nest n {
    input x: float32[20, 6]
    output y: float32[20, 6]
    output z: float32[20, 6]
    scratch s: float32[20] {
        for i < 20 { s[i] = x[i, 0] }
        for k < 20 { for l < 6 { y[k, l] = s[k] } }
        for m < 20 { for n < 6 { z[m, n] = s[m] } }
    }
})");
    check_left(inlay::detail::with_near_stages, R"(nest n {
    input x: float32[20, 6]
    output y: float32[20, 6]
    scratch s: float32[6] {
        for i < 6 { s[i] = x[0, i] }
        for k < 20 { for l < 6 { y[k, l] = s[l] } }
    }
})");
}
