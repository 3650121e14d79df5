// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/verdict.hpp>

#include <type_traits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a verdict is a yes, or a no with a reason") {
    CHECK(verdict::yes().taken);
    CHECK(verdict::yes().reason.empty());
    CHECK_FALSE(verdict::no("2 is too many").taken);
    CHECK(verdict::no("2 is too many").reason == "2 is too many");
}

TEST_CASE("one predicate accepts all, whatever it is asked with") {
    static_assert(std::is_empty_v<always>);
    CHECK(always{}().taken);
    CHECK(always{}(1).taken);
    CHECK(always{}("a back end", 2.0).taken);
}
