// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_PATTERN_TERM_HPP
#define INLAY_PATTERN_TERM_PATTERN_TERM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/digest.hpp>
#include <inlay/core/id.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/graph_ref.hpp>
#include <inlay/pattern/term/attribute_guard.hpp>
#include <inlay/pattern/term/type_guard.hpp>

namespace inlay {

/// The number of a term in its pattern.
using term_id = std::uint32_t;

inline constexpr term_id no_term = 0xFFFF'FFFFu;

/// What a term of a pattern asks of a node n.
enum class term_kind : std::uint8_t {
    any,             // nothing
    node,            // n is of this node_kind, bears one of these names, and its operands match the children
    literal,         // n is a constant of one element with this value
    value,           // n is a constant with this content
    either,          // one of the children matches n; they are tried in order
    both,            // all children match n
    no,              // the child does not match n; it binds nothing
    capture,         // the child matches n, and n is what its slot is bound to
    attributes,      // the child matches n, and n's attributes are as asked for
    type,            // the child matches n, and n's type is as asked for
    repeat,          // children: step, base. n matches the step, its hole being the repetition once less, or the base
    hole,            // stands in a step for what the step is applied to
    reference,       // the one child, which may be a term around this one, matches n
    custom_matcher,  // the child matches the node that a function finds behind n
    dominates  // children: parent, path, child. n matches the child; all that flows into it flows through one node that matches the parent
};

/// What a custom matcher finds behind a node: the node that is left to match, and the nodes that lie between, which the pattern covers too.
struct reading {
    node_id source = no_node;
    std::vector<node_id> covered;
};

/// Recognises at a node what no pattern describes well; nothing where the node is no such thing.
using custom_matcher_function = std::optional<reading> (*)(const graph_ref& g, node_id n);

/// One node of a pattern as data. `term_kind` gives its meaning; members that its kind does not use have their defaults. Texts and lists
/// are views into what the pattern's owner stores.
struct pattern_term {
    static constexpr std::uint32_t unbounded = 0xFFFF'FFFFu;

    term_kind kind = term_kind::any;
    node_kind node = node_kind::call;
    bool open = false;                   // of a node: operands may follow those that the children match
    bool unordered = false;              // of a node: each child matches an operand of its own, in any order
    std::uint32_t first = 0, count = 0;  // the children, as a range of the pattern's links
    std::uint32_t least = 0,
                  most = unbounded;   // of a repetition: how often; of an unordered node: `most` operands from the first are looked at
    std::uint32_t place = unbounded;  // of a capture: its slot; of a projection: its field, unbounded: any
    double number = 0;                // of a literal
    std::string_view name{};          // of a capture, a reference or a custom matcher
    std::span<const std::string_view>
        names{};  // of a node: operators, or symbols; empty: any. Of a custom matcher: operators that it may begin at
    std::span<const attribute_guard> guards{};
    const type_guard* type = nullptr;
    digest content{};  // of a value
    custom_matcher_function read = nullptr;
};

/// A pattern as data: terms that name each other by number. The view owns nothing.
///
/// Captures are numbered by `slots`: a capture is bound in the first slot that bears its name.
struct pattern_view {
    std::span<const pattern_term> terms{};
    std::span<const term_id> links{};
    std::span<const std::string_view> slots{};
    term_id root = 0;

    [[nodiscard]] constexpr const pattern_term& operator[](term_id t) const { return terms[t]; }
    [[nodiscard]] constexpr const pattern_term& top() const { return terms[root]; }
    [[nodiscard]] constexpr std::span<const term_id> children(const pattern_term& t) const { return links.subspan(t.first, t.count); }
    [[nodiscard]] constexpr term_id child(const pattern_term& t, std::size_t i) const { return links[t.first + i]; }

    /// The slot of a name; `slots.size()` where the pattern binds none of it.
    [[nodiscard]] constexpr std::size_t slot(std::string_view name) const {
        std::size_t i = 0;
        while (i < slots.size() && slots[i] != name) ++i;
        return i;
    }
};

}  // namespace inlay

#endif
