// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/by_default.hpp>

#include <doctest/doctest.h>

namespace {

struct plain {};
struct played {
    static constexpr bool is_simulated = true;
};
struct holds_together {
    static constexpr bool is_structural = true;
};
struct asked_for {
    static constexpr bool by_name_alone = true;
};

}  // namespace

TEST_CASE("a back end takes part by default but where it says otherwise, plays a device or holds programs together") {
    CHECK(inlay::takes_part_by_default<plain>());
    CHECK_FALSE(inlay::takes_part_by_default<played>());
    CHECK_FALSE(inlay::takes_part_by_default<holds_together>());
    CHECK_FALSE(inlay::takes_part_by_default<asked_for>());
}
