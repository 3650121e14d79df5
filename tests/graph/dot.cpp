// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/dot.hpp>

#include <doctest/doctest.h>

#include "two_vectors.hpp"

namespace {
two_vectors diamond() {
    two_vectors g;
    g.add("x");
    g.add("f", {0});
    g.add("g", {0, 1});
    return g;
}
}  // namespace

TEST_CASE("a graph is drawn operands above users, inputs as ellipses") {
    const two_vectors g = diamond();
    CHECK(inlay::dot_text(g, [&](inlay::node_id n) { return std::string(g.op(n)); }) ==
          "digraph program {\n"
          "  node [shape=box];\n"
          "  n0 [label=\"x\", shape=ellipse];\n"
          "  n1 [label=\"f\"];\n"
          "  n2 [label=\"g\"];\n"
          "  n0 -> n1;\n"
          "  n0 -> n2;\n"
          "  n1 -> n2;\n"
          "}\n");
}

TEST_CASE("a node whose label is empty is left out with its edges") {
    const two_vectors g = diamond();
    const std::string text = inlay::dot_text(g, [&](inlay::node_id n) { return n == 1 ? std::string() : std::string(g.op(n)); });
    CHECK(text.find("n1") == std::string::npos);
    CHECK(text.find("n0 -> n2") != std::string::npos);
}

TEST_CASE("labels are quoted: quotes, backslashes and ends of lines stay inside") {
    two_vectors g;
    g.add("x");
    const std::string text = inlay::dot_text(g, [](inlay::node_id) { return std::string("a\"b\\c\nd"); });
    CHECK(text.find("label=\"a\\\"b\\\\c\\nd\"") != std::string::npos);
}

TEST_CASE("a graph of nothing is still a drawing") {
    CHECK(inlay::dot_text(two_vectors(), [](inlay::node_id) { return std::string("?"); }) == "digraph program {\n  node [shape=box];\n}\n");
}
