// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/control_flow/control_kernel.hpp>

#include <doctest/doctest.h>

#include "looped.hpp"

using namespace looped;

TEST_CASE("a branch gives what the side gives that its condition chooses") {
    for (const bool c : {true, false}) check_meaning(branch(), {truth(c), values({1, 2, 3}), values({-4, 5, -6})});
}

TEST_CASE("a loop carries, stacks, counts its trips, and ends by its condition") {
    check_meaning(loop(5, {}), {values({1, 2, 3})});
    check_meaning(loop(1, {}), {values({1, 2, 3})});
    check_meaning(loop(0, 9.0f), {values({1, 2, 3})});
    check_meaning(loop(100, 9.0f), {values({1, 2, 3})});
    check_meaning(loop({}, 9.0f), {values({1, 2, 3})});
    check_meaning(loop(2, 9.0f), {values({1, 2, 3})});
}

TEST_CASE("slices that nobody stacks are not made") {
    for (const int trips : {3, 0}) check_meaning(half_read(), {tensor::scalar(std::int64_t{trips}), values({1, 2, 3})});
}

TEST_CASE("a scan slices and stacks along any axis, either way") {
    check_meaning(scan(), {tensor::of({2, 4}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), values({1, 10})});
}

TEST_CASE("a loop in a branch in a loop") { check_meaning(nested(), {values({1, 2, 3})}); }
