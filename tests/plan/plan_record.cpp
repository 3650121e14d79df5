// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_record.hpp>

#include <doctest/doctest.h>

#include "sample_record.hpp"

using namespace inlay;

TEST_CASE("a part costs what its composites do, and the gap is the share that is not proved") {
    recorded_part p;
    CHECK(p.seconds() == 0);
    p.composites = {{"a", {}, {}, {}, 1.5}, {"b", {}, {}, {}, 2}};
    CHECK(p.seconds() == 3.5);
    CHECK(gap_between(4, 3) == doctest::Approx(0.25));
    CHECK(gap_between(3, 4) == 0);
    CHECK(gap_between(0, 0) == 0);
}

TEST_CASE("records are equal where all their fields are") {
    std::size_t unequal = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CHECK(sample::random_record(seed) == sample::random_record(seed));
        unequal += sample::random_record(seed) != sample::random_record(seed + 1);
    }
    CHECK(unequal == 20);
}
