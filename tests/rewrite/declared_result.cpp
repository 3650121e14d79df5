// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/declared_result.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

using namespace inlay;

namespace {

outcome<void> turns_by_an_angle(std::string_view op, std::span<const attribute_use> given, call_place place) {
    if (place != call_place::rule || op != "Turn") return {};
    for (const attribute_use& use : given)
        if (use.name == "angle") return {};
    return error{"lacks its angle"};
}
std::optional<attribute_form> angles_are_numbers(std::string_view op, std::string_view attribute) {
    if (op != "Turn") return std::nullopt;
    return attribute == "angle"  ? std::optional(attribute_form::number)
           : attribute == "axes" ? std::optional(attribute_form::numbers)
                                 : std::nullopt;
}

std::string declared(const std::string& text) {
    pattern_text_options options;
    options.builds = true;
    const auto right = parse_pattern(text, options);
    REQUIRE(right);
    options.check = &turns_by_an_angle;
    options.form_of = &angles_are_numbers;
    const auto made = declared_result(*right, options);
    return made ? to_text(made->view()) : made.failure().message;
}

}  // namespace

TEST_CASE("a whole number becomes a number where the operator of the call holds numbers, wherever it is set") {
    CHECK(declared("Turn[angle=1](?x)") == "Turn[angle=1.0](?x)");
    CHECK(declared("Turn(?x)[angle=-2, axes=[1,2], times=3]") == "Turn[angle=-2.0, axes=[1.0,2.0], times=3](?x)");
    CHECK(declared("Other[angle=1](Turn[angle=0.5](?x))") == "Other[angle=1](Turn[angle=0.5](?x))");
    CHECK(declared("(Turn[?t, angle=1](?x), 2{float32[3]}).1") == declared("(Turn[?t, angle=1.0](?x), 2{float32[3]}).1"));
}

TEST_CASE("a call that lacks what it needs is told, unless it copies attributes") {
    CHECK(declared("Other(Turn[times=3](?x))") == "makes a call of 'Turn', which lacks its angle");
    CHECK(declared("Turn[!angle](?x)") == "makes a call of 'Turn', which lacks its angle");
    CHECK(declared("Turn[?t](?x)") == "Turn[?t](?x)");
    CHECK(declared("Turn(Turn[angle=1](?x))[angle=2]") == "Turn[angle=2.0](Turn[angle=1.0](?x))");
}

TEST_CASE("without operators a right side stays as it is") {
    pattern_text_options options;
    options.builds = true;
    const auto right = parse_pattern("Turn[angle=1](?x)", options);
    REQUIRE(right);
    CHECK(to_text(declared_result(*right, options)->view()) == "Turn[angle=1](?x)");
}
