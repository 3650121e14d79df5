// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/option.hpp>

#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sample_targets.hpp"

namespace {

struct oven {
    static constexpr std::string_view kind = "oven";
    int trays = 2;
    bool fan = false;
    double heat = 180.5;
    std::string rack = "middle";
    std::uint8_t level = 3;

    using options = inlay::option_list<inlay::option<"trays", &oven::trays, "how many trays">,
                                       inlay::option<"fan", &oven::fan, "moves the air">, inlay::option<"heat", &oven::heat, "in degrees">,
                                       inlay::option<"rack", &oven::rack, "where">, inlay::option<"level", &oven::level, "of browning">>;
};
struct plain_oven {
    static constexpr std::string_view kind = "plain_oven";
    using options = inlay::option_list<>;
};

static_assert(oven::options::size == 5);
static_assert(plain_oven::options::size == 0);
static_assert(inlay::option<"fan", &oven::fan, "moves the air">::name == "fan");
static_assert(inlay::option<"fan", &oven::fan, "moves the air">::doc == "moves the air");
static_assert(inlay::option<"level", &oven::level, "of browning">::range == inlay::integer_range{0, 255});
static_assert(inlay::option<"level", &oven::level, "of browning">::type == inlay::option_type::integer);

std::string refusal(std::string_view name, std::string_view text) {
    oven o;
    const auto done = inlay::set_option(o, name, text);
    CHECK(inlay::target_text(o) == "oven");
    return done ? std::string() : done.failure().message;
}

}  // namespace

TEST_CASE("options of every type are set from text") {
    oven o;
    CHECK(inlay::set_option(o, "trays", "-7").has_value());
    CHECK(inlay::set_option(o, "fan", "true").has_value());
    CHECK(inlay::set_option(o, "heat", "2.5e2").has_value());
    CHECK(inlay::set_option(o, "rack", "").has_value());
    CHECK(inlay::set_option(o, "level", "255").has_value());
    CHECK(o.trays == -7);
    CHECK(o.fan);
    CHECK(o.heat == 250.0);
    CHECK(o.rack.empty());
    CHECK(o.level == 255);
    CHECK(inlay::set_option(o, "fan", "0").has_value());
    CHECK_FALSE(o.fan);
}

TEST_CASE("a target prints the options that differ from their defaults, in the order of the list") {
    oven o;
    CHECK(inlay::target_text(o) == "oven");
    o.rack = "top";
    o.fan = true;
    o.heat = 0.1;
    CHECK(inlay::target_text(o) == "oven -fan=true -heat=0.1 -rack=top");
    o.heat = oven().heat;
    CHECK(inlay::target_text(o) == "oven -fan=true -rack=top");
    CHECK(inlay::target_text(plain_oven()) == "plain_oven");
}

TEST_CASE("a list is set whole, and printed where it differs from its default") {
    sample_accel t;
    CHECK(inlay::set_option(t, "parts", "c,'d,e'").has_value());
    CHECK(inlay::set_option(t, "sizes", "1,-2").has_value());
    CHECK(t.parts == std::vector<std::string>{"c", "d,e"});
    CHECK(t.sizes == std::vector<std::int16_t>{1, -2});
    CHECK(inlay::target_text(t) == "accel -parts=c,'d,e' -sizes=1,-2");
    CHECK(inlay::set_option(t, "parts", "").has_value());
    CHECK(inlay::set_option(t, "sizes", "4,-1").has_value());
    CHECK(inlay::target_text(t) == "accel -parts=");
    CHECK_FALSE(inlay::set_option(t, "sizes", "40000").has_value());
    CHECK(t.sizes == std::vector<std::int16_t>{4, -1});
}

TEST_CASE("every option of a random target reads back from one argument of a command line [target.option.argument]") {
    CHECK(rc::check([] {
        const sample_accel from = *sample_accels();
        sample_accel to;
        sample_accel::options::for_each(
            [&](auto o) { RC_ASSERT(inlay::set_option(to, o.name, inlay::argument_text(o.value(from))).has_value()); });
        RC_ASSERT(inlay::target_text(to) == inlay::target_text(from));
        sample_accel::options::for_each([&](auto o) { RC_ASSERT(inlay::same_value(o.value(to), o.value(from))); });
    }));
}

TEST_CASE("a value of another type is refused in one sentence, and the option stays") {
    CHECK(refusal("trays", "two") == "option '-trays' of target 'oven' takes a value of type int, not 'two'");
    CHECK(refusal("trays", "2 ") == "option '-trays' of target 'oven' takes a value of type int, not '2 '");
    CHECK(refusal("trays", "99999999999") == "option '-trays' of target 'oven' takes a value of type int, not '99999999999'");
    CHECK(refusal("level", "256") == "option '-level' of target 'oven' takes a value of type int from 0 to 255, not '256'");
    CHECK(refusal("level", "-1") == "option '-level' of target 'oven' takes a value of type int from 0 to 255, not '-1'");
    CHECK(refusal("fan", "yes") == "option '-fan' of target 'oven' takes a value of type bool, not 'yes'");
    CHECK(refusal("heat", "") == "option '-heat' of target 'oven' takes a value of type float, not ''");
}

TEST_CASE("an option that the target does not have is refused, with the nearest that it has") {
    CHECK(refusal("colour", "red") == "target 'oven' has no option 'colour' (known: 'trays', 'fan', 'heat', 'rack', 'level')");
    CHECK(refusal("", "1").find("has no option ''") != std::string::npos);
    CHECK(refusal("tray", "1") == "target 'oven' has no option 'tray' (did you mean 'trays'?)");
    plain_oven p;
    CHECK_FALSE(inlay::set_option(p, "trays", "1").has_value());
}
