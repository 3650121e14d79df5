// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/deadline.hpp>

#include <atomic>

#include <doctest/doctest.h>

TEST_CASE("without a budget nothing ends, with none left it has ended, and a flag ends it at once") {
    CHECK_FALSE(inlay::deadline(std::nullopt, nullptr).passed());
    CHECK(inlay::deadline(0.0, nullptr).passed());
    CHECK(inlay::deadline(-5.0, nullptr).passed());
    CHECK_FALSE(inlay::deadline(1e7, nullptr).passed());
    CHECK_FALSE(inlay::deadline(1e300, nullptr).passed());
    CHECK_FALSE(inlay::deadline(std::nullopt, nullptr).left_ms().has_value());
    CHECK(inlay::deadline(0.0, nullptr).left_ms() == 0.0);
    CHECK(*inlay::deadline(1e7, nullptr).left_ms() > 1e6);
    std::atomic<bool> cancel = false;
    const inlay::deadline end(std::nullopt, &cancel);
    CHECK_FALSE(end.passed());
    cancel = true;
    CHECK(end.passed());
}
