// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/results_in_place.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../arranged.hpp"

using namespace inlay;
using namespace inlay::nests;

namespace {

/// Sums of rows, and what stands behind them.
std::string sums(const std::string& then) {
    return "nest n { input x: float32[4, 6] output y: float32[4] scratch s: float32[4] { for i < 4 { s[i] = 0.0 for j < 6 { s[i] += "
           "x[i, j] } } " +
           then + " } }";
}

}  // namespace

TEST_CASE("what is only copied to a result is computed in it") {
    check_arranged(inlay::with_results_in_place, sums("for k < 4 { y[k] = s[k] }"), R"(nest n {
    input x: float32[4, 6]
    output y: float32[4]
    for i < 4 {
        y[i] = 0.0
        for j < 6 {
            y[i] += x[i, j]
        }
    }
}
)");
}

TEST_CASE("what a result is computed from, element by element, stands in its place") {
    check_arranged(inlay::with_results_in_place, sums("for k < 4 { y[k] = max(s[k], 0.0) }"), R"(nest n {
    input x: float32[4, 6]
    output y: float32[4]
    for i < 4 {
        y[i] = 0.0
        for j < 6 {
            y[i] += x[i, j]
        }
    }
    for k < 4 {
        y[k] = max(y[k], 0.0)
    }
}
)");
}

TEST_CASE("what is read elsewhere, or again, stays in memory of its own") {
    check_left(inlay::with_results_in_place, sums("for k < 4 { y[k] = s[3 - k] }"));
    check_left(inlay::with_results_in_place, sums("for k < 4 { y[k] = s[0] }"));
    check_left(inlay::with_results_in_place, sums("for k < 4 { y[k] = s[k] } for l < 4 { y[l] = s[l] }"));
    check_left(inlay::with_results_in_place, sums("for r < 2 { for k < 4 { y[k] = s[k] + s[k] } }"));
    check_left(inlay::with_results_in_place, sums("for k < 4 { if 0 <= k < 3 { y[k] = s[k] } }"));
    check_left(inlay::with_results_in_place, sums("for k < 4 { y[k] = 0.0 }"));
}
