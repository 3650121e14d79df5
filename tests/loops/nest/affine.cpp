// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/affine.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

namespace {
affine random_affine() {
    affine a = *rc::gen::inRange<std::int64_t>(-5, 6);
    for (variable_id v = 0; v < 4; ++v)
        if (*rc::gen::arbitrary<bool>()) a += affine::of(v, *rc::gen::inRange<std::int64_t>(-3, 4));
    return a;
}
}  // namespace

TEST_CASE("terms that cancel are gone, so that equal numbers are equal [loops.affine.normal]") {
    const affine a = affine::of(2, 3) + affine::of(0) - affine::of(2, 3);
    CHECK(a == affine::of(0));
    CHECK(a.terms().size() == 1);
    CHECK((a * 0).is_constant());
    CHECK(affine::of(1, 0) == affine());
    CHECK(affine::of(3, 2).factor_of(3) == 2);
    CHECK(affine::of(3, 2).factor_of(1) == 0);
}

TEST_CASE("over random numbers, sums, products and substitutions are those of their values [loops.affine.algebra]") {
    const bool holds = rc::check([] {
        const affine a = random_affine(), b = random_affine();
        const auto factor = *rc::gen::inRange<std::int64_t>(-4, 5);
        const auto values = *rc::gen::container<std::vector<std::int64_t>>(4, rc::gen::inRange<std::int64_t>(-9, 10));
        RC_ASSERT((a + b).at(values) == a.at(values) + b.at(values));
        RC_ASSERT((a - b).at(values) == a.at(values) - b.at(values));
        RC_ASSERT((a * factor).at(values) == a.at(values) * factor);
        const auto v = *rc::gen::inRange<variable_id>(0, 4);
        auto changed = values;
        changed[v] = b.at(values);
        RC_ASSERT(a.with(v, b).at(values) == a.at(changed));
    });
    CHECK(holds);
}

TEST_CASE("the range of a number has exactly the least and the largest of its values [loops.affine.range]") {
    const bool holds = rc::check([] {
        affine a = *rc::gen::inRange<std::int64_t>(-5, 6);
        for (variable_id v = 0; v < 2; ++v) a += affine::of(v, *rc::gen::inRange<std::int64_t>(-3, 4));
        const auto extents = *rc::gen::container<std::vector<std::int64_t>>(2, rc::gen::inRange<std::int64_t>(1, 5));
        std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
        for (std::int64_t i = 0; i < extents[0]; ++i)
            for (std::int64_t j = 0; j < extents[1]; ++j) {
                const std::vector<std::int64_t> values{i, j};
                low = std::min(low, a.at(values));
                high = std::max(high, a.at(values));
            }
        RC_ASSERT(a.range(extents) == std::pair(low, high));
    });
    CHECK(holds);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> huge{most, 3}, none{0, 3};
    CHECK_FALSE(affine::of(0, 2).range(huge));
    CHECK_FALSE((affine(most) + affine::of(1)).range(huge));
    CHECK_FALSE(affine::of(0).range(none));
    CHECK(affine::of(1).range(none) == std::pair<std::int64_t, std::int64_t>(0, 2));
}

TEST_CASE("a bound holds from its low end up to before its high end [loops.affine.bound]") {
    const affine_bound b{1, affine::of(0, 2), 5};
    for (const std::int64_t i : {0, 1, 2, 3}) {
        const std::vector<std::int64_t> values{i};
        CHECK(b.holds(values) == (i == 1 || i == 2));
    }
}
