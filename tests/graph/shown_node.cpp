// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/shown_node.hpp>

#include <string>

#include <doctest/doctest.h>

#include "two_vectors.hpp"

#include <inlay/graph/graph_ref.hpp>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

TEST_CASE("a sentence names a node by its name, else by its number") {
    ir_builder b;
    b.call("f", {b.input("x", {})}, {}, {}, "conv 1");
    b.call("f", {node_id{1}});
    const ir_module& g = b.so_far();
    CHECK(node_name(g, 1) == "conv 1");
    CHECK(shown_node(g, 1) == "node 'conv 1'");
    CHECK(node_name(g, 2).empty());
    CHECK(shown_node(g, 2) == "node 2");
    CHECK(shown_node(graph_ref(g), 1) == "node 'conv 1'");
    CHECK(shown_node(graph_ref(g), 2) == "node 2");
}

TEST_CASE("a graph without names, and a node that is not there, have numbers alone") {
    two_vectors g;
    g.add("x");
    CHECK(node_name(g, 0).empty());
    CHECK(shown_node(g, 0) == "node 0");
    CHECK(shown_node(g, 1000) == "node 1000");
}

TEST_CASE("a name with line ends, escape sequences or broken UTF-8 stays on one line") {
    ir_builder b;
    b.input("a\nb\r\x1b[2Jc\xc3(\xe2\x80\xa8", {});
    CHECK(shown_node(b.so_far(), 0) == "node 'a\\x0ab\\x0d\\x1b[2Jc\\xc3(\\xe2\\x80\\xa8'");
    ir_builder longer;
    longer.input(std::string(1000, 'n'), {});
    CHECK(shown_node(longer.so_far(), 0) == "node '" + std::string(80, 'n') + "...'");
}
