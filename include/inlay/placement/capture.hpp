// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_CAPTURE_HPP
#define INLAY_PLACEMENT_CAPTURE_HPP

#include <cstddef>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/placement/concepts.hpp>
#include <inlay/placement/function_role.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// A placed program in the form that Relay's text has for it: where a value is not in the place of what it stands in, a fixed `on_device`
/// says where it is; a let's value always has one, unless it is a variable, a global or a function. Each use has its own. Linear.
template <placed_graph G>
requires rewritable_graph<G>
[[nodiscard]] G capture_places(const G& g) {
    typename G::builder b;
    if constexpr (requires { b.copy_from(g); }) b.copy_from(g);
    // Functions that planning does not look into are left as they are, and so is what stands in them.
    const std::vector<char> opaque = inside_left_functions(g);
    std::vector<node_id> made(g.size(), no_node), operands;
    std::vector<char> is_parameter(g.size(), 0);
    for (node_id n = 0; n < g.size(); ++n)
        if (g.kind(n) == node_kind::function)
            for (std::size_t i = 0; i < g.arity(n); ++i) is_parameter[g.operand(n, i)] = 1;
    std::vector<char> is_pack(g.size(), 0);
    for (node_id n = 0; n < g.size(); ++n)
        if (g.kind(n) == node_kind::call && call_rule_of(g.op(n)).what == call_rule::form::lowered_call && g.arity(n) == 2)
            is_pack[g.operand(n, 1)] = 1;
    const auto says_itself = [&](node_id o) {
        const node_kind k = g.kind(o);
        return k == node_kind::input || k == node_kind::global || k == node_kind::function;
    };
    for (node_id n = 0; n < g.size(); ++n) {
        operands.clear();
        const node_kind kind = g.kind(n);
        for (std::size_t i = 0; i < g.arity(n); ++i) {
            const node_id o = g.operand(n, i);
            node_id v = made[o];
            const bool let_value = in_force<"placement.capture.let-values">() && kind == node_kind::let && i == 1;
            const bool argument = in_force<"placement.capture.arguments">() &&
                                  (kind == node_kind::call || (kind == node_kind::apply && i != 0) || is_pack[n] != 0);
            if (opaque[n] == 0 && !says_itself(o) && is_pack[o] == 0 && (let_value || (argument && !(g.where(o) == g.where(n)))))
                v = b.on_device(v, g.where(o), true);
            operands.push_back(v);
        }
        made[n] = b.copy(g, n, operands);
        // In text only parameters, functions, and calls that name a place have one.
        const bool says = kind == node_kind::function || (kind == node_kind::input && is_parameter[n] != 0) ||
                          (kind == node_kind::call && call_rule_of(g.op(n)).names_place);
        if (!says) b.set_where(made[n], placement());
    }
    for (const node_id f : g.functions()) b.declare(made[f]);
    return b.finish_in_blocks();
}

}  // namespace inlay

#endif
