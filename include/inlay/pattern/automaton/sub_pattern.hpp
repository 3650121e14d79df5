// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_SUB_PATTERN_HPP
#define INLAY_PATTERN_AUTOMATON_SUB_PATTERN_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <inlay/pattern/term/node_guard.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// The number of a sub-pattern in an inventory.
using sub_pattern_id = std::uint32_t;

/// A condition on a node that depends on the node itself and on the same kind of conditions on its operands. One pass over a graph,
/// operands first, can decide it.
struct sub_pattern {
    enum class form : std::uint8_t {
        node,    // the node is of this kind, bears one of these names, has that many operands, and these match the children
        guard,   // the node is what a guard asks for
        either,  // one of the children holds at the node; of none: never
        both,    // all children hold at the node; of none: always
        no,      // the child does not hold at the node
        loop     // the child, which may be around this one, holds at the node
    };
    static constexpr std::uint32_t unbounded = 0xFFFF'FFFFu;

    form kind = form::both;
    node_kind node = node_kind::call;
    bool open = false;                        // of a node: it may have more operands than `arity`
    bool unordered = false;                   // of a node: each child holds at an operand of its own among the first `most`
    std::uint32_t first = 0, count = 0;       // the children, as a range of the links
    std::uint32_t first_name = 0, names = 0;  // of a node: numbers of names, as a range of the links; none: any name
    std::uint32_t arity = 0;                  // of a node
    std::uint32_t most = unbounded;
    std::uint32_t guard = 0;

    friend constexpr bool operator==(const sub_pattern&, const sub_pattern&) = default;
};

/// One question about a node alone: what one attribute guard asks, or what a term does that is a literal, a value, a type or a projection's
/// field.
struct node_question {
    const pattern_term* term = nullptr;
    const attribute_guard* attribute = nullptr;
    // Whether it is the attribute that is asked for, and not all that the term asks. Told apart: compilers that look for faults at run time
    // do not compare pointers with null at compile time.
    bool is_of_attribute = false;
};

/// One pattern of the set, reduced: `root` holds wherever the pattern matches; `exact` says whether the pattern matches wherever `root`
/// holds. Where `exact` is false a matcher has to verify: the pattern has a capture twice, a custom matcher, a dominator, or more than was
/// unfolded.
struct reduced_pattern {
    sub_pattern_id root = 0;
    bool exact = true;

    friend constexpr bool operator==(const reduced_pattern&, const reduced_pattern&) = default;
};

/// The sub-patterns of a set of patterns, each once. A child has a smaller number than its parent, except inside a loop. Number 0 always
/// holds, number 1 never. The view owns nothing.
struct sub_pattern_view {
    static constexpr sub_pattern_id always = 0, never = 1;

    std::span<const sub_pattern> forms{};
    std::span<const std::uint32_t> links{};
    std::span<const std::string_view> names{};
    std::span<const node_question> guards{};
    std::span<const reduced_pattern> patterns{};

    [[nodiscard]] constexpr std::span<const std::uint32_t> children(sub_pattern_id s) const {
        return links.subspan(forms[s].first, forms[s].count);
    }
    [[nodiscard]] constexpr std::span<const std::uint32_t> names_of(sub_pattern_id s) const {
        return links.subspan(forms[s].first_name, forms[s].names);
    }
};

/// Whether the answer to a question is yes at node n. Where the graph does not store what is asked, the answer is no, as in a matcher.
template <graph G>
[[nodiscard]] bool holds(const node_question& q, const G& g, node_id n) {
    if (q.is_of_attribute) {
        if constexpr (attributed_graph<G>) {
            const attribute_map& found = g.attributes(n);
            return accepts(*q.attribute, found.find(q.attribute->name));
        } else {
            return false;
        }
    }
    switch (q.term->kind) {
        case term_kind::literal:
        case term_kind::value:
            return is_constant(*q.term, g, n);
        case term_kind::type:
            return type_accepted(*q.term, g, n);
        default:
            if constexpr (functional_graph<G>)
                return kind_of(g, n) == node_kind::projection && g.field(n) == q.term->place;
            else
                return false;
    }
}

}  // namespace inlay

#endif
