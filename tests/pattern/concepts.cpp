// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/concepts.hpp>

#include <doctest/doctest.h>

namespace {

struct anything : inlay::pattern_tag {
    using binds = inlay::capture_names<"x", "w">;
};
struct untagged {
    using binds = inlay::capture_names<>;
};
struct stateful : anything {
    int number = 0;
};
struct without_binds : inlay::pattern_tag {};
struct privately : private inlay::pattern_tag {
    using binds = inlay::capture_names<>;
};

}  // namespace

static_assert(inlay::pattern<anything>);
static_assert(!inlay::pattern<untagged>);
static_assert(!inlay::pattern<stateful>, "all there is to know of a pattern is its type");
static_assert(!inlay::pattern<without_binds>);
static_assert(!inlay::pattern<privately>);
static_assert(!inlay::pattern<int>);

TEST_CASE("a match in the making starts with nothing bound and nothing covered") {
    inlay::match_state<anything::binds> state;
    CHECK(state.at<"x">() == inlay::no_node);
    CHECK(state.at<"w">() == inlay::no_node);
    CHECK(state.covered.empty());
    state.bound[1] = 5;
    CHECK(state.at<"w">() == 5);
    CHECK(inlay::match_state<inlay::capture_names<>>().covered.empty());
}

TEST_CASE("what stands after a matcher is any callable, or a function with what it works on") {
    int called = 0;
    const auto enough = [&] { return ++called == 2; };
    const inlay::match_next next(enough);
    CHECK_FALSE(next());
    CHECK(next());
    const inlay::match_next copy = next;
    CHECK_FALSE(copy());
    CHECK(called == 3);

    int number = 7;
    const inlay::match_next by_function([](const void* self) { return *static_cast<const int*>(self) == 7; }, &number);
    CHECK(by_function());
    number = 8;
    CHECK_FALSE(by_function());
}
