// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/roofline_model.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "sample_region.hpp"

using namespace inlay;

namespace {

/// Each call is 8 operations, of which 2 are needed; 12 bytes cross the border.
struct eight_each {
    double calls_count = 8;

    region_work operator()(const region_view& r) const {
        double calls = 0;
        for (const region_value& v : r.calls()) calls += v.kind == region_value::role::call;
        return {calls_count * calls, calls_count * calls / 4, 12};
    }
};

constexpr machine_peaks peaks{8.0, 4.0, 0.5};

}  // namespace

static_assert(meter<roofline_meter<eight_each>>);

TEST_CASE("a bound is what the least work takes, the model what all of it does") {
    const sample::sample_region s = sample::example();
    const region_view r = s.view();
    const roofline_bounds<eight_each> bounds(peaks);
    const roofline_meter<eight_each> model(peaks);
    const pricing_job jobs[] = {pricing_job::of(0, r), pricing_job::of(sample::type({3, 5}).of_tensor, {}, {})};
    const std::vector<measurement> prices = model.price(jobs);
    // Five calls: 40 operations, 10 of them needed.
    CHECK(bounds(r) == doctest::Approx(0.5 + 12.0 / 4));
    CHECK(prices[0].median == doctest::Approx(0.5 + 40.0 / 8));
    CHECK(prices[0].minimum == prices[0].median);
    CHECK(prices[0].is_measured());
    // 15 elements of 4 bytes, read and written.
    CHECK(prices[1].median == doctest::Approx(0.5 + 120.0 / 4));
    CHECK(bounds(jobs[1].type, {}, {}) == doctest::Approx(prices[1].median));
}

TEST_CASE("what computes nothing is bound by no memory, and without peaks nothing is bound") {
    const sample::sample_region s = sample::example();
    const region_view r = s.view();
    CHECK(roofline_bounds<eight_each>(peaks, eight_each{0})(r) == doctest::Approx(0.5));
    CHECK(roofline_meter<eight_each>(peaks, eight_each{0}).price(std::vector{pricing_job::of(0, r)})[0].median == doctest::Approx(3.5));
    CHECK(roofline_bounds<eight_each>(std::nullopt)(r) == 0);
    CHECK(roofline_bounds<eight_each>(std::nullopt)(sample::type({4}).of_tensor, {}, {}) == 0);
    CHECK(bytes_of_tensor(tensor_type(element_type::float32, {-1, 4})) == 0);
}
