// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_CAPTURED_OPERATORS_HPP
#define INLAY_CANDIDATE_CAPTURED_OPERATORS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// What a pattern says of the operator of a captured node, held against a list of operators.
enum class operator_fit : std::uint8_t {
    fits,     // it is one of the list
    open,     // the pattern does not say which it is
    foreign,  // it may be one that is not of the list, or the node is no call
    unbound   // nothing is captured there
};

namespace detail {

/// Asks a pattern about one capture. Linear in the terms, each counted as often as it stands in the pattern.
class captured_operators {
public:
    constexpr captured_operators(const pattern_view& p, std::uint32_t slot, std::span<const std::string_view> operators)
        : p_(p), slot_(slot), operators_(operators) {}

    [[nodiscard]] constexpr operator_fit run() const { return at(p_.root, nullptr).fit; }

private:
    /// What is known of the captured node once a term has matched, and whether the term always captures it.
    struct answer {
        operator_fit fit = operator_fit::unbound;
        bool always = false;
    };
    struct inside {
        term_id definition;
        const inside* around;

        [[nodiscard]] constexpr bool has(term_id t) const {
            for (const inside* i = this; i != nullptr; i = i->around)
                if (i->definition == t) return true;
            return false;
        }
    };

    /// One of two terms matched.
    static constexpr answer either(answer a, answer b) {
        const bool always = a.always && b.always;
        if (a.fit == operator_fit::unbound || b.fit == operator_fit::unbound)
            return {a.fit == operator_fit::unbound ? b.fit : a.fit, false};
        return {a.fit < b.fit ? b.fit : a.fit, always};
    }
    /// Both matched, and a name in both means one node: what the one says of it holds, if that one has captured it.
    static constexpr answer both(answer a, answer b) {
        if (a.fit == operator_fit::unbound || b.fit == operator_fit::unbound) return a.fit == operator_fit::unbound ? b : a;
        if (a.always && b.always) return {a.fit < b.fit ? a.fit : b.fit, true};
        if (a.always || b.always) return a.always ? a : b;
        return either(a, b);
    }

    [[nodiscard]] constexpr answer at(term_id id, const inside* open) const {
        const pattern_term& t = p_[id];
        switch (t.kind) {
            case term_kind::no:
                return {};
            case term_kind::either: {
                if (t.count == 0) return {};
                answer all = at(p_.child(t, 0), open);
                for (std::size_t i = 1; i < t.count; ++i) all = either(all, at(p_.child(t, i), open));
                return all;
            }
            case term_kind::repeat: {
                const answer some = either(at(p_.child(t, 0), open), at(p_.child(t, 1), open));
                return {some.fit, false};
            }
            case term_kind::capture: {
                const answer below = at(p_.child(t, 0), open);
                return t.place == slot_ ? both({root(p_.child(t, 0), nullptr), true}, below) : below;
            }
            case term_kind::reference: {
                if (open != nullptr && open->has(id)) return {};
                const inside here{id, open};
                return at(p_.child(t, 0), &here);
            }
            default: {
                answer all;
                for (std::size_t i = 0; i < t.count; ++i) {
                    answer one = at(p_.child(t, i), open);
                    // The path of a dominator may have no node.
                    if (t.kind == term_kind::dominates && i == 1) one.always = false;
                    all = both(all, one);
                }
                return all;
            }
        }
    }

    /// What a term says of the operator of the node that it matches.
    [[nodiscard]] constexpr operator_fit root(term_id id, const inside* open) const {
        const pattern_term& t = p_[id];
        switch (t.kind) {
            case term_kind::node:
                if (t.node != node_kind::call) return operator_fit::foreign;
                return named(t.names);
            case term_kind::custom_matcher:
                return named(t.names);
            case term_kind::literal:
            case term_kind::value:
                return operator_fit::foreign;
            case term_kind::capture:
            case term_kind::attributes:
            case term_kind::type:
                return root(p_.child(t, 0), open);
            case term_kind::dominates:
                return root(p_.child(t, 2), open);
            case term_kind::either:
            case term_kind::repeat: {
                operator_fit all = t.count == 0 ? operator_fit::foreign : operator_fit::fits;
                for (std::size_t i = 0; i < t.count; ++i)
                    if (const operator_fit one = root(p_.child(t, i), open); one > all) all = one;
                return all;
            }
            case term_kind::both: {
                bool fits = false, foreign = false;
                for (std::size_t i = 0; i < t.count; ++i) {
                    const operator_fit one = root(p_.child(t, i), open);
                    fits = fits || one == operator_fit::fits;
                    foreign = foreign || one == operator_fit::foreign;
                }
                return fits ? operator_fit::fits : foreign ? operator_fit::foreign : operator_fit::open;
            }
            case term_kind::reference: {
                if (open != nullptr && open->has(id)) return operator_fit::open;
                const inside here{id, open};
                return root(p_.child(t, 0), &here);
            }
            default:
                return operator_fit::open;
        }
    }
    [[nodiscard]] constexpr operator_fit named(std::span<const std::string_view> names) const {
        for (const std::string_view name : names) {
            bool known = false;
            for (const std::string_view one : operators_) known = known || one == name;
            if (!known) return operator_fit::foreign;
        }
        return names.empty() ? operator_fit::open : operator_fit::fits;
    }

    const pattern_view& p_;
    std::uint32_t slot_;
    std::span<const std::string_view> operators_;
};

}  // namespace detail

/// Whether the node in a slot of a pattern's captures, where a match has bound it, is always a call of one of these operators.
[[nodiscard]] constexpr operator_fit captured_operator(const pattern_view& p, std::size_t slot,
                                                       std::span<const std::string_view> operators) {
    return detail::captured_operators(p, static_cast<std::uint32_t>(slot), operators).run();
}

}  // namespace inlay

#endif
