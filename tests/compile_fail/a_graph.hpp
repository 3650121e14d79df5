// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_COMPILE_FAIL_A_GRAPH_HPP
#define INLAY_TESTS_COMPILE_FAIL_A_GRAPH_HPP

#include <cstddef>
#include <string_view>

#include <inlay/graph/concepts.hpp>

/// The least graph, less what the including file takes out by a macro.
struct a_graph {
    [[nodiscard]] std::size_t size() const { return 0; }
    [[nodiscard]] std::string_view op(inlay::node_id) const { return ""; }
    [[nodiscard]] std::size_t arity(inlay::node_id) const { return 0; }
#ifndef LACKS_OPERAND
    [[nodiscard]] inlay::node_id operand(inlay::node_id, std::size_t) const { return {}; }
#endif
};

#endif
