// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_APPLY_PLAN_HPP
#define INLAY_PLACEMENT_APPLY_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/placement/device_plan.hpp>
#include <inlay/placement/placement_options.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

namespace detail {

/// Builds a program anew as a plan says.
template <class G, class L>
class plan_application {
public:
    plan_application(const device_plan<G, L>& plan, const placement_options& options)
        : plan_(plan),
          p_(plan.annotated()),
          g_(p_.graph()),
          options_(options),
          made_(g_.size(), no_node),
          inside_(inside_left_functions(g_)) {
        for (std::uint32_t k = 0; k < plan.places(); ++k) places_.push_back(p_.places().placement_of(plan.element_of(k)));
    }

    [[nodiscard]] G build() {
        if constexpr (requires { builder_.copy_from(g_); }) builder_.copy_from(g_);
        for (node_id n = 0; n < g_.size(); ++n) {
            if (p_.active(n))
                place(n);
            else if (inside_[n] != 0)
                copy(n);
        }
        for (const node_id f : g_.functions()) builder_.declare(made_[f]);
        if constexpr (requires { builder_.name_results(g_.result_names()); }) builder_.name_results(g_.result_names());
        return builder_.finish_in_blocks();
    }

private:
    using program = annotated_program<G, L>;

    node_id copy(node_id n) {
        operands_.clear();
        for (std::size_t i = 0; i < g_.arity(n); ++i) operands_.push_back(made_[g_.operand(n, i)]);
        return made_[n] = builder_.copy(g_, n, operands_);
    }

    void place(node_id n) {
        if (p_.is_on_device(n)) return;
        if (p_.is_device_copy(n)) {
            made_[n] = copied(operand(n, 0), plan_.place_of(n), plan_.place(p_.seen(n).last()));
            return;
        }
        if (p_.role_of(n) != function_role::planned) {
            copy(n);
            if (p_.role_of(n) == function_role::lowered) keep_scopes(n);
            return;
        }
        operands_.clear();
        const std::size_t arity = g_.arity(n);
        for (std::size_t i = 0; i < arity; ++i) operands_.push_back(operand(n, i));
        made_[n] = builder_.copy(g_, n, operands_);
        if (in_force<"placement.copies.column">()) builder_.set_where(made_[n], places_[plan_.place_of(n)]);
    }

    /// Only the scopes of a lowered function are its own.
    void keep_scopes(node_id f) {
        function_domains fields(p_.domains().of(f), g_.type(f));
        std::uint32_t place = 0;
        for (std::size_t i = 0; i < g_.arity(f); ++i) {
            place = plan_.place(fields.next().last());
            builder_.set_where(made_[g_.operand(f, i)], p_.places().scope_of(plan_.element_of(place)));
        }
        builder_.set_where(made_[f], p_.places().scope_of(plan_.element_of(place)));
    }

    /// What node n reads as its operand i: the value, copied on its way where annotations say so and where n is elsewhere.
    node_id operand(node_id n, std::size_t i) {
        node_id o = g_.operand(n, i);
        on_the_way_.clear();
        for (; p_.is_on_device(o); o = g_.operand(o, 0)) on_the_way_.push_back(plan_.place_of(o));
        std::uint32_t at =
            p_.is_device_copy(o) && in_force<"placement.device_copy.chain">() ? plan_.place(p_.seen(o).last()) : plan_.place_of(o);
        node_id v = made_[o];
        const auto move_to = [&](std::uint32_t to) {
            if (at != to) v = copied(v, at, to);
            at = to;
        };
        if (in_force<"placement.on_device.nested">())
            for (std::size_t k = on_the_way_.size(); k-- > 0;) move_to(on_the_way_[k]);
        if (in_force<"placement.default.shared-annotation">()) move_to(plan_.place(expected(n, i)));
        return v;
    }
    [[nodiscard]] std::uint32_t expected(node_id n, std::size_t i) const {
        const node_id o = g_.operand(n, i);
        const std::uint32_t v = plan_.expected(n, i);
        // Who reads a value wherever it is reads it where it is made, unless an annotation moves it.
        return v == p_.seen(o).last() && !p_.is_on_device(o) && !p_.is_device_copy(o) ? p_.domains().of(o).last() : v;
    }

    node_id copied(node_id v, std::uint32_t from, std::uint32_t to) {
        if (from == to) return v;
        if (in_force<"placement.copies.each-use">() && !options_.share_copies) return builder_.device_copy(v, places_[from], places_[to]);
        const auto [at, fresh] = shared_.try_emplace((std::uint64_t{v} << 32) | to, no_node);
        if (fresh) at->second = builder_.device_copy(v, places_[from], places_[to]);
        return at->second;
    }

    const device_plan<G, L>& plan_;
    const program& p_;
    const G& g_;
    placement_options options_;
    typename G::builder builder_;
    std::vector<placement> places_;
    std::vector<node_id> made_, operands_;
    std::vector<std::uint32_t> on_the_way_;
    std::vector<char> inside_;
    std::unordered_map<std::uint64_t, node_id> shared_;  // copies by value and place
};

}  // namespace detail

/// The program as the plan says: each node has its place in the column `where`, values change places in `device_copy` calls alone, and
/// `on_device` calls are gone. Functions that planning does not look into are as they were, but for the memory scopes of lowered ones.
/// Linear.
template <placed_graph G, lattice L>
requires rewritable_graph<G>
[[nodiscard]] G apply_plan(const device_plan<G, L>& plan, const placement_options& options = {}) {
    return detail::plan_application<G, L>(plan, options).build();
}

}  // namespace inlay

#endif
