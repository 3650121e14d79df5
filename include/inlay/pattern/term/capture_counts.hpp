// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_CAPTURE_COUNTS_HPP
#define INLAY_PATTERN_TERM_CAPTURE_COUNTS_HPP

#include <cstddef>
#include <cstdint>

#include <inlay/core/plain_list.hpp>
#include <inlay/pattern/automaton/unfolding_limits.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// How often one match of a pattern may bind each slot: 0, 1, or 2 for more. Where that is 2, two nodes have to be the same, which no state
/// tells. Bounds are kept: what is not counted to the end is 2. O(terms), times the slots where terms repeat.
class capture_counts {
public:
    /// Counts for a pattern; good until the next one.
    constexpr void count(const pattern_view& p, unfolding_limits limits) {
        p_ = &p;
        limits_ = limits;
        visits_ = depth_ = 0;
        count();
    }
    [[nodiscard]] constexpr std::uint32_t operator[](std::size_t slot) const { return captured_[slot]; }
    [[nodiscard]] constexpr std::size_t size() const { return captured_.size(); }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    constexpr void count() {
        captured_.assign(p_->slots.size(), 0);
        if (p_->slots.empty()) return;
        bool simple = true;
        for (std::size_t i = 0; i < p_->terms.size(); ++i) {
            const pattern_term& t = p_->terms[i];
            if (t.kind == term_kind::repeat || t.kind == term_kind::reference) simple = false;
            if (t.kind == term_kind::capture && ++captured_[t.place] > 1) simple = false;
        }
        // A term that is a child twice is matched twice.
        linked_.assign(p_->terms.size(), 0);
        for (std::size_t i = 0; i < p_->links.size(); ++i)
            if (const term_id t = p_->links[i]; t < linked_.size() && ++linked_[t] > 1) simple = false;
        if (simple) return;
        for (std::uint32_t slot = 0; slot < captured_.size(); ++slot) {
            if (captured_[slot] == 0) continue;
            linked_.assign(p_->terms.size(), none);
            depth_ = 0;
            captured_[slot] = times(p_->root, slot);
        }
    }
    /// How many holes a match of a term has to fill: 0, 1, or 2 for more.
    constexpr std::uint32_t holes(term_id number) {
        if (depth_ >= limits_.depth || ++visits_ > limits_.visits) return 2;
        const pattern_term& t = p_->terms[number];
        if (t.kind == term_kind::hole) return 1;
        if (t.kind == term_kind::reference) return 0;
        ++depth_;
        std::uint32_t made = 0;
        for (std::uint32_t i = 0; i < t.count && made < 2; ++i) {
            // The holes of a step inside are not these.
            if (t.kind == term_kind::repeat && i == 0) continue;
            std::uint32_t child = holes(p_->links[t.first + i]);
            // Each hole of the step around it is filled by it, once the step stands at all.
            if (t.kind == term_kind::repeat && t.most > 0 && child != 0) child *= holes(p_->links[t.first]) > 1 ? 2 : 1;
            if (t.kind == term_kind::either)
                made = made < child ? child : made;
            else
                made += child;
        }
        --depth_;
        return made > 2 ? 2 : made;
    }
    /// How often a match of a term binds the slot: 0, 1, or 2 for more. What refers to itself does so more often.
    constexpr std::uint32_t times(term_id number, std::uint32_t slot) {
        constexpr std::uint32_t open = none - 1;
        if (linked_[number] == open) return 0;
        if (linked_[number] != none) return linked_[number];
        if (depth_ >= limits_.depth) return 2;
        ++depth_;
        linked_[number] = open;
        const pattern_term& t = p_->terms[number];
        std::uint32_t made = t.kind == term_kind::capture && t.place == slot ? 1 : 0;
        for (std::uint32_t i = 0; i < t.count; ++i) {
            std::uint32_t child = times(p_->links[t.first + i], slot);
            if (t.kind == term_kind::reference) child *= 2;
            if (t.kind == term_kind::repeat && (i == 0 ? t.most > 1 : t.most > 0 && holes(p_->links[t.first]) > 1)) child *= 2;
            if (t.kind == term_kind::either)
                made = made < child ? child : made;
            else
                made += child;
        }
        made = made > 2 ? 2 : made;
        linked_[number] = made;
        --depth_;
        return made;
    }

    const pattern_view* p_ = nullptr;
    unfolding_limits limits_;
    plain_list<std::uint32_t> captured_, linked_;
    std::uint32_t visits_ = 0, depth_ = 0;
};

}  // namespace inlay

#endif
