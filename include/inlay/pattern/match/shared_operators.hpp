// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_MATCH_SHARED_OPERATORS_HPP
#define INLAY_PATTERN_MATCH_SHARED_OPERATORS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <inlay/graph/concepts.hpp>
#include <inlay/pattern/term/node_guard.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

namespace detail {

/// Lays a pattern over a graph, and counts the operators that agree. Looks at so many pairs of a term and a node at most.
template <graph G>
class pattern_overlay {
public:
    pattern_overlay(const pattern_view& p, const G& g) : p_(p), g_(g) {}

    [[nodiscard]] std::size_t operator()(term_id term, node_id n) { return shared(term, n, no_term, 0); }

private:
    static constexpr std::size_t most_pairs = 4096, most_depth = 64;

    /// `repeat` is the repetition around the term, which a hole stands for.
    std::size_t shared(term_id term, node_id n, term_id repeat, std::size_t depth) {
        if (++pairs_ > most_pairs || depth > most_depth) return 0;
        const pattern_term& t = p_[term];
        switch (t.kind) {
            case term_kind::node:
                return node(t, n, repeat, depth);
            case term_kind::either:
            case term_kind::both: {
                std::size_t most = 0;
                for (const term_id c : p_.children(t)) most = std::max(most, shared(c, n, repeat, depth + 1));
                return most;
            }
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type:
            case term_kind::reference:
                return shared(p_.child(t, 0), n, repeat, depth + 1);
            case term_kind::repeat:
                return std::max(shared(p_.child(t, 0), n, term, depth + 1), shared(p_.child(t, 1), n, repeat, depth + 1));
            case term_kind::hole:
                return repeat == no_term ? 0 : shared(repeat, n, no_term, depth + 1);
            case term_kind::dominates:
                return shared(p_.child(t, 2), n, repeat, depth + 1);
            default:
                return 0;
        }
    }

    std::size_t node(const pattern_term& t, node_id n, term_id repeat, std::size_t depth) {
        if (kind_of(g_, n) != t.node) return 0;
        const std::string_view found = name_asked_for(g_, n, t.node);
        if (!t.names.empty() && std::find(t.names.begin(), t.names.end(), found) == t.names.end()) return 0;
        std::size_t count = t.node == node_kind::call && !t.names.empty() ? 1 : 0;
        const std::size_t arity = g_.arity(n);
        if (!t.unordered) {
            const std::size_t skipped = t.node == node_kind::function && t.open && arity > t.count ? arity - t.count : 0;
            for (std::size_t i = 0; i < t.count && i + skipped < arity; ++i)
                count += shared(p_.child(t, i), g_.operand(n, i + skipped), repeat, depth + 1);
            return count;
        }
        // Each child takes the operand with which it shares most, of those that are left.
        const std::size_t places = std::min(arity, std::size_t{t.most});
        std::vector<char> is_used(places, 0);
        for (const term_id c : p_.children(t)) {
            std::size_t best = places, most = 0;
            for (std::size_t i = 0; i < places; ++i) {
                if (is_used[i] != 0) continue;
                const std::size_t with = shared(c, g_.operand(n, i), repeat, depth + 1);
                if (best == places || with > most) {
                    best = i;
                    most = with;
                }
            }
            if (best == places) break;
            if (most != 0) is_used[best] = 1;
            count += most;
        }
        return count;
    }

    const pattern_view& p_;
    const G& g_;
    std::size_t pairs_ = 0;
};

}  // namespace detail

/// How many operators of a pattern stand in the graph where the pattern has them when it is laid over a root, whether or not it matches:
/// where an operator differs, nothing below it is counted. Of alternatives and of a repetition's step and base the one with more counts.
/// O(terms) for patterns without repetitions; 4096 pairs of a term and a node are looked at.
template <graph G>
[[nodiscard]] std::size_t shared_operators(const pattern_view& p, const G& g, node_id root) {
    return detail::pattern_overlay<G>(p, g)(p.root, root);
}

}  // namespace inlay

#endif
