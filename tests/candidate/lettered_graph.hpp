// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CANDIDATE_LETTERED_GRAPH_HPP
#define INLAY_TESTS_CANDIDATE_LETTERED_GRAPH_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/dataflow.hpp>
#include <inlay/candidate/partition_rule.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/op_kind.hpp>

/// A graph whose operators say by their first letter what they are: calls E(lementwise), B(roadcast), I(njective), R(eduction), A(nchor),
/// O(paque); x an input, c a constant without a value, s a scalar constant, t a tuple, p a projection, f a function.
struct lettered_graph {
    std::vector<std::string> ops;
    std::vector<std::vector<inlay::node_id>> reads;
    std::vector<inlay::block_id> blocks;
    std::vector<inlay::node_id> leaving;  // beside calls that nobody reads
    inlay::tensor one = inlay::tensor::scalar(1.0f);

    [[nodiscard]] std::size_t size() const { return ops.size(); }
    [[nodiscard]] std::string_view op(inlay::node_id n) const { return ops[n]; }
    [[nodiscard]] std::size_t arity(inlay::node_id n) const { return reads[n].size(); }
    [[nodiscard]] inlay::node_id operand(inlay::node_id n, std::size_t i) const { return reads[n][i]; }
    [[nodiscard]] inlay::block_id block(inlay::node_id n) const { return blocks[n]; }
    [[nodiscard]] const inlay::tensor* constant(inlay::node_id n) const { return ops[n][0] == 's' ? &one : nullptr; }
    [[nodiscard]] inlay::node_kind kind(inlay::node_id n) const {
        switch (ops[n][0]) {
            case 'x':
                return inlay::node_kind::input;
            case 'c':
            case 's':
                return inlay::node_kind::constant;
            case 't':
                return inlay::node_kind::tuple;
            case 'p':
                return inlay::node_kind::projection;
            case 'f':
                return inlay::node_kind::function;
            default:
                return inlay::node_kind::call;
        }
    }
    [[nodiscard]] std::vector<inlay::node_id> results() const {
        std::vector<bool> is_read(size());
        for (const auto& r : reads)
            for (const inlay::node_id n : r) is_read[n] = true;
        std::vector<inlay::node_id> found = leaving;
        for (inlay::node_id n = 0; n < size(); ++n)
            if (!is_read[n] && kind(n) != inlay::node_kind::input) found.push_back(n);
        return found;
    }

    inlay::node_id add(std::string op, std::vector<inlay::node_id> operands = {}, inlay::block_id block = 0) {
        ops.push_back(std::move(op));
        reads.push_back(std::move(operands));
        blocks.push_back(block);
        return static_cast<inlay::node_id>(ops.size() - 1);
    }
};

[[nodiscard]] inline inlay::op_kind kind_by_letter(const lettered_graph& g, inlay::node_id n) {
    switch (g.ops[n][0]) {
        case 'E':
            return inlay::op_kind::elementwise;
        case 'B':
            return inlay::op_kind::broadcast;
        case 'I':
            return inlay::op_kind::injective;
        case 'R':
            return inlay::op_kind::reduction;
        case 'A':
            return inlay::op_kind::anchor;
        default:
            return inlay::op_kind::opaque;
    }
}

[[nodiscard]] inline inlay::dataflow flow_of(const lettered_graph& g, std::vector<char> owned = {}) {
    return {g, kind_by_letter, std::move(owned)};
}

/// A random graph with two inputs and then calls of all kinds but opaque ones; with tuples, projections of them and constants too.
[[nodiscard]] inline lettered_graph random_lettered(std::uint32_t seed, std::size_t size, bool with_tuples = false) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<inlay::node_id>(random() % n); };
    lettered_graph g;
    g.add("x");
    g.add("x");
    while (g.size() < size) {
        std::string op(1, "EBIRA"[below(5)]);
        if (with_tuples && below(4) == 0) op = "t";
        if (with_tuples && below(8) == 0) {
            g.add("c");
            continue;
        }
        std::vector<inlay::node_id> operands(1 + below(2));
        for (auto& o : operands) o = below(2) == 0 ? below(g.size()) : static_cast<inlay::node_id>(g.size() - 1 - below(2));
        if (g.ops[operands[0]] == "t" && below(2) == 0) {
            op = "p";
            operands.resize(1);
        }
        g.add(std::move(op), std::move(operands));
    }
    return g;
}

/// The nodes of each, as text, in their order: "{2} {2,3}".
[[nodiscard]] inline std::string texts(const std::vector<inlay::ruled_subgraph>& all) {
    std::string text;
    for (const inlay::ruled_subgraph& c : all) text += (text.empty() ? "" : " ") + to_string(c.part.nodes());
    return text;
}

/// The same as a set of sets.
[[nodiscard]] inline std::set<std::vector<inlay::node_id>> node_lists(const std::vector<inlay::ruled_subgraph>& all) {
    std::set<std::vector<inlay::node_id>> lists;
    for (const inlay::ruled_subgraph& c : all) lists.insert(c.part.nodes().list());
    return lists;
}

/// Which node reaches which, by at least one edge.
[[nodiscard]] inline std::vector<std::vector<bool>> reach(const lettered_graph& g) {
    std::vector<std::vector<bool>> reaches(g.size(), std::vector<bool>(g.size()));
    for (inlay::node_id to = 0; to < g.size(); ++to)
        for (const inlay::node_id from : g.reads[to]) {
            reaches[from][to] = true;
            for (inlay::node_id n = 0; n < from; ++n)
                if (reaches[n][from]) reaches[n][to] = true;
        }
    return reaches;
}

/// A set of up to so many calls in the range, from random bits.
[[nodiscard]] inline std::vector<inlay::node_id> random_set(const lettered_graph& g, std::mt19937& random) {
    std::vector<inlay::node_id> set;
    const auto one_in = 2 + random() % 3;
    for (inlay::node_id n = 2; n < g.size(); ++n)
        if (random() % one_in == 0) set.push_back(n);
    return set;
}

#endif
