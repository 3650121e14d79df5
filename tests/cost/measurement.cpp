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

TEST_CASE("of several windows the quickest is told, with its own spread, and the least of all") {
    std::vector<double> samples(40, 4.0);
    for (std::size_t i = 20; i < 40; ++i) samples[i] = i % 2 == 0 ? 2.0 : 2.5;
    samples[3] = 1;
    const measurement m = measurement::of_windows(samples, 10);
    CHECK(m.median == 2.25);
    CHECK(m.spread == 0.5);
    CHECK(m.samples == 40);
    CHECK(m.windows == 4);
    const measurement few = measurement::of_windows(std::span(samples).first(5), 10);
    CHECK(few.windows == 1);
    CHECK(few.median == 4);
    CHECK_FALSE(measurement::of_windows({}, 10).is_measured());
    CHECK(measurement::of_windows(samples, 0).windows == 40);
}

TEST_CASE("what was disturbed replaces nothing better") {
    const double one[] = {1.0}, two[] = {2.0};
    measurement quick = measurement::of(one), slow = measurement::of(two), quick_disturbed = quick, slow_disturbed = slow;
    quick_disturbed.disturbed = slow_disturbed.disturbed = true;
    CHECK(slow.replaces(quick));
    CHECK(slow.replaces(quick_disturbed));
    // Nothing is made quicker by what disturbs it.
    CHECK(quick_disturbed.replaces(slow));
    CHECK_FALSE(slow_disturbed.replaces(quick));
    CHECK(quick_disturbed.replaces(slow_disturbed));
    CHECK_FALSE(slow_disturbed.replaces(quick_disturbed));
    CHECK(slow_disturbed.replaces(measurement()));
    CHECK(slow_disturbed.replaces(measurement::failed("it died")));
    CHECK(measurement::failed("it died").replaces(quick));
}
