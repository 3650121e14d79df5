// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/device/barriers.hpp>

#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

namespace {

thread_order order_of_text(const std::string& statements) {
    const loop_nest n = nests::parsed("nest n { input x: float32[4, 8] output y: float32[64] " + statements + " }");
    const auto launches = launches_of(n);
    if (!launches) FAIL(launches.failure().message);
    const auto order = order_threads(n, launches->front());
    if (!order) FAIL(order.failure().message);
    return *order;
}
std::size_t barriers(const std::string& statements) {
    std::size_t count = 0;
    for (const char one : order_of_text(statements).has_barrier) count += one != 0 ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("a barrier stands where a phase touches what another thread wrote, or writes what it read [loops.barriers.placed]") {
    // One before the reads; one more where the next round writes again.
    CHECK(barriers("shared s: float32[8] { for a < 8 thread_x { s[a] = x[0, a] } for b < 8 thread_x { y[b] = s[7 - b] } }") == 1);
    CHECK(
        barriers(
            "shared s: float32[8] { for k < 4 { for a < 8 thread_x { s[a] = x[k, a] } for b < 8 thread_x { y[8*k + b] = s[7 - b] } } }") ==
        2);
    CHECK(
        barriers(
            "shared s: float32[8] { for k < 1 { for a < 8 thread_x { s[a] = x[k, a] } for b < 8 thread_x { y[8*k + b] = s[7 - b] } } }") ==
        1);
    // The first thread alone wrote it.
    CHECK(barriers("shared s: float32[1] { s[0] = x[0, 0] for a < 8 thread_x { y[a] = s[0] } }") == 1);
}

TEST_CASE("threads that keep to their own elements need no barrier [loops.barriers.own]") {
    CHECK(barriers("shared s: float32[8] { for a < 8 thread_x { s[a] = x[0, a] } for b < 8 thread_x { y[b] = s[b] } }") == 0);
    CHECK(barriers("stack s: float32[32] { for a < 8 thread_x { for k < 4 { s[4*a + k] = x[k, a] } } for b < 8 thread_x { for m < 4 { "
                   "y[4*b + m] = "
                   "s[4*b + m] } } }") == 0);
    // Every eighth element.
    CHECK(barriers("stack s: float32[32] { for a < 8 thread_x { for k < 4 { s[8*k + a] = x[k, a] } } for b < 8 thread_x { for m < 4 { "
                   "y[8*m + b] = "
                   "s[8*m + b] } } }") == 0);
    CHECK(barriers("shared s: float32[32] { for a < 8 thread_x { for k < 4 { s[8*k + a] = x[k, a] } } for b < 8 thread_x { for m < 4 { "
                   "y[4*b + m] = "
                   "s[4*b + m] } } }") == 1);
}

TEST_CASE("a barrier in a guard does not count where the guard does not hold [loops.barriers.guard]") {
    CHECK(barriers("shared s: float32[8] { for a < 8 thread_x { s[a] = x[0, a] } for k < 2 { if 0 <= k < 1 { for b < 8 thread_x { y[b] = "
                   "s[7 - b] } } "
                   "for c < 8 thread_x { y[8 + 8*k + c] = s[7 - c] } } }") == 2);
}

TEST_CASE("a thread finds its own elements among its registers [loops.barriers.index]") {
    const affine i = affine::of(3), t = affine::of(5);
    CHECK(thread_axis{0, 4, 0}.index(t * 4 + i, variable_id{5}) == i);
    CHECK(thread_axis{0, 4, 0}.of(32) == 4);
    CHECK(thread_axis{0, 1, 8}.index(i * 8 + t, variable_id{5}) == i);
    CHECK(thread_axis{0, 1, 8}.of(30) == 4);
    CHECK(thread_axis{0, 2, 16}.index(i * 16 + t * 2 + affine(17), variable_id{5}) == i * 2 + affine(3));
    CHECK(thread_axis{0, 2, 16}.index(affine(1), std::nullopt) == affine(1));
}
