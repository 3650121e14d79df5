// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/dsl_guard.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

using namespace inlay::dsl;
using inlay::element_type;
using inlay::node_id;

namespace {

template <class P>
std::string text(P) {
    return inlay::to_text(inlay::view_of(P{}));
}
template <class P>
bool matches(P p, const inlay::ir_module& g, node_id n) {
    return inlay::match(p, g, inlay::user_lists(g), n).has_value();
}
constexpr auto conv = op<"conv">;

}  // namespace

TEST_CASE("guards print in the text form") {
    CHECK(text(attribute<"group", 1>(conv)) == "conv[group=1]");
    CHECK(text(attribute<"alpha", number{[] { return 0.2; }}>(conv)) == "conv[alpha=0.2]");
    CHECK(text(attribute<"auto_pad", inlay::fixed_string("VALID")>(conv(any))) == "conv[auto_pad=\"VALID\"](*)");
    CHECK(text(attribute<"strides", ints<1, 2>{}>(conv)) == "conv[strides=[1,2]]");
    CHECK(text(attribute<"axes", ints<>{}>(conv)) == "conv[axes=[]]");
    CHECK(text(attribute<"names", texts<"a", "b">{}>(conv)) == "conv[names=[\"a\",\"b\"]]");
    CHECK(text(attribute<"a", present{}>(attribute<"b", absent{}>(conv))) == "conv[!b][a]");
    CHECK(text(attribute<"a", present{}>(any)) == "*[a]");
    CHECK(text(attribute<"a", present{}>(any_call)) == "*(...)[a]");
    CHECK(text(of_element<element_type::float32>(any)) == "*{float32}");
    CHECK(text(of_shape<1, any_extent, rest_of_shape>(any)) == "*{[1,?,*]}");
    CHECK(text(of_type<element_type::int64>(any)) == "*{int64[]}");
    CHECK(text(literal<2>) == "2");
    CHECK(text(literal_of([] { return -0.5; })) == "-0.5");
}

TEST_CASE("an attribute is asked for by its value; an empty list of guards takes every node [pattern.attributes.by-value]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {});
    const node_id f = b.call("conv", {x},
                             {{"group", std::int64_t{1}},
                              {"alpha", 0.2},
                              {"strides", std::vector<std::int64_t>{1, 2}},
                              {"auto_pad", std::string("VALID")},
                              {"names", std::vector<std::string>{"a"}}});
    const inlay::ir_module& g = b.so_far();
    CHECK(matches(attribute<"group", 1>(conv), g, f));
    CHECK_FALSE(matches(attribute<"group", 2>(conv), g, f));
    CHECK(matches(attribute<"group", number{[] { return 1.0; }}>(conv), g, f));
    CHECK_FALSE(matches(attribute<"group", number{[] { return 1.5; }}>(conv), g, f));
    CHECK(matches(attribute<"alpha", number{[] { return 0.2; }}>(conv), g, f));
    CHECK_FALSE(matches(attribute<"alpha", 0>(conv), g, f));
    CHECK(matches(attribute<"strides", ints<1, 2>{}>(conv), g, f));
    CHECK_FALSE(matches(attribute<"strides", ints<1, 1>{}>(conv), g, f));
    CHECK(matches(attribute<"auto_pad", inlay::fixed_string("VALID")>(conv), g, f));
    CHECK_FALSE(matches(attribute<"auto_pad", inlay::fixed_string("SAME")>(conv), g, f));
    CHECK(matches(attribute<"names", texts<"a">{}>(conv), g, f));
    CHECK(matches(attribute<"group", present{}>(attribute<"pads", absent{}>(conv)), g, f));
    CHECK_FALSE(matches(attribute<"pads", present{}>(conv), g, f));
    CHECK_FALSE(matches(attribute<"group", present{}>(any), g, x));
}

TEST_CASE("a type is asked for by element and shape; literals by value [pattern.type.stored-type-only]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", inlay::tensor_type(element_type::float32, {2, 3})), c = b.constant(inlay::tensor::scalar(2.0f)),
                  u = b.input("u", {});
    const inlay::ir_module& g = b.so_far();
    CHECK(matches(of_element<element_type::float32>(any), g, x));
    CHECK_FALSE(matches(of_element<element_type::int64>(any), g, x));
    CHECK(matches(of_shape<2, any_extent>(any), g, x));
    CHECK(matches(of_shape<rest_of_shape>(any), g, x));
    CHECK_FALSE(matches(of_shape<2>(any), g, x));
    CHECK(matches(of_type<element_type::float32, 2, 3>(input), g, x));
    CHECK_FALSE(matches(of_element<element_type::none>(any), g, u));
    CHECK(matches(literal<2>, g, c));
    CHECK_FALSE(matches(literal<3>, g, c));
    CHECK(matches(literal_of([] { return 2.0; }), g, c));
}
