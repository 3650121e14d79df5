// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/node_guard.hpp>

#include <array>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "graph/two_vectors.hpp"

using namespace inlay;

namespace {
const std::array<std::string_view, 2> f_or_g{"f", "g"};
const std::array<std::string_view, 1> x_name{"x"}, main_name{"main"};

pattern_term of(node_kind k, std::uint32_t count = 0, bool open = true, std::span<const std::string_view> names = {}) {
    pattern_term t;
    t.kind = term_kind::node;
    t.node = k;
    t.count = count;
    t.open = open;
    t.names = names;
    return t;
}
pattern_term literal(double v) {
    pattern_term t;
    t.kind = term_kind::literal;
    t.number = v;
    return t;
}
}  // namespace

TEST_CASE("a call is of one of the operators that are named, or of any") {
    two_vectors g;
    g.add("x");
    g.add("f", {0});
    g.add("h", {0});
    CHECK(is_call_of(f_or_g, g, 1));
    CHECK_FALSE(is_call_of(f_or_g, g, 2));
    CHECK(is_call_of({}, g, 2));
    CHECK_FALSE(is_call_of({}, g, 0));
    CHECK(name_asked_for(g, 1, node_kind::call) == "f");
    CHECK(name_asked_for(g, 0, node_kind::input).empty());
}

TEST_CASE("a node has the kind, the arity, the name and the field that are asked for") {
    ir_builder b;
    const node_id x = b.input("x", {}), f = b.call("f", {x, x}), t = b.tuple(std::vector<node_id>{x, f}), second = b.projection(t, 1),
                  main = b.global("main", {});
    const ir_module& g = b.so_far();
    CHECK(node_accepted(of(node_kind::call, 1), g, f));
    CHECK_FALSE(node_accepted(of(node_kind::call, 3), g, f));
    CHECK(node_accepted(of(node_kind::call, 2, false), g, f));
    CHECK_FALSE(node_accepted(of(node_kind::call, 1, false), g, f));
    CHECK(node_accepted(of(node_kind::call, 0, true, f_or_g), g, f));
    CHECK_FALSE(node_accepted(of(node_kind::call, 0, true, x_name), g, f));
    CHECK_FALSE(node_accepted(of(node_kind::tuple), g, f));
    CHECK(node_accepted(of(node_kind::input, 0, false, x_name), g, x));
    CHECK_FALSE(node_accepted(of(node_kind::input, 0, false, main_name), g, x));
    CHECK(node_accepted(of(node_kind::global, 0, false, main_name), g, main));
    pattern_term field = of(node_kind::projection, 1, false);
    CHECK(node_accepted(field, g, second));
    field.place = 1;
    CHECK(node_accepted(field, g, second));
    field.place = 0;
    CHECK_FALSE(node_accepted(field, g, second));
}

TEST_CASE("the one element of a tensor is a number, whatever its type") {
    CHECK(single_number(tensor::scalar(0.5f)) == 0.5);
    CHECK(single_number(tensor::scalar(-3.0)) == -3.0);
    CHECK(single_number(tensor::scalar(std::int8_t{-3})) == -3.0);
    CHECK(single_number(tensor::scalar(std::int16_t{-3})) == -3.0);
    CHECK(single_number(tensor::scalar(std::int32_t{-3})) == -3.0);
    CHECK(single_number(tensor::scalar(std::int64_t{-3})) == -3.0);
    CHECK(single_number(tensor::scalar(std::uint8_t{200})) == 200.0);
    CHECK(single_number(tensor::scalar(std::uint16_t{200})) == 200.0);
    CHECK(single_number(tensor::scalar(std::uint32_t{200})) == 200.0);
    CHECK(single_number(tensor::scalar(std::uint64_t{200})) == 200.0);
    CHECK(single_number(tensor::scalar(true)) == 1.0);
    CHECK(single_number(tensor::of<float>({1, 1}, std::vector<float>{4})) == 4.0);
    CHECK_FALSE(single_number(tensor::of<float>({2}, std::vector<float>{4, 4})).has_value());
    CHECK_FALSE(single_number(tensor(element_type::float16, {1})).has_value());
    CHECK_FALSE(single_number(tensor()).has_value());
}

TEST_CASE("a constant is asked for by its number, as written, or by its content") {
    ir_builder b;
    const node_id tenth = b.constant(tensor::scalar(0.1f)), other = b.constant(tensor::scalar(0.2f)), f = b.call("f", {tenth});
    const ir_module& g = b.so_far();
    CHECK(is_constant(literal(0.1), g, tenth));
    CHECK_FALSE(is_constant(literal(0.1), g, other));
    CHECK_FALSE(is_constant(literal(0.1), g, f));
    pattern_term value;
    value.kind = term_kind::value;
    value.content = g.constant(tenth)->content();
    CHECK(is_constant(value, g, tenth));
    CHECK_FALSE(is_constant(value, g, other));
    two_vectors untyped;
    untyped.add("x");
    CHECK_FALSE(is_constant(literal(0), untyped, 0));
}

TEST_CASE("attributes and types are asked of graphs that know them; others have none") {
    ir_builder b;
    const node_id x = b.input("x", tensor_type(element_type::float32)), f = b.call("f", {x}, {{"axis", std::int64_t{1}}});
    const ir_module& g = b.so_far();
    const attribute_guard there[] = {{"axis"}}, both[] = {{"axis"}, {"mode"}}, not_there[] = {{"mode", attribute_guard::form::absent}};
    pattern_term t;
    t.guards = there;
    CHECK(attributes_accepted(t, g, f));
    CHECK_FALSE(attributes_accepted(t, g, x));
    t.guards = both;
    CHECK_FALSE(attributes_accepted(t, g, f));
    t.guards = not_there;
    CHECK(attributes_accepted(t, g, f));
    const type_guard tensor{type_guard::form::tensor};
    t.type = &tensor;
    CHECK(type_accepted(t, g, x));
    CHECK_FALSE(type_accepted(t, g, f));
    two_vectors untyped;
    untyped.add("x");
    CHECK_FALSE(attributes_accepted(t, untyped, 0));
    CHECK_FALSE(type_accepted(t, untyped, 0));
}
