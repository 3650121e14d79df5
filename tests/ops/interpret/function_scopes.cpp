// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/function_scopes.hpp>

#include <doctest/doctest.h>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("Nodes belong to the innermost function, and functions capture through all that is between") {
    node_id outer_sum = no_node, inner = no_node, middle = no_node;
    const ir_module m = program({f32({})}, [&](ir_builder& b, auto& x) {
        outer_sum = b.call("onnx.Add", {x[0], x[0]});
        b.open_block();
        const node_id y = b.input("y", f32({}));
        b.open_block();
        const node_id z = b.input("z", f32({}));
        const node_id read = b.call("onnx.Mul", {outer_sum, b.call("onnx.Mul", {z, y})});
        inner = b.function(std::vector<node_id>{z}, read);
        middle = b.function(std::vector<node_id>{y}, inner);
        return middle;
    });
    const auto s = function_scopes::of(m);
    REQUIRE(s.has_value());
    CHECK(s->owner(outer_sum) == m.main());
    CHECK(s->owner(inner) == middle);
    CHECK(s->owner(middle) == m.main());
    CHECK(s->owner(m.main()) == no_node);
    REQUIRE(s->captured(inner).size() == 2);
    CHECK(s->captured(inner)[0] == outer_sum);
    REQUIRE(s->captured(middle).size() == 1);
    CHECK(s->captured(middle)[0] == outer_sum);
    CHECK(s->uses(outer_sum) == 1);
    CHECK(s->uses(m.parameters(m.main())[0]) == 2);
}

TEST_CASE("Reading from a function that is not around is an error") {
    const ir_module m = program({f32({})}, [&](ir_builder& b, auto& x) {
        b.open_block();
        const node_id y = b.input("y", f32({})), hidden = b.call("onnx.Neg", {y}, {}, {}, "hidden");
        b.function(std::vector<node_id>{y}, hidden);
        return b.call("onnx.Add", {x[0], hidden}, {}, {}, "thief");
    });
    const auto s = function_scopes::of(m);
    REQUIRE_FALSE(s.has_value());
    CHECK(s.failure().message.find("'thief'") != std::string::npos);
    CHECK(s.failure().message.find("'hidden'") != std::string::npos);
}

TEST_CASE("What a match looks at and what its clauses give is read, also where that is a variable from outside") {
    ir_builder b;
    const node_id x = b.input("x", f32({})), y = b.input("y", f32({})), z = b.input("z", {}), head = b.input("head", f32({}));
    const node_id found = b.add(node_kind::match, {z, head, head, y, x}, 0, {}, {},
                                {{"clause_sizes", ints{1, 1}}, {"patterns", std::vector<std::string>{"Cons(%)", "%"}}});
    const node_id inner = b.function(std::vector<node_id>{z}, found);
    b.declare(b.function(std::vector<node_id>{x}, b.apply(std::vector<node_id>{inner, x}), "main"));
    const ir_module m = b.finish_in_blocks();
    const auto s = function_scopes::of(m);
    REQUIRE(s.has_value());
    const auto named = [&](std::string_view name) {
        node_id n = 0;
        while (m.name(n) != name) ++n;
        return n;
    };
    node_id function = 0;
    while (m.kind(function) != node_kind::function) ++function;
    REQUIRE(s->captured(function).size() == 1);
    CHECK(s->captured(function)[0] == named("x"));
    CHECK(s->uses(named("head")) == 1);
    CHECK(s->uses(named("z")) == 1);
    CHECK(s->uses(named("y")) == 0);
}
