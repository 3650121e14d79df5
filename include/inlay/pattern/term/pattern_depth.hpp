// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_PATTERN_DEPTH_HPP
#define INLAY_PATTERN_TERM_PATTERN_DEPTH_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// Stands for a pattern that may reach arbitrarily far from its root.
inline constexpr std::size_t unbounded_depth = static_cast<std::size_t>(-1);

namespace detail {
inline std::size_t depth_of_term(const pattern_view& p, term_id id, std::size_t budget) {
    const pattern_term& t = p[id];
    if (t.kind == term_kind::repeat || t.kind == term_kind::reference || t.kind == term_kind::custom_matcher ||
        t.kind == term_kind::dominates || budget == 0)
        return unbounded_depth;
    std::size_t deepest = 0;
    for (const term_id c : p.children(t)) {
        const std::size_t d = depth_of_term(p, c, budget - 1);
        if (d == unbounded_depth) return d;
        deepest = std::max(deepest, d);
    }
    return deepest + (t.kind == term_kind::node ? 1 : 0);
}
}  // namespace detail

/// How many nodes lie on the longest way from a match's root into it; `unbounded_depth` for repetitions, recursion, dominators and custom
/// matchers. A bare operator has depth 1.
[[nodiscard]] inline std::size_t pattern_depth(const pattern_view& p) { return detail::depth_of_term(p, p.root, p.terms.size() + 1); }

/// Adds the operators that a match's root may be a call of; false where it may be anything else.
[[nodiscard]] inline bool root_operators(const pattern_view& p, term_id id, std::vector<std::string_view>& names) {
    const pattern_term& t = p[id];
    const auto all = [&] {
        for (const term_id c : p.children(t))
            if (!root_operators(p, c, names)) return false;
        return t.count != 0;
    };
    switch (t.kind) {
        case term_kind::node:
        case term_kind::custom_matcher:
            if ((t.kind == term_kind::node && t.node != node_kind::call) || t.names.empty()) return false;
            names.insert(names.end(), t.names.begin(), t.names.end());
            return true;
        case term_kind::either:
            return all();
        case term_kind::both: {
            // One conjunct that tells its operators is enough.
            for (const term_id c : p.children(t)) {
                std::vector<std::string_view> of_one;
                if (!root_operators(p, c, of_one)) continue;
                names.insert(names.end(), of_one.begin(), of_one.end());
                return true;
            }
            return false;
        }
        case term_kind::capture:
        case term_kind::attributes:
        case term_kind::type:
            return root_operators(p, p.child(t, 0), names);
        case term_kind::dominates:
            return root_operators(p, p.child(t, 2), names);
        case term_kind::repeat:
            return all();
        default:
            return false;
    }
}

}  // namespace inlay

#endif
