// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/model/fixed_cost.hpp>

#include <cmath>

#include <doctest/doctest.h>

static_assert(inlay::add(inlay::infinite_cost, inlay::infinite_cost) == inlay::infinite_cost);
static_assert(inlay::add(inlay::infinite_cost, 1) == inlay::infinite_cost);
static_assert(inlay::add(1, 2) == 3);

TEST_CASE("prices with few digits are scaled exactly and come back as they were") {
    const auto unit = inlay::scaling::for_total(1000);
    for (const double price : {0.0, 0.25, 1.5, 999.875}) CHECK(unit.back(unit.of(price)) == price);
    CHECK(unit.of(0.1) + unit.of(0.2) == unit.of(0.2) + unit.of(0.1));
}

TEST_CASE("a total stays within 2^58 units, whatever its size, and uses more than half of them") {
    for (const double total : {1e-300, 1e-9, 1.0, 3.0, 1e15, 1e300}) {
        CAPTURE(total);
        const auto units = inlay::scaling::for_total(total).of(total);
        CHECK(units < (inlay::fixed_cost{1} << 58) + 1);
        CHECK(units >= (inlay::fixed_cost{1} << 57));
    }
    CHECK(inlay::scaling::for_total(0).of(0) == 0);
}

TEST_CASE("the error of a sum is half a unit for each price, and less than a total of 1e-15 a price") {
    const auto unit = inlay::scaling::for_total(1000);
    CHECK(std::fabs(unit.back(unit.of(0.1)) - 0.1) <= unit.error_of(1));
    CHECK(unit.error_of(1) < 1e-14);
    CHECK(unit.reach() <= 1024);
    CHECK(unit.reach() >= 256);
}

TEST_CASE("what does not fit is never") { CHECK(inlay::scaling::for_total(1).of(1e300) == inlay::infinite_cost); }
