// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/automaton/unfolding_limits.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/automaton/sub_patterns.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

namespace d = inlay::dsl;

namespace {

template <class P>
bool is_exact_within(P p, inlay::unfolding_limits limits) {
    const inlay::pattern_view* views[] = {&inlay::view_of(p)};
    return inlay::sub_patterns(views, limits).view().patterns[0].exact;
}

}  // namespace

TEST_CASE("what lies beyond a limit is left to the matcher, and what lies within is decided") {
    constexpr auto deep = d::op<"f">(d::op<"f">(d::op<"f">(d::op<"g">)));
    CHECK(is_exact_within(deep, {}));
    CHECK(is_exact_within(deep, {.depth = 4}));
    CHECK_FALSE(is_exact_within(deep, {.depth = 3}));
    CHECK_FALSE(is_exact_within(deep, {.visits = 3}));
    constexpr auto repeated = d::repeat<0, 5>(d::op<"f">(d::hole), d::op<"g">);
    CHECK(is_exact_within(repeated, {.repetitions = 6}));
    CHECK_FALSE(is_exact_within(repeated, {.repetitions = 4}));
    constexpr auto unordered = d::commutative<"f">(d::op<"g">, d::op<"h">, d::any);
    CHECK(is_exact_within(unordered, {.children = 2}));
    CHECK_FALSE(is_exact_within(unordered, {.children = 1}));
}
