// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/statistics.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

TEST_CASE("quantiles interpolate between neighbours") {
    std::vector<double> v{4, 1, 3, 2};
    CHECK(quantile_of(v, 0) == 1);
    CHECK(quantile_of(v, 1) == 4);
    CHECK(quantile_of(v, 0.5) == doctest::Approx(2.5));
    CHECK(quantile_of(v, 0.25) == doctest::Approx(1.75));
    std::vector<double> none;
    CHECK(quantile_of(none, 0.5) == 0);
}

TEST_CASE("a summary of known samples") {
    const summary s = summarise(std::vector<double>{5, 1, 2, 4, 3});
    CHECK(s.median == 3);
    CHECK(s.minimum == 1);
    CHECK(s.spread == doctest::Approx(2));
    CHECK(s.samples == 5);
    CHECK(summarise({}) == summary{});
}

TEST_CASE("median and quartiles are those of the sorted samples, in any order given") {
    CHECK(rc::check("by sorting", [](std::vector<int> numbers) {
        RC_PRE(!numbers.empty());
        std::vector<double> v(numbers.begin(), numbers.end()), sorted = v;
        std::sort(sorted.begin(), sorted.end());
        const std::size_t n = sorted.size();
        const summary s = summarise(v);
        RC_ASSERT(s.median == (n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] + 0.5 * (sorted[n / 2] - sorted[n / 2 - 1])));
        RC_ASSERT(s.minimum == sorted[0]);
        RC_ASSERT(s.spread >= 0);
        std::reverse(v.begin(), v.end());
        RC_ASSERT(summarise(v) == s);
    }));
}

TEST_CASE("the bootstrap interval of a ratio holds the true ratio about as often as it says, and repeats for a seed") {
    detail::splitmix random{7};
    const auto samples = [&](double centre, std::size_t count) {
        std::vector<double> v(count);
        for (double& x : v) x = centre * (0.95 + 0.1 * random.unit());
        return v;
    };
    int holds = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const interval i = bootstrap_ratio(samples(3, 25), samples(2, 25), 0.95, 200);
        holds += i.low <= 1.5 && 1.5 <= i.high;
    }
    CHECK(holds >= 175);
    CHECK(holds < 200);
    const auto few_a = samples(3, 10), few_b = samples(2, 10);
    const interval few = bootstrap_ratio(few_a, few_b), many = bootstrap_ratio(samples(3, 400), samples(2, 400));
    CHECK(many.high - many.low < few.high - few.low);
    CHECK(bootstrap_ratio(few_a, few_b) == few);
    CHECK(bootstrap_ratio(few_a, few_b, 0.95, 2000, 2) != few);
    CHECK(bootstrap_ratio({}, few_b) == interval{});
}

TEST_CASE("in pairs, what slows a whole round cancels out") {
    std::vector<double> a, b;
    for (int i = 0; i < 30; ++i) {
        const double round = 1 + static_cast<double>(i % 5);
        a.push_back(1.02 * round);
        b.push_back(round);
    }
    const interval paired = bootstrap_paired_ratio(a, b), apart = bootstrap_ratio(a, b);
    CHECK(paired.low == doctest::Approx(1.02));
    CHECK(paired.high == doctest::Approx(1.02));
    CHECK(apart.low < 1);
    CHECK(bootstrap_paired_ratio(a, std::vector<double>{1}) == interval{});
}
