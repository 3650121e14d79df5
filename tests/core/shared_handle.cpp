// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/shared_handle.hpp>

#include <type_traits>
#include <utility>

#include <doctest/doctest.h>

namespace {

struct noted : inlay::owner_count {
    int* released = nullptr;

    static void release(noted* n) {
        ++*n->released;
        delete n;
    }
};
using handle = inlay::shared_handle<noted>;

}  // namespace

static_assert(std::is_nothrow_move_constructible_v<handle>);
static_assert(std::is_nothrow_move_assignable_v<handle>);
static_assert(!std::is_convertible_v<noted*, handle>, "what a pointer points to may have other owners");

TEST_CASE("nothing is owned by nobody") {
    const handle none;
    CHECK_FALSE(none);
    CHECK_FALSE(none.is_alone());
    const handle copy = none;
    CHECK(copy.get() == nullptr);
}

TEST_CASE("the last of all handles releases what they own, once") {
    int released = 0;
    auto* made = new noted;
    made->released = &released;
    {
        handle first(made);
        CHECK(first.is_alone());
        {
            const handle second = first;
            CHECK(second.get() == made);
            CHECK_FALSE(first.is_alone());
        }
        CHECK(first.is_alone());
        handle moved = std::move(first);
        CHECK_FALSE(first);
        CHECK(moved.is_alone());
        moved = *&moved;
        CHECK(moved->owners == 1);
        CHECK(released == 0);
        first = moved;
        moved = handle();
        CHECK(released == 0);
        CHECK(first.is_alone());
    }
    CHECK(released == 1);
}
