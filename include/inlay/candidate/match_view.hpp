// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_MATCH_VIEW_HPP
#define INLAY_CANDIDATE_MATCH_VIEW_HPP

#include <cstddef>
#include <span>
#include <type_traits>

#include <inlay/candidate/captured_operators.hpp>
#include <inlay/candidate/operator_attributes.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/pattern/dsl/concepts.hpp>
#include <inlay/pattern/match/match.hpp>

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

/// The names that a pattern binds; of names, themselves.
template <class Of>
struct names_bound_by {
    using type = Of;
};
template <pattern P>
struct names_bound_by<P> {
    using type = typename P::binds;
};

/// What the pattern says of the operator at a capture; names alone say nothing.
template <class Of>
[[nodiscard]] constexpr operator_fit operator_at(std::size_t slot, std::span<const std::string_view> operators) {
    if constexpr (pattern<Of>)
        return captured_operator(view_of(Of{}), slot, operators);
    else
        return operator_fit::open;
}
}  // namespace detail

/// A match as a predicate sees it: the region of the matched nodes, and the captures as values of that region.
/// `Of` is the pattern, or the `capture_names` that it binds; asking for another name does not compile.
template <class Of>
class match_view {
public:
    using names = typename detail::names_bound_by<Of>::type;
    static constexpr value_id unbound = no_node;

    /// The region of a match, and the node in each of its slots.
    match_view(const region_view& region, std::span<const node_id> captured) : region_(region) {
        detail::bind_captures(region, captured, bound_);
    }
    template <pattern P>
    match_view(const region_view& region, const match_result<P>& found)
        : match_view(region, std::span(found.captures.bound, names::size)) {}

    /// The same where the captures are values of the region already.
    [[nodiscard]] static match_view of_values(const region_view& region, std::span<const value_id> captures) {
        match_view made(region);
        for (std::size_t slot = 0; slot < names::size && slot < captures.size(); ++slot) made.bound_[slot] = captures[slot];
        return made;
    }

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

    /// The attribute that a member of a struct of attributes stands for, of the call bound to this name: `attr<"conv",
    /// &conv_attributes::group>()`; where the call lacks it, the default. The pattern has to say that the name stands at one of the
    /// struct's operators. Precondition: `has<Name>()`.
    template <fixed_string Name, auto Member>
    [[nodiscard]] detail::attribute_type<Member> attr() const {
        if constexpr (can_ask<Name, Member>())
            return inlay::attr<Member>(at<Name>());
        else
            return {};
    }

private:
    explicit match_view(const region_view& region) : region_(region) {
        for (value_id& v : bound_) v = unbound;
    }

    template <fixed_string Name>
    static consteval std::size_t slot() {
        static_assert(names::slot(Name.view()) != names::none, "inlay: the pattern of this predicate binds no capture of that name");
        return names::slot(Name.view());
    }

    /// One sentence about the first thing that is wrong.
    template <fixed_string Name, auto Member>
    static consteval bool can_ask() {
        constexpr std::size_t at = slot<Name>();
        if constexpr (at == names::none || !detail::require_attribute<Member>::ok) {
            return false;
        } else {
            constexpr operator_fit fit = detail::operator_at<Of>(at, detail::attribute_owner<Member>::operators);
            static_assert(
                fit != operator_fit::foreign,
                "inlay: this attribute belongs to another operator than the capture's pattern names; ask for one of that operator's own");
            static_assert(fit != operator_fit::open && fit != operator_fit::unbound,
                          "inlay: the pattern does not say which operator this capture stands at; write as<\"name\">(op<\"onnx.Conv\">)");
            return fit == operator_fit::fits;
        }
    }

    const region_view& region_;
    value_id bound_[names::size + 1];
};

/// The view that a predicate gets of a match of this pattern. Patterns that capture nothing share one, so that a predicate of many is
/// compiled once.
template <pattern P>
using match_of = match_view<std::conditional_t<P::binds::size == 0, capture_names<>, P>>;

/// `attr<"conv", &conv_attributes::group>(m)`: the same as the member, for predicates that take any match.
template <fixed_string Name, auto Member, class Of>
[[nodiscard]] detail::attribute_type<Member> attr(const match_view<Of>& m) {
    return m.template attr<Name, Member>();
}
/// `captured<"conv">(m)`: the value bound to a name. Precondition: `is_captured<"conv">(m)`.
template <fixed_string Name, class Of>
[[nodiscard]] const region_value& captured(const match_view<Of>& m) {
    return m.template at<Name>();
}
template <fixed_string Name, class Of>
[[nodiscard]] bool is_captured(const match_view<Of>& m) {
    return m.template has<Name>();
}

}  // namespace inlay

#endif
