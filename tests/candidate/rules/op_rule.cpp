// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/rules/op_rule.hpp>

#include <doctest/doctest.h>

#include "../lettered_graph.hpp"

using namespace inlay;

namespace {
struct chip {
    std::size_t most_operands;
};
struct few_operands {
    template <class Context>
    verdict operator()(const Context& context, node_id n) const {
        return context.flow.arity(n) <= context.owner.most_operands
                   ? verdict::yes()
                   : verdict::no("it has " + std::to_string(context.flow.arity(n)) + " operands");
    }
};
struct named_exp {
    template <class Context>
    bool operator()(const Context& context, node_id n) const {
        return context.graph.op(n) == "Exp";
    }
};
}  // namespace

TEST_CASE("each call by itself that the predicate takes, by the owner's options; the reason of a no is noted [candidate.rule.op]") {
    lettered_graph g;
    const node_id x = g.add("x"), one = g.add("E", {x}), two = g.add("E", {x, one});
    g.add("Exp", {x, one, two});
    const ruled_subgraphs found = candidates_of(op_rule<"chip", few_operands>{}, g, flow_of(g), chip{2});
    CHECK(texts(found.candidates) == "{1} {2}");
    CHECK(found.candidates[0].rule == "chip");
    REQUIRE(found.notes.size() == 1);
    CHECK(found.notes[0].why == rule_note::cause::declined);
    CHECK(found.notes[0].rule == "chip");
    CHECK(found.notes[0].root == 3);
    CHECK(found.notes[0].reason == "it has 3 operands");
    CHECK(found.is_complete());
    CHECK(texts(candidates_of(op_rule<"chip", few_operands>{}, g, flow_of(g), chip{1}).candidates) == "{1}");
    CHECK(texts(candidates_of(op_rule<"exp", named_exp>{}, g, flow_of(g)).candidates) == "{3}");
    CHECK(candidates_of(op_rule<"exp", named_exp>{}, g, flow_of(g, {0, 0, 0, 1})).candidates.empty());
}
