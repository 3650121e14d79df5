// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_scopes.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

/// let v = f(x); if (x) { g(v) } else { h(v, f's result) }, in one function.
struct sample {
    ir_builder b;
    node_id x = b.input("x", {}), v = b.input("v", {});
    node_id f = b.call("f", {x}), g = b.call("g", {v}), h = b.call("h", {v, f});
    node_id branch = b.if_else(x, g, h), let = b.let(v, f, branch);
    node_id main = b.function(std::span(&x, 1), let, "main");
};

}  // namespace

TEST_CASE("a node stands in the innermost scope that holds all its uses, and a let's body is one") {
    sample s;
    s.b.declare(s.main);
    const ir_module& m = s.b.so_far();
    const relay_scopes scopes(m);
    CHECK(scopes.home(s.main) == 0);
    const scope_id body = scopes.first(s.main), value = scopes.first(s.let), rest = value + 1;
    CHECK(scopes.home(s.let) == body);
    CHECK(scopes.home(s.f) == value);
    CHECK(scopes.home(s.branch) == rest);
    CHECK(scopes.home(s.g) == scopes.first(s.branch));
    CHECK(scopes.home(s.h) == scopes.first(s.branch) + 1);
    CHECK(scopes.uses(s.f) == 2);
    CHECK(scopes.uses(s.v) == 2);
    CHECK(scopes.parent(rest) == value);
    CHECK(scopes.is_inside(scopes.home(s.g), body));
    CHECK_FALSE(scopes.is_inside(body, value));
    CHECK(scopes.scopes_of(s.branch) == 2);
    CHECK(scopes.scopes_of(s.f) == 0);
    CHECK(scopes.binder(s.v) == value);
    CHECK(scopes.binder(s.x) == body);
    CHECK_FALSE(scopes.escapes(s.v));
    CHECK_FALSE(scopes.is_recursive(s.let));
    CHECK(scopes.size() == 6);
}

TEST_CASE("what no function needs stands nowhere, and what several need stands in the first of them") {
    ir_builder b;
    const node_id shared = b.call("f", {}), unused = b.call("g", {shared});
    const node_id one = b.function({}, shared, "one"), two = b.function({}, shared, "two");
    b.declare(one);
    b.declare(two);
    const ir_module& m = b.so_far();
    const relay_scopes scopes(m);
    CHECK(scopes.home(unused) == relay_scopes::nowhere);
    CHECK(scopes.home(shared) == 0);
    CHECK(scopes.definition(shared) == 0);
    CHECK(scopes.uses(shared) == 2);
}

TEST_CASE("a variable escapes where what reads it is needed outside, and recurs where its own value reads it") {
    ir_builder b;
    const node_id x = b.input("x", {}), v = b.input("v", {}), free = b.input("free", {});
    const node_id inside = b.call("f", {x}), closure = b.function(std::span(&x, 1), inside);
    const node_id value = b.call("g", {v}), let = b.let(v, value, v);
    const node_id both[] = {closure, inside, let, free};
    const node_id main = b.function({}, b.tuple(both), "main");
    b.declare(main);
    const ir_module& m = b.so_far();
    const relay_scopes scopes(m);
    CHECK(scopes.escapes(x));
    CHECK(scopes.escapes(free));
    CHECK_FALSE(scopes.escapes(v));
    CHECK(scopes.is_recursive(let));
    std::vector<std::pair<node_id, scope_id>> uses;
    scopes.each_use(let, [&](node_id n, scope_id s) { uses.emplace_back(n, s); });
    CHECK(uses == std::vector<std::pair<node_id, scope_id>>{{value, scopes.first(let)}, {v, scopes.first(let) + 1}});
}

TEST_CASE("clauses bind their variables, and a function that is declared alone its buffer") {
    ir_builder b;
    const node_id data = b.input("data", {}), h = b.input("h", {}), t = b.input("t", {});
    const node_id one = b.call("f", {h, t}), other = b.call("g", {});
    const node_id operands[] = {data, h, t, one, other};
    const node_id match = b.add(node_kind::match, operands, 0, {}, {}, {{"clause_sizes", std::vector<std::int64_t>{2, 0}}});
    const node_id main = b.function(std::span(&data, 1), match, "main");
    const node_id buffer = b.input({}, {});
    const node_id lowered = b.function({}, buffer, "lowered", {{"extern", std::int64_t{1}}});
    b.declare(lowered);
    b.declare(main);
    const ir_module& m = b.so_far();
    const relay_scopes scopes(m);
    CHECK(scopes.scopes_of(match) == 2);
    CHECK(scopes.binder(h) == scopes.first(match));
    CHECK(scopes.binder(t) == scopes.first(match));
    CHECK(scopes.home(one) == scopes.first(match));
    CHECK(scopes.home(other) == scopes.first(match) + 1);
    CHECK(has_no_body(m, lowered));
    CHECK_FALSE(has_no_body(m, main));
    CHECK(scopes.binder(buffer) == scopes.first(lowered));
    CHECK_FALSE(scopes.escapes(buffer));
}
