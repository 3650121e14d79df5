// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_UNIFIER_HPP
#define INLAY_PLACEMENT_UNIFIER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/placement/concepts.hpp>

namespace inlay {

/// Variables that stand for elements of a lattice, some of them known to be equal: union-find (Tarjan 1975) with an element for each class.
/// Two variables may also be equal in some components alone; then what the one learns there the other does.
template <lattice L>
class unifier {
public:
    using element = typename L::element;

    unifier(const L& l, std::size_t variables) : lattice_(l), parent_(variables), element_(variables, l.free()) {
        for (std::size_t v = 0; v < variables; ++v) parent_[v] = static_cast<std::uint32_t>(v);
    }

    /// The number that all variables of a class share.
    [[nodiscard]] std::uint32_t find(std::uint32_t v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    [[nodiscard]] const element& of(std::uint32_t v) { return element_[find(v)]; }

    /// Makes two variables equal; false, with nothing changed, where what is known of them contradicts.
    [[nodiscard]] bool unite(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a == b) return true;
        if (lattice_.clash(element_[a], element_[b]) != 0) return false;
        if (b < a) std::swap(a, b);
        if (in_force<"placement.unify.classes">()) parent_[b] = a;
        lattice_.join(element_[a], element_[b], L::all);
        return links_.empty() || follow_links();
    }
    /// Makes a variable say what the element says; false, with nothing changed, where that contradicts.
    [[nodiscard]] bool bind(std::uint32_t v, const element& e) {
        v = find(v);
        if (lattice_.clash(element_[v], e) != 0) return false;
        lattice_.join(element_[v], e, L::all);
        return links_.empty() || follow_links();
    }
    /// Makes two variables equal in some components; false where what is known of them contradicts there.
    [[nodiscard]] bool link(std::uint32_t a, std::uint32_t b, unsigned components) {
        if ((lattice_.clash(of(a), of(b)) & components) != 0) return false;
        if (in_force<"placement.unify.components">()) links_.push_back({a, b, components});
        if (follow_links()) return true;
        links_.pop_back();
        return false;
    }
    /// Takes from `e` what the variable leaves open.
    void fill(std::uint32_t v, const element& e) {
        element& own = element_[find(v)];
        if (lattice_.is_whole(own)) return;
        lattice_.fill(own, e);
        if (!links_.empty()) static_cast<void>(follow_links());
    }

private:
    struct partial {
        std::uint32_t a, b;
        unsigned components;
    };

    /// Carries what is known over the links until nothing changes. There are few, and each round tells one class something at least.
    bool follow_links() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const partial& l : links_) {
                element &a = element_[find(l.a)], &b = element_[find(l.b)];
                const element before_a = a, before_b = b;
                element both = lattice_.free();
                lattice_.join(both, a, l.components);
                element other = lattice_.free();
                lattice_.join(other, b, l.components);
                if (lattice_.clash(both, other) != 0) return false;
                lattice_.join(both, other, L::all);
                if (lattice_.clash(a, both) != 0 || lattice_.clash(b, both) != 0) return false;
                lattice_.join(a, both, l.components);
                lattice_.join(b, both, l.components);
                changed = changed || !(a == before_a) || !(b == before_b);
            }
        }
        return true;
    }

    const L& lattice_;
    std::vector<std::uint32_t> parent_;
    std::vector<element> element_;
    std::vector<partial> links_;
};

}  // namespace inlay

#endif
