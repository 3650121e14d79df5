// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/block_tree.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using inlay::ir_builder;
using inlay::ir_module;
using inlay::node_id;
using inlay::node_kind;

namespace {

const inlay::tensor_type row(inlay::element_type::float32, {4});
const inlay::tensor_type flag(inlay::element_type::boolean, inlay::shape{});

std::vector<std::string> shown(const ir_module& m) {
    std::vector<std::string> all;
    for (node_id n = 0; n < m.size(); ++n)
        all.push_back((m.name(n).empty() ? std::string(m.op(n)) : std::string(m.name(n))) + "@" + std::to_string(m.block(n)));
    return all;
}

}  // namespace

TEST_CASE("nodes stand in the innermost block that has all their uses") {
    ir_builder b;
    const node_id x = b.input("x", row), c = b.input("c", flag), unused = b.input("unused", row);
    const node_id both = b.call("neg", {x}, {}, row, "both"), left = b.call("neg", {both}, {}, row, "left"),
                  right = b.call("exp", {both}, {}, row, "right");
    b.call("abs", {x}, {}, row, "dead");
    const node_id branch = b.if_else(c, left, right, "branch");
    const node_id parameters[] = {x, c, unused};
    b.declare(b.function(parameters, branch, "main"));
    const ir_module m = b.finish_in_blocks();
    CHECK(shown(m) == std::vector<std::string>{"x@1", "c@1", "unused@1", "both@1", "left@2", "right@3", "branch@1", "function@0"});
    CHECK(m.blocks() == 4);
    CHECK(m.parent(1) == 0);
    CHECK(m.parent(2) == 1);
    CHECK(m.parent(3) == 1);
    CHECK(m.inputs().size() == 3);
    CHECK(m.name(m.result(m.main())) == "branch");
}

TEST_CASE("clauses of a match and functions in functions have blocks of their own") {
    ir_builder b;
    const node_id x = b.input("x", {}), h = b.input("h", row), f = b.input("f", row);
    const node_id inner = b.call("add", {h, f}, {}, row, "inner");
    const node_id inner_parameters[] = {f};
    const node_id closure = b.function(inner_parameters, inner);
    const node_id none = b.call("zeros", {}, {}, row, "zeros");
    const node_id other_parameters[] = {b.input("g", row)};
    const node_id other = b.function(other_parameters, none);
    const node_id operands[] = {x, h, closure, other};
    const node_id match =
        b.add(node_kind::match, operands, 0, {}, {},
              {{"clause_sizes", std::vector<std::int64_t>{1, 0}}, {"patterns", std::vector<std::string>{"Some(%)", "None"}}});
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, match, "main"));
    const ir_module m = b.finish_in_blocks();
    CHECK(shown(m) ==
          std::vector<std::string>{"x@1", "h@2", "f@3", "inner@3", "function@2", "zeros@5", "g@5", "function@4", "match@1", "function@0"});
}

TEST_CASE("blocks nested a hundred thousand deep take no more than their number") {
    ir_builder b;
    const node_id x = b.input("x", row), c = b.input("c", flag);
    node_id now = x;
    for (int i = 0; i < 100'000; ++i) now = b.if_else(c, b.call("neg", {now}, {}, row), x);
    const node_id parameters[] = {x, c};
    b.declare(b.function(parameters, now, "main"));
    const ir_module m = b.finish_in_blocks();
    CHECK(m.size() == 200'003);
    CHECK(m.block(m.inputs()[0]) == 1);
    CHECK(m.blocks() == 200'002);
}
