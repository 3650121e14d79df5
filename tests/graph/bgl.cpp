// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/bgl.hpp>

#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/graph/transitive_closure.hpp>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/target/target.hpp>

#include "two_vectors.hpp"

using inlay::node_id;

namespace {

using bidirectional = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, std::string>;
using directed = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                       boost::property<boost::edge_index_t, std::size_t>>;
using view = inlay::bgl_view<bidirectional, inlay::detail::bundled_op<bidirectional>>;
using boost_two_vectors = inlay::detail::boost_graph<two_vectors>;
using boost_module = inlay::detail::boost_graph<inlay::ir_module>;

static_assert(inlay::graph<view>);
static_assert(!inlay::typed_graph<view>, "Boost's graphs know nothing of tensors");
BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<boost_module>));
BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<boost_module>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<boost_module>));
BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<boost_module>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<boost_two_vectors>));

template <class G>
std::vector<node_id> operands(const G& g, node_id n) {
    std::vector<node_id> list;
    for (std::size_t i = 0; i < g.arity(n); ++i) list.push_back(g.operand(n, i));
    return list;
}

/// main(x) = let y = relu(x) in add(sigmoid(y), tanh(y))
inlay::ir_module diamond() {
    const inlay::tensor_type row(inlay::element_type::float32, {4});
    inlay::ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    const node_id y = b.call("relu", {x}, {}, row);
    const node_id left = b.call("sigmoid", {y}, {}, row), right = b.call("tanh", {y}, {}, row);
    const node_id sum = b.call("add", {left, right}, {}, row);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, sum, "main"));
    return b.finish();
}

/// The same graph as Boost's, each node under the number that `place` gives it.
template <class Place>
bidirectional boost_copy(const two_vectors& g, Place&& place) {
    bidirectional made(g.size());
    for (node_id n = 0; n < g.size(); ++n) {
        made[place(n)] = std::string(g.op(n));
        for (const node_id o : g.reads[n]) add_edge(place(o), place(n), made);
    }
    return made;
}

}  // namespace

TEST_CASE("a Boost graph is numbered anew with operands first, the lowest ready vertex first") {
    bidirectional g(4);
    g[0] = "add";
    g[1] = "x";
    g[2] = "relu";
    g[3] = "y";
    add_edge(2, 0, g);
    add_edge(3, 0, g);
    add_edge(1, 2, g);
    const auto made = inlay::make_bgl_view(g);
    REQUIRE(made.has_value());
    CHECK(made->size() == 4);
    std::vector<std::string> ops;
    for (node_id n = 0; n < made->size(); ++n) ops.push_back(made->op(n));
    CHECK(ops == std::vector<std::string>{"x", "relu", "y", "add"});
    CHECK(operands(*made, 3) == std::vector<node_id>{1, 2});
    CHECK(operands(*made, 0).empty());
    for (node_id n = 0; n < 4; ++n) CHECK(made->node_of(made->vertex_of(n)) == n);
    CHECK(made->vertex_of(3) == 0);
}

TEST_CASE("a bidirectional graph's operands stand in the order in which their edges came, repeated ones too") {
    bidirectional g(3);
    add_edge(1, 2, g);
    add_edge(0, 2, g);
    add_edge(1, 2, g);
    const auto made = inlay::make_bgl_view(g);
    REQUIRE(made.has_value());
    CHECK(operands(*made, 2) == std::vector<node_id>{1, 0, 1});
}

TEST_CASE("a directed graph's edges say the places of operands; without a word producers come in their order") {
    directed g(3);
    add_edge(1, 2, 0, g);
    add_edge(0, 2, 1, g);
    const auto op_of = [](std::size_t v) { return v; };
    const auto by_producer = inlay::make_bgl_view(g, op_of);
    REQUIRE(by_producer.has_value());
    CHECK(operands(*by_producer, 2) == std::vector<node_id>{0, 1});
    const auto by_place = inlay::make_bgl_view(g, op_of, [&](const auto& e) { return get(boost::edge_index, g, e); });
    REQUIRE(by_place.has_value());
    CHECK(operands(*by_place, 2) == std::vector<node_id>{1, 0});
    CHECK(by_place->op(2) == 2);
}

TEST_CASE("a graph with a cycle is refused, with a vertex that lies on it") {
    bidirectional g(5);
    add_edge(0, 1, g);
    add_edge(3, 1, g);
    add_edge(3, 4, g);
    add_edge(4, 3, g);
    add_edge(1, 2, g);
    const auto made = inlay::make_bgl_view(g);
    REQUIRE_FALSE(made.has_value());
    const std::string& why = made.failure().message;
    CHECK((why.find("a cycle through vertex 3,") != std::string::npos || why.find("a cycle through vertex 4,") != std::string::npos));
    directed loop(1);
    add_edge(0, 0, 0, loop);
    CHECK_FALSE(inlay::make_bgl_view(loop, [](std::size_t v) { return v; }).has_value());
}

TEST_CASE("an empty Boost graph is an empty graph") {
    const bidirectional none;
    const auto made = inlay::make_bgl_view(none);
    REQUIRE(made.has_value());
    CHECK(made->size() == 0);
}

TEST_CASE("random graphs come through Boost as they were, however their vertices are numbered") {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        const two_vectors g = random_two_vectors(seed, 25);
        const bidirectional same = boost_copy(g, [](node_id n) { return std::size_t{n}; });
        const auto straight = inlay::make_bgl_view(same);
        REQUIRE(straight.has_value());
        const bidirectional reversed = boost_copy(g, [&](node_id n) { return g.size() - 1 - n; });
        const auto turned = inlay::make_bgl_view(reversed);
        REQUIRE(turned.has_value());
        for (node_id n = 0; n < g.size(); ++n) {
            CHECK(straight->op(n) == g.op(n));
            CHECK(operands(*straight, n) == g.reads[n]);
            const node_id there = turned->node_of(g.size() - 1 - n);
            CHECK(turned->op(there) == g.op(n));
            std::vector<node_id> expected;
            for (const node_id o : g.reads[n]) expected.push_back(turned->node_of(g.size() - 1 - o));
            CHECK(operands(*turned, there) == expected);
            for (const node_id o : expected) CHECK(o < there);
        }
    }
}

TEST_CASE("patterns match on a Boost graph") {
    bidirectional g(3);
    g[0] = "relu";
    g[1] = "conv";
    g[2] = "x";
    add_edge(1, 0, g);
    add_edge(2, 1, g);
    const auto made = inlay::make_bgl_view(g);
    REQUIRE(made.has_value());
    using namespace inlay::dsl;
    const auto found = inlay::match(op<"relu">(op<"conv">(as<"image">)), *made, inlay::user_lists(*made), 2);
    REQUIRE(found.has_value());
    CHECK(made->vertex_of(found->at<"image">()) == 2);
}

TEST_CASE("a graph seen as Boost's has a vertex per node and an edge per operand") {
    two_vectors g;
    g.add("x");
    g.add("f", {0, 0});
    g.add("g", {1, 0});
    const auto b = inlay::as_boost(g);
    CHECK(num_vertices(b) == 3);
    CHECK(num_edges(b) == 4);
    CHECK(out_degree(0, b) == 3);
    CHECK(in_degree(2, b) == 2);
    CHECK(degree(1, b) == 3);
    const auto [first, last] = in_edges(2, b);
    REQUIRE(std::distance(first, last) == 2);
    CHECK(source(*first, b) == 1);
    CHECK(std::next(first)->operand == 1);
    const auto [near, far] = adjacent_vertices(0, b);
    CHECK(std::vector<node_id>(near, far) == std::vector<node_id>{1, 1, 2});
    const auto [one, end] = edges(b);
    std::set<inlay::detail::boost_edge> all(one, end);
    CHECK(all.size() == 4);
    CHECK(get(boost::vertex_index, b, 2) == 2);
}

TEST_CASE("Boost sorts a module topologically") {
    const inlay::ir_module m = diamond();
    const auto b = inlay::as_boost(m);
    std::vector<node_id> reversed;
    boost::topological_sort(b, std::back_inserter(reversed));
    REQUIRE(reversed.size() == m.size());
    std::vector<std::size_t> place(m.size());
    for (std::size_t i = 0; i < reversed.size(); ++i) place[reversed[i]] = i;
    for (node_id n = 0; n < m.size(); ++n)
        for (const node_id o : m.operands(n)) CHECK(place[o] > place[n]);
}

TEST_CASE("Boost finds dominators in a module: what both arms of a diamond come from") {
    const inlay::ir_module m = diamond();
    const auto b = inlay::as_boost(m);
    std::vector<node_id> dominator(m.size(), inlay::no_node);
    boost::lengauer_tarjan_dominator_tree(b, node_id{0}, boost::make_iterator_property_map(dominator.begin(), get(boost::vertex_index, b)));
    CHECK(dominator[0] == inlay::no_node);
    CHECK(dominator[1] == 0);
    CHECK(dominator[2] == 1);
    CHECK(dominator[3] == 1);
    CHECK(dominator[4] == 1);
}

TEST_CASE("Boost closes a graph: its pairs are those of reachability") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const two_vectors g = random_two_vectors(seed, 15);
        std::vector<std::set<node_id>> expected(g.size());
        for (node_id n = 0; n < g.size(); ++n)
            for (const node_id o : g.reads[n]) {
                expected[n].insert(o);
                expected[n].insert(expected[o].begin(), expected[o].end());
            }
        boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> closed;
        boost::transitive_closure(inlay::as_boost(g), closed);
        std::vector<std::set<node_id>> found(g.size());
        const auto [first, last] = edges(closed);
        for (auto e = first; e != last; ++e) found[target(*e, closed)].insert(static_cast<node_id>(source(*e, closed)));
        CHECK(found == expected);
    }
    const inlay::ir_module m = diamond();
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> closed;
    boost::transitive_closure(inlay::as_boost(m), closed);
    CHECK(edge(0, 4, closed).second);
    CHECK_FALSE(edge(2, 3, closed).second);
}
