// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/dsl/dsl_node.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

using namespace inlay::dsl;
using inlay::node_id;
using inlay::node_kind;

namespace {

template <class P>
std::string text(P) {
    return inlay::to_text(inlay::view_of(P{}));
}
template <class P>
std::size_t count(P p, const inlay::ir_module& g, node_id n) {
    std::size_t found = 0;
    inlay::for_each_match(p, g, inlay::user_lists(g), n, [&](auto&&) { return ++found == 0; });
    return found;
}

}  // namespace

TEST_CASE("nodes that are no calls print in the text form") {
    CHECK(text(tuple()) == "()");
    CHECK(text(tuple(any)) == "(*,)");
    CHECK(text(tuple(any, rest)) == "(*, ...)");
    CHECK(text(tuple(rest)) == "(...)");
    CHECK(text(field<1>(op<"split">)) == "split.1");
    CHECK(text(any_field(any)) == "*.*");
    CHECK(text(let(input, any, as<"body">)) == "let(input, *, ?body)");
    CHECK(text(if_else(any, any, any)) == "if(*, *, *)");
    CHECK(text(apply(global(), rest)) == "apply(global, ...)");
    CHECK(text(function(input, op<"f">)) == "fn(input, f)");
    CHECK(text(function(rest)) == "fn(...)");
    CHECK(text(any_function(op<"f">)) == "fn(..., f)");
    CHECK(text(match_on(any, rest)) == "match(*, ...)");
    CHECK(text(construct()) == "construct()");
    CHECK(text(write_ref(make_ref(any), read_ref(any))) == "write_ref(make_ref(*), read_ref(*))");
}

TEST_CASE("tuples and their fields are matched one by one, a field by its number or by none [pattern.tuple.fields]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {}), y = b.input("y", {}), t = b.tuple(std::vector<node_id>{x, y}), p = b.projection(t, 1), u = b.unit();
    const inlay::ir_module& g = b.so_far();
    CHECK(count(tuple(input, input), g, t) == 1);
    CHECK(count(tuple(input), g, t) == 0);
    CHECK(count(tuple(input, rest), g, t) == 1);
    CHECK(count(tuple(rest), g, t) == 1);
    CHECK(count(tuple(), g, u) == 1);
    CHECK(count(tuple(), g, t) == 0);
    CHECK(count(field<1>(tuple(rest)), g, p) == 1);
    CHECK(count(field<0>(tuple(rest)), g, p) == 0);
    CHECK(count(any_field(tuple(rest)), g, p) == 1);
    CHECK(count(field<1>(any), g, t) == 0);
    CHECK(inlay::match(field<1>(tuple(rest)), g, inlay::user_lists(g), p)->nodes == std::vector<node_id>{t, p});
}

TEST_CASE("functions, calls of them, branches, lets and cells are nodes like others [pattern.nodes.every-kind]") {
    inlay::ir_builder b;
    const node_id x = b.input("x", {});
    b.open_block();
    const node_id v = b.input("v", {}), w = b.input("w", {}), body = b.call("add", {v, w}),
                  f = b.function(std::vector<node_id>{v, w}, body);
    const node_id called = b.apply(std::vector<node_id>{f, x, x});
    b.open_block();
    const node_id yes = b.call("relu", {x});
    b.close_block();
    b.open_block();
    const node_id no = b.call("abs", {x});
    b.close_block();
    const node_id branch = b.if_else(x, yes, no), variable = b.input("l", {}), bound = b.let(variable, branch, called);
    const node_id cell = b.add(node_kind::make_ref, {x}, 0, {}, {}), content = b.add(node_kind::read_ref, {cell}, 0, {}, {});
    const node_id written = b.add(node_kind::write_ref, {cell, content}, 0, {}, {}), name = b.global("main", {});
    const node_id clauses = b.add(node_kind::match, {x, variable, content}, 0, {}, {}), made = b.add(node_kind::construct, {x}, 0, {}, {});
    const inlay::ir_module& g = b.so_far();
    CHECK(count(function(as<"a">, as<"b">, op<"add">(as<"a">, as<"b">)), g, f) == 1);
    CHECK(count(function(as<"a">, as<"b">, op<"add">(as<"b">, as<"a">)), g, f) == 0);
    CHECK(count(function(input, op<"add">), g, f) == 0);
    CHECK(count(any_function(op<"add">), g, f) == 1);
    CHECK(count(any_function(input), g, f) == 0);
    CHECK(count(function(rest), g, f) == 1);
    CHECK(count(function(rest), g, called) == 0);
    CHECK(count(apply(any_function(any_call), as<"x">, as<"x">), g, called) == 1);
    CHECK(count(apply(any), g, called) == 0);
    CHECK(count(if_else(any, op<"relu">(as<"x">), op<"abs">(as<"x">)), g, branch) == 1);
    CHECK(count(if_else(any, op<"abs">, op<"relu">), g, branch) == 0);
    CHECK(count(let(input, if_else(rest), apply(rest)), g, bound) == 1);
    CHECK(count(read_ref(make_ref(as<"x">)), g, content) == 1);
    CHECK(count(write_ref(as<"cell">, read_ref(as<"cell">)), g, written) == 1);
    CHECK(count(match_on(input, rest), g, clauses) == 1);
    CHECK(count(construct(any), g, made) == 1);
    CHECK(count(construct(), g, made) == 0);
    CHECK(count(global(), g, name) == 1);
}
