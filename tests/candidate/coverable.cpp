// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/coverable.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

/// Knows kinds of nodes: what a graph with control flow has.
struct graph_of_kinds {
    std::vector<node_kind> kinds;
    std::vector<std::vector<node_id>> reads;

    [[nodiscard]] std::size_t size() const { return kinds.size(); }
    [[nodiscard]] std::string_view op(node_id n) const { return kinds[n] == node_kind::if_else ? "if" : "f"; }
    [[nodiscard]] std::size_t arity(node_id n) const { return reads[n].size(); }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return reads[n][i]; }
    [[nodiscard]] node_kind kind(node_id n) const { return kinds[n]; }
    [[nodiscard]] std::vector<node_id> results() const { return {static_cast<node_id>(size() - 1)}; }
};

}  // namespace

TEST_CASE("control flow is named where a result rests on it, and nowhere else") {
    const graph_of_kinds plain{{node_kind::input, node_kind::constant, node_kind::call, node_kind::projection, node_kind::tuple},
                               {{}, {}, {0, 1}, {2}, {3}}};
    CHECK(has_no_control_flow(plain));
    const graph_of_kinds branch{{node_kind::input, node_kind::if_else, node_kind::call}, {{}, {0}, {1}}};
    const auto refused = has_no_control_flow(branch);
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message ==
          "node 1 ('if') is control flow, which no back end takes; fold it away or run the program with the interpreter");
    const graph_of_kinds calls{{node_kind::input, node_kind::apply}, {{}, {0}}};
    CHECK(has_no_control_flow(calls).failure().message ==
          "node 1 ('f') calls a function, which no back end takes; `inline_calls` puts its body there");
    const graph_of_kinds aside{{node_kind::input, node_kind::if_else, node_kind::call}, {{}, {0}, {0}}};
    CHECK(has_no_control_flow(aside));
}

TEST_CASE("an output that two projections give is told with both, unless nobody reads one of them") {
    const auto program = [](std::size_t other, bool is_read) {
        ir_builder b;
        b.open_block();
        const tensor_type row(element_type::float32, {4});
        const node_id x[] = {b.input("x", row)};
        const node_id made = b.call("mine.Pair", x, {}, node_type::tuple({row, row}), "pair");
        const node_id one = b.projection(made, 1, "one"), two = b.projection(made, other, "two");
        const node_id results[] = {one, is_read ? b.call("mine.Read", {two}, {}, row) : x[0]};
        b.declare(b.function(x, b.tuple(results), "main"));
        return b.finish();
    };
    CHECK(has_each_output_once(program(0, true)));
    CHECK(has_each_output_once(program(1, false)));
    const auto refused = has_each_output_once(program(1, true));
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message ==
          "node 'two' gives output 1 of node 'pair', as node 'one' does; read that one instead, or merge equal nodes with `clean`");
}

TEST_CASE("a node that is in no candidate is named, with the reason for which a back end refused it") {
    const toys::list backends;
    const ir_module m = toys::random_program(1, 6);
    candidate_set set = enumerate(m, backends);
    CHECK(can_be_covered(m, backends, set));
    const node_id left = set.to_cover.front();
    std::erase_if(set.candidates, [&](const candidate& c) { return std::find(c.nodes.begin(), c.nodes.end(), left) != c.nodes.end(); });
    const std::string here =
        "no chosen back end takes node '" + std::string(m.name(left)) + "' (operator '" + std::string(m.op(left)) + "')";
    const auto open = can_be_covered(m, backends, set);
    REQUIRE_FALSE(open);
    CHECK(open.failure().message == here + "; add a back end that does");
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", tensor_type(element_type::float32, {2}))};
    const node_id there = b.on_device(x[0], placement::on(device_type::cpu), true);
    b.declare(b.function(x, there, "main"));
    const ir_module annotated = b.finish();
    const auto raw = can_be_covered(annotated, backends, enumerate(annotated, backends));
    REQUIRE_FALSE(raw);
    CHECK(raw.failure().message == "node " + std::to_string(there) +
                                       " says where values are, and is no operator; `constraints_of` takes it out and keeps what it says");
    set.refusals.push_back({left, 1, "add", refusal::cause::predicate, "it is too long"});
    const auto refused = can_be_covered(m, backends, set);
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message == here + "; reference refused it: it is too long; add a back end that does");
}
