// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_GRAPH_TWO_VECTORS_HPP
#define INLAY_TESTS_GRAPH_TWO_VECTORS_HPP

#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/graph/concepts.hpp>

/// A graph of two vectors and nothing else, as a user's first one is.
struct two_vectors {
    std::vector<std::string_view> ops;
    std::vector<std::vector<inlay::node_id>> reads;

    [[nodiscard]] std::size_t size() const { return ops.size(); }
    [[nodiscard]] std::string_view op(inlay::node_id n) const { return ops[n]; }
    [[nodiscard]] std::size_t arity(inlay::node_id n) const { return reads[n].size(); }
    [[nodiscard]] inlay::node_id operand(inlay::node_id n, std::size_t i) const { return reads[n][i]; }

    inlay::node_id add(std::string_view op, std::vector<inlay::node_id> operands = {}) {
        ops.push_back(op);
        reads.push_back(std::move(operands));
        return static_cast<inlay::node_id>(ops.size() - 1);
    }
};

/// A random graph of operators f, g and h with up to two operands, the first two nodes inputs.
inline two_vectors random_two_vectors(std::uint32_t seed, std::size_t size) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    two_vectors g;
    g.add("x");
    g.add("y");
    while (g.size() < size) {
        const std::string_view op = std::vector<std::string_view>{"f", "g", "h"}[below(3)];
        std::vector<inlay::node_id> operands(1 + below(2));
        // Near operands make long chains, far ones make branches.
        for (auto& o : operands) o = static_cast<inlay::node_id>(below(2) == 0 ? below(g.size()) : g.size() - 1 - below(2));
        g.add(op, std::move(operands));
    }
    return g;
}

#endif
