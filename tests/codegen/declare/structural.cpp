// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/structural.hpp>

#include <doctest/doctest.h>

namespace {
struct plain {};
struct holds_together {
    static constexpr bool is_structural = true;
};
}  // namespace

TEST_CASE("a back end is structural where it says so") {
    CHECK_FALSE(inlay::is_structural<plain>());
    CHECK(inlay::is_structural<holds_together>());
}
