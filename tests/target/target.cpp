// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/target.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/target/option.hpp>

namespace {

struct small {
    static constexpr std::string_view kind = "small";
    static constexpr inlay::device_type device = inlay::device_type::cuda;
    int width = 4;
    using options = inlay::option_list<inlay::option<"width", &small::width, "of a row">>;
};
struct nameless {
    [[maybe_unused]] static constexpr inlay::device_type device = inlay::device_type::cpu;
    using options = inlay::option_list<>;
};
struct homeless {
    static constexpr std::string_view kind = "homeless";
    using options = inlay::option_list<>;
};
struct home_by_number {
    static constexpr std::string_view kind = "home_by_number";
    static constexpr int device = 0;
    using options = inlay::option_list<>;
};
struct without_options {
    static constexpr std::string_view kind = "without_options";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
};
struct without_default : small {
    explicit without_default(int) {}
};
struct without_copies : small {
    without_copies() = default;
    without_copies(const without_copies&) = delete;
    without_copies& operator=(const without_copies&) = delete;
};

}  // namespace

static_assert(inlay::target<small>);
static_assert(!inlay::has_kind<nameless> && !inlay::target<nameless>);
static_assert(!inlay::has_device<homeless> && !inlay::target<homeless>);
static_assert(!inlay::has_device<home_by_number> && !inlay::target<home_by_number>);
static_assert(!inlay::has_options<without_options> && !inlay::target<without_options>);
static_assert(!inlay::target<without_default>, "a bare kind is its default instance");
static_assert(!inlay::target<without_copies>, "an instance is a value");
static_assert(!inlay::target<int>);

TEST_CASE("a target instance is a value: a copy's options are its own") {
    small first;
    small second = first;
    CHECK(inlay::set_option(second, "width", "8").has_value());
    CHECK(first.width == 4);
    CHECK(inlay::target_text(second) == "small -width=8");
}
