// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_RESULT_TERM_HPP
#define INLAY_REWRITE_RESULT_TERM_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

// The right side of a rule is a pattern too, read as a template: it describes how to build what it would match. Only terms that leave no
// choice can be built.

namespace inlay {

/// The faults that the two sides of a rule can have.
enum class rule_fault : std::uint8_t {
    none,
    leaves_a_choice,  // the right side has a term that can be built in several ways, or in none
    unbound_capture,  // the right side uses a name that the left side does not bind
    maybe_unbound     // the left side binds the name in some of its alternatives only
};

/// Whether every match of a term binds a slot. O(terms under it), without regard to what is shared.
[[nodiscard]] constexpr bool binds_surely(const pattern_view& p, term_id id, std::uint32_t slot) {
    const pattern_term& t = p[id];
    switch (t.kind) {
        case term_kind::capture:
            return t.place == slot || binds_surely(p, p.child(t, 0), slot);
        case term_kind::either:
            for (std::size_t i = 0; i < t.count; ++i)
                if (!binds_surely(p, p.child(t, i), slot)) return false;
            return t.count != 0;
        case term_kind::no:
        case term_kind::hole:
            return false;
        case term_kind::repeat:
            // Every match has the base; it has the step if that is repeated at least once.
            return binds_surely(p, p.child(t, 1), slot) || (t.least != 0 && binds_surely(p, p.child(t, 0), slot));
        case term_kind::dominates:
            return binds_surely(p, p.child(t, 0), slot) || binds_surely(p, p.child(t, 2), slot);
        case term_kind::reference:
            // A recursive definition is examined once, where it is defined.
            return p[p.child(t, 0)].kind != term_kind::reference && binds_surely(p, p.child(t, 0), slot);
        default:
            for (std::size_t i = 0; i < t.count; ++i)
                if (binds_surely(p, p.child(t, i), slot)) return true;
            return false;
    }
}

/// The first fault of a right side, given its left side.
[[nodiscard]] constexpr rule_fault fault_of(const pattern_view& left, const pattern_view& right, term_id id) {
    const pattern_term& t = right[id];
    switch (t.kind) {
        case term_kind::capture: {
            const std::size_t slot = left.slot(t.name);
            if (slot == left.slots.size()) return rule_fault::unbound_capture;
            if (!binds_surely(left, left.root, static_cast<std::uint32_t>(slot))) return rule_fault::maybe_unbound;
            return right[right.child(t, 0)].kind == term_kind::any ? rule_fault::none : rule_fault::leaves_a_choice;
        }
        case term_kind::literal:
            return rule_fault::none;
        case term_kind::type: {
            const pattern_term& of = right[right.child(t, 0)];
            const bool whole = t.type->kind == type_guard::form::tensor && t.type->element != element_type::none && !t.type->open;
            if (of.kind != term_kind::literal || !whole) return rule_fault::leaves_a_choice;
            for (const extent_guard& e : t.type->extents)
                if (e.size < 0) return rule_fault::leaves_a_choice;
            return rule_fault::none;
        }
        case term_kind::attributes:
            if (const pattern_term& of = right[right.child(t, 0)];
                of.kind != term_kind::attributes && (of.kind != term_kind::node || of.node != node_kind::call))
                return rule_fault::leaves_a_choice;
            for (const attribute_guard& g : t.guards) {
                if (g.kind == attribute_guard::form::present) return rule_fault::leaves_a_choice;
                if (g.kind != attribute_guard::form::like) continue;
                const std::size_t slot = left.slot(g.name);
                if (slot == left.slots.size()) return rule_fault::unbound_capture;
                if (!binds_surely(left, left.root, static_cast<std::uint32_t>(slot))) return rule_fault::maybe_unbound;
            }
            return fault_of(left, right, right.child(t, 0));
        case term_kind::node: {
            const bool call = t.node == node_kind::call && t.names.size() == 1;
            const bool field = t.node == node_kind::projection && t.place != pattern_term::unbounded;
            if ((!call && !field && t.node != node_kind::tuple) || t.open || t.unordered) return rule_fault::leaves_a_choice;
            for (std::size_t i = 0; i < t.count; ++i)
                if (const rule_fault f = fault_of(left, right, right.child(t, i)); f != rule_fault::none) return f;
            return rule_fault::none;
        }
        default:
            return rule_fault::leaves_a_choice;
    }
}
[[nodiscard]] constexpr rule_fault fault_of(const pattern_view& left, const pattern_view& right) {
    return fault_of(left, right, right.root);
}

}  // namespace inlay

#endif
