// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_INSTANCE_HPP
#define INLAY_BENCHMARKS_SEARCH_INSTANCE_HPP

#include <cstdint>
#include <vector>

#include <inlay/search/problem.hpp>

#include "topology.hpp"

namespace bench {

/// What decides which candidates there are, in which formats, and at what price.
enum class cost_model : std::uint8_t {
    /// Every set of nodes draws for itself; one conversion table for all tensors.
    random,
    /// Sets of equal layers draw the same: equal operations on equal shapes, joined in the same way. A conversion table for each
    /// shape class.
    layers,
};

/// In which formats a candidate reads and gives its tensors.
enum class format_rule : std::uint8_t {
    /// In its back end's own: back end b in format b modulo 3.
    of_backend,
    /// In any, drawn for each candidate, once for what it reads and once for what it gives.
    drawn,
};

struct instance_options {
    cost_model model = cost_model::random;
    format_rule rule = format_rule::of_backend;
    bool share_conversions = true;
    std::uint64_t seed = 1;
};

/// All prices are whole multiples of this, so that every solver adds them up without rounding.
inline constexpr double price_grain = 1.0 / 16;

/// The search instance on a network whose candidates may cover `sets` (single nodes among them): 3 formats, 4 back ends, parts
/// acyclic. A node alone runs on back end 0, and on each other with probability 2/3; several nodes run on each back end with
/// probability 1/4: about 5 candidates a node with sets of up to 3, of which 3 for one node. A node costs 10 to 50; a candidate what its
/// nodes cost, times 0.6 to 1.4, less 8 % for each node after the first. A conversion costs 2 to 20.
[[nodiscard]] inlay::problem make_instance(const topology& of, const std::vector<std::vector<inlay::node_id>>& sets,
                                           const instance_options& options);

}  // namespace bench

#endif
