// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/library_object.hpp>

#include <utility>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

int alive = 0;
int take_back(void*) {
    --alive;
    return 0;
}
detail::library_object one() {
    static int thing = 0;
    detail::library_object made(take_back);
    *made.made() = &thing;
    ++alive;
    return made;
}

}  // namespace

TEST_CASE("what a library made goes back once, with its last owner, and what it never made does not") {
    {
        detail::library_object never(take_back);
        CHECK(never.get() == nullptr);
        detail::library_object first = one();
        CHECK(alive == 1);
        detail::library_object second = std::move(first);
        CHECK(first.get() == nullptr);
        CHECK(second.get() != nullptr);
        second = one();
        CHECK(alive == 1);
    }
    CHECK(alive == 0);
}
