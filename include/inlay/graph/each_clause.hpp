// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_EACH_CLAUSE_HPP
#define INLAY_GRAPH_EACH_CLAUSE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/graph/concepts.hpp>

namespace inlay {

/// Calls `f(clause, first, result)` for each clause of a match: its number, the place of its first variable among the match's operands, and
/// that of its result, with its variables between. False where the attribute `clause_sizes` has more variables than there are operands; the
/// clauses before that are told. Linear in the clauses.
template <functional_graph G, class F>
bool each_clause(const G& g, node_id match, F&& f) {
    const auto* sizes = g.attributes(match).template get<std::vector<std::int64_t>>("clause_sizes");
    const std::size_t arity = g.arity(match);
    std::size_t at = 1;
    for (std::size_t c = 0; sizes != nullptr && c < sizes->size(); ++c) {
        const std::int64_t variables = (*sizes)[c];
        if (variables < 0 || at >= arity || static_cast<std::uint64_t>(variables) >= arity - at) return false;
        const std::size_t result = at + static_cast<std::size_t>(variables);
        f(c, at, result);
        at = result + 1;
    }
    return true;
}

}  // namespace inlay

#endif
