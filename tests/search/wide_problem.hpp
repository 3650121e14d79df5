// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_SEARCH_WIDE_PROBLEM_HPP
#define INLAY_TESTS_SEARCH_WIDE_PROBLEM_HPP

#include <cstdint>

#include <inlay/search/problem.hpp>

namespace inlay {

/// A chain of 20 nodes, each in any of 60 formats: tables that are large for what they say.
[[nodiscard]] inline problem chain_of_many_formats(std::uint32_t backends) {
    problem made;
    made.nodes = 20;
    made.formats = 60;
    made.conversions = uniform_conversions(60, 3);
    for (node_id v = 0; v < made.nodes; ++v) {
        if (v > 0) made.edges.push_back({v - 1, v});
        for (std::uint32_t f = 0; f < made.formats; ++f)
            made.candidates.push_back({.nodes = {v}, .cost = 1.0 + (v * 7 + f * 5) % 11, .backend = f % backends, .in = f, .out = f});
    }
    return made;
}

/// Every node is read by all later ones in one of three formats, so that nothing is ever settled.
[[nodiscard]] inline problem read_by_all_later() {
    problem made;
    made.nodes = 24;
    made.formats = 3;
    made.conversions = uniform_conversions(3, 1);
    for (node_id v = 0; v < made.nodes; ++v) {
        for (node_id u = 0; u < v; ++u) made.edges.push_back({u, v});
        for (format_index f = 0; f < 3; ++f) made.candidates.push_back({.nodes = {v}, .cost = 1, .backend = f, .in = f, .out = f});
    }
    return made;
}

}  // namespace inlay

#endif
