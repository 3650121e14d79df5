// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_LONE_CALL_HPP
#define INLAY_PATTERN_TERM_LONE_CALL_HPP

#include <cstddef>
#include <string_view>

#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

namespace detail {

/// Goes through the terms that may stand for one node. `steps` ends what references make circular.
struct lone_call_walk {
    const pattern_view& pattern;
    std::string_view op;

    /// Whether the term may match what is no call: an input or a constant.
    [[nodiscard]] constexpr bool may_be_leaf(term_id at, std::size_t steps) const {
        const pattern_term& t = pattern[at];
        if (steps == 0) return false;
        switch (t.kind) {
            case term_kind::node:
                return t.node != node_kind::call;
            case term_kind::either:
                for (const term_id child : pattern.children(t))
                    if (may_be_leaf(child, steps - 1)) return true;
                return false;
            case term_kind::both:
                for (const term_id child : pattern.children(t))
                    if (!may_be_leaf(child, steps - 1)) return false;
                return true;
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type:
            case term_kind::reference:
            case term_kind::custom_matcher:
                return may_be_leaf(pattern.child(t, 0), steps - 1);
            case term_kind::repeat:
                return (t.least == 0 && may_be_leaf(pattern.child(t, 1), steps - 1)) || may_be_leaf(pattern.child(t, 0), steps - 1);
            case term_kind::dominates:
                return false;
            default:
                return true;
        }
    }

    /// Whether the term may match a call of the operator, named as such, whose operands are no calls.
    [[nodiscard]] constexpr bool may_be_call(term_id at, std::size_t steps) const {
        const pattern_term& t = pattern[at];
        if (steps == 0) return false;
        switch (t.kind) {
            case term_kind::node: {
                bool is_named = false;
                for (const std::string_view name : t.names) is_named = is_named || name == op;
                if (t.node != node_kind::call || !is_named) return false;
                for (const term_id child : pattern.children(t))
                    if (!may_be_leaf(child, steps - 1)) return false;
                return true;
            }
            case term_kind::either:
                for (const term_id child : pattern.children(t))
                    if (may_be_call(child, steps - 1)) return true;
                return false;
            case term_kind::both: {
                // One of them names the operator; what the others ask may be anything.
                for (const term_id child : pattern.children(t))
                    if (may_be_call(child, steps - 1)) return true;
                return false;
            }
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type:
            case term_kind::reference:
            case term_kind::custom_matcher:
                return may_be_call(pattern.child(t, 0), steps - 1);
            case term_kind::repeat:
                return may_be_call(pattern.child(t, 0), steps - 1) || (t.least == 0 && may_be_call(pattern.child(t, 1), steps - 1));
            default:
                return false;
        }
    }
};

}  // namespace detail

/// Whether a pattern says by name that it takes a call of an operator by itself, with inputs and constants for operands: what a back end's
/// table tells of its kernels. Patterns for any operator name none. Guards of types and attributes are not asked, so that it may still
/// refuse a particular call. O(terms), but for references, which are followed as often as there are terms.
[[nodiscard]] constexpr bool names_call(const pattern_view& pattern, std::string_view op) {
    return detail::lone_call_walk{pattern, op}.may_be_call(pattern.root, pattern.terms.size() + 1);
}

}  // namespace inlay

#endif
