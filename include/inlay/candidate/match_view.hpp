// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_MATCH_VIEW_HPP
#define INLAY_CANDIDATE_MATCH_VIEW_HPP

#include <cstddef>
#include <span>

#include <inlay/candidate/region_view.hpp>
#include <inlay/pattern/concepts.hpp>
#include <inlay/pattern/match.hpp>

namespace inlay {

namespace detail {
/// The value of each captured node, by slot; `no_node` where nothing is captured or the region does not have it.
template <class Region = region_view>
void bind_captures(const Region& region, std::span<const node_id> captured, value_id* bound) {
    for (std::size_t slot = 0; slot < captured.size(); ++slot) {
        bound[slot] = no_node;
        for (std::size_t v = 0; v < region.values.size(); ++v)
            if (captured[slot] == region.values[v].origin && captured[slot] != no_node) bound[slot] = static_cast<value_id>(v);
    }
}
}  // namespace detail

/// A match as a predicate sees it: the region of the matched nodes, and the captures as values of that region.
/// `Names` are those that the pattern binds; asking for another name does not compile.
template <class Names>
class match_view {
public:
    static constexpr value_id unbound = no_node;

    /// The region of a match, and the node in each of its slots.
    match_view(const region_view& region, std::span<const node_id> captured) : region_(region) {
        detail::bind_captures(region, captured, bound_);
    }
    template <pattern P>
    match_view(const region_view& region, const match_result<P>& found) : match_view(region, std::span(found.captures.bound, Names::size)) {}

    [[nodiscard]] const region_view& region() const { return region_; }

    /// Whether the match bound this name.
    template <fixed_string Name>
    [[nodiscard]] bool has() const {
        return bound_[slot<Name>()] != unbound;
    }
    /// The value bound to this name. Precondition: `has<Name>()`.
    template <fixed_string Name>
    [[nodiscard]] const region_value& at() const {
        return region_[bound_[slot<Name>()]];
    }

private:
    template <fixed_string Name>
    static consteval std::size_t slot() {
        static_assert(Names::slot(Name.view()) != Names::none, "inlay: the pattern of this predicate binds no capture of that name");
        return Names::slot(Name.view());
    }

    const region_view& region_;
    value_id bound_[Names::size + 1];
};

}  // namespace inlay

#endif
