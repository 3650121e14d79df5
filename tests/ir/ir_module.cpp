// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/ir_module.hpp>

#include <concepts>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using inlay::node_id;
using inlay::node_kind;

static_assert(inlay::functional_graph<inlay::ir_module>);
static_assert(inlay::rewritable_graph<inlay::ir_module>);
static_assert(std::copyable<inlay::ir_module>, "a module is a value");

namespace {

const inlay::tensor_type row(inlay::element_type::float32, {4});

/// main(x, y) = (x + y, neg(x))
inlay::ir_module two_results() {
    inlay::ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row), y = b.input("y", row);
    const node_id fields[] = {b.call("add", {x, y}, {}, row), b.call("neg", {x}, {{"axis", std::int64_t{1}}}, row, "minus")};
    const node_id pair = b.tuple(fields);
    const node_id parameters[] = {x, y};
    b.declare(b.function(parameters, pair, "main"));
    b.name_results({"sum", "negative"});
    return b.finish();
}

}  // namespace

TEST_CASE("a module says what each node is, reads and makes") {
    const inlay::ir_module m = two_results();
    REQUIRE(m.size() == 6);
    CHECK(m.kind(0) == node_kind::input);
    CHECK(m.op(0) == "input");
    CHECK(m.name(0) == "x");
    CHECK(m.op(2) == "add");
    CHECK((m.op_id(2) == m.op_id(3)) == (m.op(2) == m.op(3)));
    CHECK(m.arity(2) == 2);
    CHECK(m.operand(2, 1) == 1);
    CHECK(m.operands(3).size() == 1);
    CHECK(m.attributes(3).integer("axis", 0) == 1);
    CHECK(m.attributes(2).empty());
    CHECK(m.name(3) == "minus");
    CHECK(m.name(2).empty());
    CHECK(m.type(2) == inlay::node_type(row));
    CHECK(m.type(4) == inlay::node_type::tuple({row, row}));
    CHECK(m.constant(2) == nullptr);
    CHECK(m.origins(2).empty());
}

TEST_CASE("main's parameters are the inputs, and the fields of its tuple the results") {
    const inlay::ir_module m = two_results();
    REQUIRE(m.functions().size() == 1);
    CHECK(m.main() == 5);
    CHECK(m.symbol(m.main()) == "main");
    CHECK(std::vector<node_id>(m.inputs().begin(), m.inputs().end()) == std::vector<node_id>{0, 1});
    CHECK(m.result(m.main()) == 4);
    CHECK(m.results() == std::vector<node_id>{2, 3});
    CHECK(inlay::results_of(m) == m.results());
    CHECK(m.result_names() == std::vector<std::string>{"sum", "negative"});
}

TEST_CASE("a result that is no tuple is the one result") {
    inlay::ir_builder b;
    b.open_block();
    const node_id c = b.constant(inlay::tensor::scalar(2.0f));
    b.declare(b.function({}, c, "main"));
    const inlay::ir_module m = b.finish();
    CHECK(m.results() == std::vector<node_id>{c});
    CHECK(m.inputs().empty());
    CHECK(m.result_names().empty());
    REQUIRE(m.constant(c) != nullptr);
    CHECK(m.constant(c)->as<float>()[0] == 2.0f);
}

TEST_CASE("every kind but a call has a word for its operator") {
    inlay::ir_builder b;
    const node_kind kinds[] = {node_kind::input,    node_kind::tuple,     node_kind::projection, node_kind::function,  node_kind::apply,
                               node_kind::let,      node_kind::if_else,   node_kind::match,      node_kind::construct, node_kind::make_ref,
                               node_kind::read_ref, node_kind::write_ref, node_kind::global};
    const char* const words[] = {"input", "tuple",     "projection", "function", "apply",     "let",   "if",
                                 "match", "construct", "make_ref",   "read_ref", "write_ref", "global"};
    for (const node_kind k : kinds) b.add(k, {}, 0, {}, {});
    for (std::size_t i = 0; i < std::size(kinds); ++i) {
        CHECK(b.so_far().kind(static_cast<node_id>(i)) == kinds[i]);
        CHECK(b.so_far().op(static_cast<node_id>(i)) == words[i]);
    }
}

TEST_CASE("texts of a module stay where they are as long as one of its copies is there") {
    std::string_view op;
    inlay::ir_module last;
    {
        inlay::ir_module first = two_results();
        const inlay::ir_module second = first;
        op = first.op(2);
        const inlay::ir_module moved = std::move(first);
        CHECK(moved.op(2).data() == op.data());
        last = second;
    }
    CHECK(op == "add");
    CHECK(last.op(2).data() == op.data());
}
