// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/scalar_function.hpp>

#include <cstddef>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("each function is found under its own name [loops.scalar_function.named]") {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(scalar_function::shift_right); ++i) {
        const auto f = static_cast<scalar_function>(i);
        CHECK(scalar_function_named(name_of(f)) == f);
        CHECK((facts_of(f).arity == 1 || facts_of(f).arity == 2));
        CHECK((!combines(f) || facts_of(f).arity == 2));
    }
    CHECK_FALSE(scalar_function_named("maximum"));
    CHECK(name_of(scalar_function::round) == "round");
    CHECK(name_of(scalar_function::shift_right) == "shift_right");
    CHECK(name_of(scalar_function::logical_not) == "not");
    CHECK(facts_of(scalar_function::less_equal).is_comparison);
}
