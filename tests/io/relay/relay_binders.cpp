// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_binders.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct reader {
    std::string text;
    relay_metadata metadata;
    relay_faults faults{text};
    relay_types types;
    relay_cursor c;
    relay_attribute_reader attributes{&metadata};
    relay_nodes nodes{&metadata};
    relay_names names;
    relay_binders binders{c, types, attributes, nodes, names};

    explicit reader(std::string written) : text(std::move(written)), c(text, faults) {
        metadata.placements.push_back(placement::in_scope("near"));
        types.finish_definitions();
    }
};

/// The pattern of a text as it stands in an attribute, or what is wrong with it.
std::string pattern(const std::string& text, std::size_t variables = 0) {
    reader r(text);
    std::string made;
    std::vector<node_id> bound;
    const bool is_whole = r.binders.pattern(made, bound);
    if (!r.faults.empty()) return r.faults.all().front().message;
    CHECK(is_whole);
    CHECK(bound.size() == variables);
    CHECK(r.names.count() == variables);
    return made;
}

}  // namespace

TEST_CASE("a head has type variables, parameters, attributes and a result") {
    reader r("[T](%x {virtual_device=meta[VirtualDevice][0]}: T, %y, Primitive=1, virtual_device=meta[VirtualDevice][0]) -> (T,)");
    relay_head h;
    REQUIRE(r.binders.head(h));
    CHECK(r.faults.empty());
    CHECK(r.c.at_end());
    CHECK(h.variables == std::vector<std::string>{"T"});
    CHECK(h.parameters.size() == 2);
    CHECK(r.names.find("y") == h.parameters[1]);
    CHECK(h.attributes.place == 0);
    CHECK(h.attributes.values == attribute_map{{"Primitive", std::int64_t{1}}});
    CHECK(to_string(h.result) == "(T)");
}

TEST_CASE("what is wrong with a head is told") {
    const auto fault = [](const std::string& text) {
        reader r(text);
        relay_head h;
        static_cast<void>(r.binders.head(h));
        return r.faults.empty() ? "" : r.faults.all().front().message;
    };
    CHECK(fault("(%x, %x)") == "the variable '%x' stands twice; give one of them another name");
    CHECK(fault("(%x {a=1})") == "a variable has no attribute but virtual_device");
    CHECK(fault("(a=meta[VirtualDevice][0])") == "the attribute 'a' cannot be a place; virtual_device can");
    CHECK(fault("(%x %y)") == "a comma or ')' was expected, and '%y' stands here");
    CHECK(fault("(1)") == "a parameter, an attribute or ')' was expected, and '1' stands here");
    CHECK(fault("(%x: )") == "a type was expected, and ')' stands here");
    CHECK(fault("(%x {virtual_device=meta[VirtualDevice][0])") == "'}' was expected, and ')' stands here");
}

TEST_CASE("patterns stand in each other, and bind variables") {
    CHECK(pattern("_") == "_");
    CHECK(pattern("%x: int64", 1) == "%");
    CHECK(pattern("()") == "()");
    CHECK(pattern("(_, %x,)", 1) == "(_, %)");
    CHECK(pattern("Nil()") == "Nil");
    CHECK(pattern("Cons((%a, Some(_)), Cons(%b, Nil))", 2) == "Cons((%, Some(_)), Cons(%, Nil))");
    CHECK(pattern("Cons(%a, %a)") == "the variable '%a' stands twice; give one of them another name");
    CHECK(pattern("Cons(_)") == "the constructor 'Cons' has 2 fields, and is given 1");
    CHECK(pattern("Cons") == "the constructor 'Cons' has 2 fields, and is given 0");
    CHECK(pattern("Cns(_)") == "there is no constructor 'Cns' (did you mean 'Cons'?)");
    CHECK(pattern("(_ _)") == "a comma or ')' was expected, and '_' stands here");
    CHECK(pattern("1") == "a pattern was expected, and '1' stands here");
}
