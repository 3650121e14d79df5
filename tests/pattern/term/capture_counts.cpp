// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/capture_counts.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>

namespace d = inlay::dsl;

namespace {

template <class P>
std::uint32_t count(P p, std::string_view name, inlay::unfolding_limits limits = {}) {
    inlay::capture_counts counts;
    counts.count(inlay::view_of(d::op<"before">(d::as<"y">, d::as<"y">)), {});  // what was counted before makes no difference
    counts.count(inlay::view_of(p), limits);
    return counts[inlay::view_of(p).slot(name)];
}

}  // namespace

TEST_CASE("a capture counts as often as one match may bind it") {
    CHECK(count(d::op<"f">(d::as<"x">, d::as<"y">), "x") == 1);
    CHECK(count(d::op<"f">(d::as<"x">, d::op<"g">(d::as<"x">)), "x") == 2);
    CHECK(count(d::op<"f">(d::as<"x">) | d::op<"g">(d::as<"x">), "x") == 1);
    CHECK(count(d::op<"f">(d::as<"x"> | d::op<"g">(d::as<"x">, d::as<"x">)), "x") == 2);
}

TEST_CASE("a capture in a step that is taken several times counts several times") {
    CHECK(count(d::repeat<0, 1>(d::op<"f">(d::hole, d::as<"x">), d::input), "x") == 1);
    CHECK(count(d::repeat<0, 2>(d::op<"f">(d::hole, d::as<"x">), d::input), "x") == 2);
    CHECK(count(d::repeat<0, 3>(d::op<"f">(d::hole), d::as<"x">(d::input)), "x") == 1);
    CHECK(count(d::repeat<0, 3>(d::op<"f">(d::hole, d::hole), d::as<"x">(d::input)), "x") == 2);
    CHECK(count(d::repeat<1, 1>(d::op<"f">(d::hole, d::hole), d::as<"x">(d::input)), "x") == 2);
    CHECK(count(d::repeat<0, 2>(d::op<"f">(d::repeat<1, 1>(d::op<"g">(d::hole, d::hole), d::hole)), d::as<"x">(d::input)), "x") == 2);
    CHECK(count(d::named<"t">(d::op<"f">(d::again<"t">, d::as<"x">) | d::input), "x") == 2);
}

TEST_CASE("what is not counted to the end counts as several") {
    CHECK(count(d::repeat<0, 1>(d::op<"f">(d::hole, d::as<"x">), d::input), "x", {.depth = 2}) == 2);
}
