// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROBLEM_HPP
#define INLAY_SEARCH_PROBLEM_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <inlay/core/id.hpp>

namespace inlay {

/// The number of a format in a `problem`: dense, from 0.
using format_index = std::uint32_t;

/// The number of a candidate in a `problem`: its place in `problem::candidates`.
using candidate_index = std::uint32_t;

/// The price of a conversion that nobody can do.
inline constexpr double impossible = std::numeric_limits<double>::infinity();

/// Node `to` reads the tensor that node `from` makes; `from < to`.
struct problem_edge {
    node_id from = 0;
    node_id to = 0;

    friend bool operator==(const problem_edge&, const problem_edge&) = default;
};

/// One tensor, named by the node that makes it, and a format for it.
struct tensor_format {
    node_id node = 0;
    format_index format = 0;

    friend bool operator==(const tensor_format&, const tensor_format&) = default;
};

/// Conversion prices for the tensor that one node makes: `formats * formats` prices, row by row, row = format it stands in.
struct node_conversions {
    node_id node = 0;
    std::vector<double> prices;

    friend bool operator==(const node_conversions&, const node_conversions&) = default;
};

/// A way to run a set of nodes: what it costs, in which formats it reads and gives its tensors.
struct problem_candidate {
    /// The nodes that it covers: distinct, at least one, in any order; they need not be connected.
    std::vector<node_id> nodes;
    /// Finite, at least 0, in the unit of the whole problem.
    double cost = 0;
    /// A label; the eager rule goes by it.
    backend_id backend = 0;
    /// The format of every tensor that it reads from outside, unless `in_of` says otherwise.
    format_index in = 0;
    /// The format of every tensor that leaves it, unless `out_of` says otherwise.
    format_index out = 0;
    /// Exceptions to `in`, by producer; each producer is read from outside and stands at most once.
    std::vector<tensor_format> in_of{};
    /// Exceptions to `out`, by covered node; each node stands at most once.
    std::vector<tensor_format> out_of{};

    friend bool operator==(const problem_candidate&, const problem_candidate&) = default;
};

/// What selection is about, in numbers alone: cover every node once by candidates, at the least sum of their costs and of the
/// conversions between the formats in which tensors are given and wanted.
///
/// The price of a cover is the sum of its candidates' costs plus, for every node `u` whose tensor stands in format f and is read
/// by other parts, `price(u, f, g)` for each format g != f that some of them want: once if `share_conversions`, else once for each
/// reading part. With `acyclic` the graph of parts has no cycle.
///
/// Everything that takes a `problem` relies on `check(problem)`.
struct problem {
    std::uint32_t nodes = 0;
    /// Pairwise distinct, in any order.
    std::vector<problem_edge> edges;
    std::uint32_t formats = 1;
    /// `formats * formats` prices, row by row: `[f * formats + g]` turns format f into g; `impossible` is allowed, the diagonal is 0.
    std::vector<double> conversions = {0.0};
    /// Tables of their own for single nodes, at most one a node, in any order.
    std::vector<node_conversions> conversions_of;
    bool share_conversions = true;
    bool acyclic = true;
    std::vector<problem_candidate> candidates;

    friend bool operator==(const problem&, const problem&) = default;
};

/// A conversion table in which every pair of different formats costs `price`.
[[nodiscard]] inline std::vector<double> uniform_conversions(std::uint32_t formats, double price) {
    const std::size_t size = formats;
    std::vector<double> table(size * size, price);
    for (std::size_t f = 0; f < size; ++f) table[f * size + f] = 0.0;
    return table;
}

}  // namespace inlay

#endif
