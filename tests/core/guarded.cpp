// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/guarded.hpp>

#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("what is called gives what it gives") {
    CHECK(*guarded("it", "counted", [] { return 7; }) == 7);
    CHECK(guarded("it", "ran", [] {}).has_value());
    const auto refused = guarded("it", "read", []() -> outcome<int> { return error{"no"}; });
    static_assert(std::is_same_v<decltype(refused), const outcome<int>>, "an outcome is not wrapped in another");
    REQUIRE(!refused);
    CHECK(refused.failure().message == "no");
}

TEST_CASE("what is thrown becomes an error that says who did what") {
    const auto told = guarded("back end 'a'", "priced a region", []() -> int { throw std::runtime_error("out of numbers"); });
    REQUIRE(!told);
    CHECK(told.failure().message == "back end 'a' threw an exception while it priced a region: out of numbers");
    const auto untold = guarded("back end 'a'", "ran", [] { throw 7; });
    REQUIRE(!untold);
    CHECK(untold.failure().message == "back end 'a' threw something while it ran");
}
