// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/memory_shortage.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a failure for want of memory is told from other failures") {
    CHECK(is_memory_shortage("there is no memory to measure in; measure fewer kernels at once"));
    CHECK(is_memory_shortage("it threw an exception while it emitted code: std::bad_alloc"));
    CHECK_FALSE(is_memory_shortage("it reports a failure"));
    CHECK_FALSE(is_memory_shortage(""));
}
