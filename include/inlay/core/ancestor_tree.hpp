// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_ANCESTOR_TREE_HPP
#define INLAY_CORE_ANCESTOR_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inlay {

/// A tree that grows at its leaves, and says where two of its places meet. Places are numbered as they are added; 0 is the root. A place
/// has a jump beside its parent, which leads up by a power-of-two stride, as in a skew-binary list (Myers 1983): adding is O(1), each
/// question O(log depth).
class ancestor_tree {
public:
    ancestor_tree() { places_.push_back({}); }

    /// Adds a place below another.
    std::uint32_t add(std::uint32_t parent) {
        const place& p = places_[parent];
        const place& j = places_[p.jump];
        const bool even = p.depth - j.depth == j.depth - places_[j.jump].depth;
        places_.push_back({parent, p.depth + 1, even ? j.jump : parent});
        return static_cast<std::uint32_t>(places_.size() - 1);
    }

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    /// The place above; the root's is itself.
    [[nodiscard]] std::uint32_t parent(std::uint32_t p) const { return places_[p].parent; }
    /// The innermost place that both stand in.
    [[nodiscard]] std::uint32_t meeting(std::uint32_t a, std::uint32_t b) const {
        a = up_to(a, places_[b].depth);
        b = up_to(b, places_[a].depth);
        while (a != b) {
            const bool far = places_[a].jump != places_[b].jump;
            a = far ? places_[a].jump : places_[a].parent;
            b = far ? places_[b].jump : places_[b].parent;
        }
        return a;
    }
    /// Whether the one place is the other, or below it.
    [[nodiscard]] bool is_inside(std::uint32_t inner, std::uint32_t outer) const {
        return places_[inner].depth >= places_[outer].depth && up_to(inner, places_[outer].depth) == outer;
    }

private:
    struct place {
        std::uint32_t parent = 0, depth = 0, jump = 0;
    };

    [[nodiscard]] std::uint32_t up_to(std::uint32_t p, std::uint32_t depth) const {
        while (places_[p].depth > depth) p = places_[places_[p].jump].depth >= depth ? places_[p].jump : places_[p].parent;
        return p;
    }

    std::vector<place> places_;
};

}  // namespace inlay

#endif
