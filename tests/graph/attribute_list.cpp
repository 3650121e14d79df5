// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/attribute_list.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct turn {
    static constexpr std::string_view operators[] = {"my.Turn", "my.Spin"};
    std::int64_t times = 3;
    bool left = true;
    double angle = 0.25;
    std::string_view axis = "z";
    axis_numbers<2> steps{};
    std::span<const double> weights{};
    std::optional<std::int64_t> until{};
    const tensor* table = nullptr;
    double not_listed = 0;
    using attributes = attribute_list<attribute_member<"times", &turn::times>, attribute_member<"left", &turn::left>,
                                      attribute_member<"angle", &turn::angle>, attribute_member<"axis", &turn::axis>,
                                      attribute_member<"steps", &turn::steps>, attribute_member<"weights", &turn::weights>,
                                      attribute_member<"until", &turn::until>, attribute_member<"table", &turn::table>>;
};
struct without_operators {
    std::int64_t times = 3;
};

}  // namespace

static_assert(operator_attributes<turn> && !operator_attributes<without_operators>);
static_assert(turn::attributes::name_of<&turn::angle>() == "angle" && turn::attributes::name_of<&turn::not_listed>().empty());

TEST_CASE("an attribute that a node lacks has the default that its member was given") {
    const attribute_map none;
    CHECK(attr<&turn::times>(none) == 3);
    CHECK(attr<&turn::left>(none));
    CHECK(attr<&turn::angle>(none) == 0.25);
    CHECK(attr<&turn::axis>(none) == "z");
    CHECK(attr<&turn::weights>(none).empty());
    CHECK_FALSE(attr<&turn::until>(none).has_value());
    CHECK(attr<&turn::table>(none) == nullptr);
    const auto steps = attr<&turn::steps>(none);
    CHECK(steps[0] == 2);
    CHECK(steps[7] == 2);
    CHECK(steps.all(2));
    CHECK_FALSE(steps.all(1));
}

TEST_CASE("an attribute that a node has is read as its member's type") {
    attribute_map given;
    given.set("times", std::int64_t{7});
    given.set("left", std::int64_t{0});
    given.set("angle", 1.5);
    given.set("axis", std::string("x"));
    given.set("steps", std::vector<std::int64_t>{1, 1});
    given.set("weights", std::vector<double>{0.5, 2});
    given.set("until", std::int64_t{0});
    given.set("table", tensor::scalar(4.0f));
    CHECK(attr<&turn::times>(given) == 7);
    CHECK_FALSE(attr<&turn::left>(given));
    CHECK(attr<&turn::angle>(given) == 1.5);
    CHECK(attr<&turn::axis>(given) == "x");
    CHECK(attr<&turn::steps>(given).all(1));
    CHECK(attr<&turn::steps>(given)[2] == 2);
    CHECK(attr<&turn::weights>(given)[1] == 2);
    CHECK(attr<&turn::until>(given) == std::int64_t{0});
    REQUIRE(attr<&turn::table>(given) != nullptr);
    CHECK(attr<&turn::table>(given)->as<float>()[0] == 4);
    const turn all = read<turn>(given);
    CHECK(all.times == 7);
    CHECK_FALSE(all.left);
    CHECK(all.axis == "x");
    CHECK(all.steps.given.size() == 2);
    CHECK(all.until == std::int64_t{0});
}

TEST_CASE("an attribute of another kind counts as lacking, but a whole number serves as a number") {
    attribute_map odd;
    odd.set("times", std::string("often"));
    odd.set("angle", std::int64_t{2});
    CHECK(attr<&turn::times>(odd) == 3);
    CHECK(attr<&turn::angle>(odd) == 2);
}

TEST_CASE("what a struct declares is a table of names, forms and defaults") {
    constexpr attribute_table rows(declared_attributes<turn>);
    static_assert(rows.size() == 8 && attribute_name<&turn::left> == "left");
    CHECK(rows[0].name == "times");
    CHECK(rows[0].form == attribute_form::integer);
    CHECK(rows[0].integer == 3);
    CHECK(rows[1].integer == 1);
    CHECK(rows[2].number == 0.25);
    CHECK(rows[3].text == "z");
    CHECK(rows[4].per_axis);
    CHECK(rows[4].integer == 2);
    CHECK(rows[5].form == attribute_form::numbers);
    CHECK_FALSE(rows[5].has_default);
    CHECK(rows[6].form == attribute_form::integer);
    CHECK_FALSE(rows[6].has_default);
    CHECK(rows[7].form == attribute_form::tensor);
}

TEST_CASE("a call's attributes are read as the struct that declares them") {
    attribute_map given;
    given.set("times", std::int64_t{7});
    call_view call;
    call.attributes = &given;
    CHECK(read<turn>(call).times == 7);
    CHECK(read<turn>(call).angle == 0.25);
}
