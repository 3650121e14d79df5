// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/testing/archetypes.hpp>

#include <type_traits>

#include <doctest/doctest.h>

#include <inlay/candidate/partition_rules.hpp>
#include <inlay/graph/dot.hpp>
#include <inlay/ops/op_kinds_in.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

// Each rung stands on its own and not on the next.
static_assert(graph<archetype_graph> && !typed_graph<archetype_graph>);
static_assert(typed_graph<archetype_typed_graph> && !attributed_graph<archetype_typed_graph>);
static_assert(attributed_graph<archetype_attributed_graph> && !scoped_graph<archetype_attributed_graph>);
static_assert(scoped_graph<archetype_scoped_graph> && !functional_graph<archetype_scoped_graph>);
static_assert(functional_graph<archetype_functional_graph> && !rewritable_graph<archetype_functional_graph>);
static_assert(rewritable_graph<archetype_rewritable_graph>);

static_assert(target<archetype_target> && !backend<archetype_target>);
static_assert(backend<archetype_backend>);
static_assert(executor<archetype_executor> && meter<archetype_meter>);

static_assert(!std::is_copy_constructible_v<archetype_graph> && !std::is_move_constructible_v<archetype_functional_graph>);
static_assert(!std::is_default_constructible_v<archetype_operator> && !std::is_copy_constructible_v<archetype_operator>);
static_assert(!std::is_default_constructible_v<archetype_executor> && !std::is_copy_constructible_v<archetype_meter>);

TEST_CASE("users, convexity and results need a graph and no more") {
    const archetype_graph g;
    const user_lists users(g);
    CHECK(users.count(0) == 1);
    const node_id both[] = {0, 1};
    CHECK(is_convex(g, users, both));
    CHECK(results_of(g) == std::vector<node_id>{1});
    const bool differ = g.op(0) != g.op(1);
    CHECK(differ);
    CHECK(dot_text(g, [](node_id n) { return std::to_string(n); }).find("n0 -> n1") != std::string::npos);
    CHECK(verify(g, candidate_set(), partitioned()).size() == 5);
}

TEST_CASE("partition rules need a graph and what knows the kinds of its calls, and no more") {
    const archetype_graph g;
    const dataflow flow(g, [](const archetype_graph&, node_id) { return op_kind::elementwise; });
    using rule = only_valid_rule<tvm_tuple_fusion<union_rule<kind_rule<>, host_rule<>>, 2>, subgraph_limits{}>;
    CHECK(candidates_of(rule(), g, flow).candidates.size() == 2);
}

TEST_CASE("the kinds in a set of operators need an attributed graph and no more") {
    struct no_ops {
        static const op_definition* find(std::string_view) { return nullptr; }
    };
    const archetype_attributed_graph g;
    CHECK(op_kinds_in<no_ops>()(g, 1) == op_kind::opaque);
    CHECK(dataflow(g, op_kinds_in<no_ops>()).op(1) == "archetype.relu");
}

TEST_CASE("stating a problem needs a typed graph and no more") {
    const archetype_typed_graph g;
    candidate_set nothing;
    nothing.to_cover = {1};
    const auto conversion = [](const tensor_type&, const format&, const format&) { return 1.0; };
    const selection_problem stated = state_problem(g, nothing, std::vector<double>(), conversion);
    CHECK(stated.numbers.nodes == 3);
}

TEST_CASE("a plan needs an attributed graph, back ends and a meter, and no more") {
    const auto bound = [](const auto&...) { return 0.0; };
    archetype_meter pricing(2.0);
    const backend_list<archetype_backend> backends;
    const auto planned = [&](const auto& g) {
        const auto made = make_plan(g, backends, pricing, bound);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        CHECK(*made->chosen.seconds == 1.0);
        CHECK(made->cut.parts.size() == 1);
    };
    planned(archetype_attributed_graph());
    planned(archetype_scoped_graph());
    planned(archetype_functional_graph());
    planned(archetype_rewritable_graph::builder(2).finish());
}

TEST_CASE("a reference to an executor needs an executor and no more") {
    archetype_executor backwards(3);
    const executor_ref reference(backwards);
    CHECK(reference.threads() == 3);
    std::vector<std::size_t> order;
    reference.run(3, [&](std::size_t i) { order.push_back(i); });
    CHECK(order == std::vector<std::size_t>{2, 1, 0});
}

TEST_CASE("the archetype of meters gives each job its seconds") {
    archetype_meter m(0.5);
    const pricing_job jobs[2] = {};
    const std::vector<measurement> found = m.price(jobs);
    REQUIRE(found.size() == 2);
    CHECK(found[1].median == 0.5);
    CHECK(found[1].is_measured());
}
