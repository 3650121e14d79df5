// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/measurement.hpp>

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a measurement is measured, failed, or neither") {
    const measurement none;
    CHECK_FALSE(none.is_measured());
    CHECK_FALSE(none.has_failed());
    const measurement m = measurement::of(std::vector<double>{3e-6, 1e-6, 2e-6});
    CHECK(m.is_measured());
    CHECK(m.median == 2e-6);
    CHECK(m.minimum == 1e-6);
    CHECK(m.spread == doctest::Approx(1e-6));
    CHECK(m.samples == 3);
    const measurement f = measurement::failed("it died");
    CHECK(f.has_failed());
    CHECK_FALSE(f.is_measured());
    CHECK(std::isinf(f.median));
    CHECK(f != m);
}
