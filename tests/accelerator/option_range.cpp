// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/option_range.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("an option that is out of its range is told with the range") {
    const option_range all[] = {{"rows", 4, 1, 8}, {"mhz", 0, 1, 100}};
    CHECK(check_ranges("t", std::span(all, 1)));
    CHECK(check_ranges("t", all).failure().message == "option '-mhz' of target 't' takes 1 to 100, not 0");
}
