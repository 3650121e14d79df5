// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/work_queue.hpp>

#include <type_traits>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct counted_waits {
    mutable int waits = 0;
    bool fails = false;
    bool wait() const {
        ++waits;
        return !fails;
    }
};

}  // namespace

static_assert(!std::is_constructible_v<work_queue, int> && std::is_trivially_copyable_v<work_queue>);

TEST_CASE("handles of one queue are equal, and wait for it") {
    const counted_waits one, other{.fails = true};
    const work_queue none, first(one), again = first, second(other);
    CHECK_FALSE(static_cast<bool>(none));
    CHECK(static_cast<bool>(first));
    CHECK(first == again);
    CHECK(first == work_queue(one));
    CHECK(first != second);
    CHECK(first != none);
    CHECK(again.wait());
    CHECK(one.waits == 1);
    CHECK_FALSE(second.wait());
}
