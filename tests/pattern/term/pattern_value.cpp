// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/pattern_value.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/pattern/dsl/dsl_repeat.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

using inlay::pattern_builder;
using inlay::pattern_term;
using inlay::term_id;
using inlay::term_kind;

TEST_CASE("a value keeps all that its terms refer to, and copies share it") {
    std::optional<inlay::pattern_value> kept;
    {
        pattern_builder b;
        const std::string op = "an.operator.of.a.long.name", attribute = "an attribute of a long name", text = "a text that is not short",
                          symbol = "a symbol of many letters";
        const std::vector<std::string_view> names{op};
        const std::vector<std::string_view> texts{text};
        const std::vector<std::int64_t> integers{1, 2, 3};
        const std::vector<double> numbers{0.5};
        using form = inlay::attribute_guard::form;
        const std::vector<inlay::attribute_guard> guards{
            {attribute, form::text, {}, {}, texts}, {"i", form::integers, integers}, {"n", form::number, {}, numbers}};
        const std::vector<inlay::extent_guard> extents{{-1, symbol}, {4, {}}};
        const std::vector<inlay::type_guard> fields{
            {inlay::type_guard::form::tensor, inlay::element_type::float32, true, false, extents, {}}};
        const inlay::type_guard tuple{inlay::type_guard::form::tuple, inlay::element_type::none, false, false, {}, fields};
        pattern_term call;
        call.kind = term_kind::node;
        call.open = true;
        call.names = names;
        pattern_term guard, type, capture;
        guard.kind = term_kind::attributes;
        guard.guards = guards;
        type.kind = term_kind::type;
        type.type = &tuple;
        capture.kind = term_kind::capture;
        capture.name = "a capture of a long name";
        const auto made = b.finish(b.add(capture, {b.add(type, {b.add(guard, {b.add(call)})})}));
        REQUIRE(made.has_value());
        kept = *made;
    }
    const inlay::pattern_value copy = *kept;
    kept.reset();
    CHECK(
        inlay::to_text(copy.view()) ==
        "?\"a capture of a long name\":an.operator.of.a.long.name[\"an attribute of a long name\"=\"a text that is not short\", i=[1,2,3], "
        "n=0.5]{(float32[\"a symbol of many letters\",4],)}");
}

TEST_CASE("a capture of a name that is there is given its slot") {
    pattern_builder b;
    pattern_term c;
    c.kind = term_kind::capture;
    const term_id any = b.add({});
    std::vector<term_id> captures;
    for (const char* name : {"a", "b", "a"}) {
        c.name = name;
        captures.push_back(b.add(c, {any}));
    }
    CHECK(b[captures[0]].place == 0);
    CHECK(b[captures[1]].place == 1);
    CHECK(b[captures[2]].place == 0);
    CHECK(b.size() == 4);
    pattern_term both;
    both.kind = term_kind::both;
    const auto made = b.finish(b.add(both, captures));
    REQUIRE(made.has_value());
    CHECK(made->view().slots.size() == 2);
    CHECK(made->view().slot("b") == 1);
}

TEST_CASE("what is declared can stand inside itself; what is wrong with the whole is said, and the builder is empty then") {
    pattern_builder b;
    const term_id self = b.declare("p");
    pattern_term node;
    node.kind = term_kind::node;
    b.define(self, b.add(node, {self}));
    const auto fine = b.finish(self);
    REQUIRE(fine.has_value());
    CHECK(inlay::to_text(fine->view()) == "%p:*(%p)");
    CHECK(b.size() == 0);
    const auto undefined = b.finish(b.declare("q"));
    REQUIRE_FALSE(undefined.has_value());
    CHECK(undefined.failure().message.find("refers to a name that nothing in it defines") != std::string::npos);
    CHECK(b.size() == 0);
}

TEST_CASE("a pattern that is known at compile time is a value as well, and so is one inside another") {
    using namespace inlay::dsl;
    constexpr auto p = named<"c">(as<"x">(attribute<"axis", 1>(op<"f">)) | op<"g">(again<"c">, literal<2>));
    const auto made = inlay::value_of(inlay::view_of(p));
    REQUIRE(made.has_value());
    CHECK(inlay::to_text(made->view()) == inlay::to_text(inlay::view_of(p)));
    pattern_builder b;
    pattern_term no;
    no.kind = term_kind::no;
    b.add({});
    const auto around = b.finish(b.add(no, {b.copy(inlay::view_of(p))}));
    REQUIRE(around.has_value());
    CHECK(inlay::to_text(around->view()) == "!%c:(?x:f[axis=1] | g(%c, 2))");
}
