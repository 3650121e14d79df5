// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_FUNCTION_ROLE_HPP
#define INLAY_PLACEMENT_FUNCTION_ROLE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/concepts.hpp>

namespace inlay {

/// How a function takes part in planning.
enum class function_role : std::uint8_t {
    planned,    // all of it
    primitive,  // one kernel: what stands in it is left as it is, and its parameters and result need not be in one place
    lowered,    // declared alone, with the memory scopes of its parameters and its result
    untouched   // somebody else's
};

/// The role of each function of a program, by its attributes; only those of the module can be lowered or somebody else's. By node: what is
/// no function is planned. Linear.
template <functional_graph G>
[[nodiscard]] std::vector<function_role> function_roles(const G& g) {
    std::vector<function_role> roles(g.size(), function_role::planned);
    for (node_id n = 0; n < g.size(); ++n)
        if (in_force<"placement.rule.primitive">() && g.kind(n) == node_kind::function && g.attributes(n).integer("Primitive", 0) != 0)
            roles[n] = function_role::primitive;
    for (const node_id f : g.functions()) {
        const attribute_map& a = g.attributes(f);
        if (a.integer("extern", 0) != 0)
            roles[f] = function_role::lowered;
        else if (a.find("Compiler") != nullptr || a.integer("Extern", 0) != 0 || a.integer("SkipOptimization", 0) != 0)
            roles[f] = function_role::untouched;
    }
    return roles;
}

/// By node: whether it stands in a function that planning does not look into, whose parameters and result are among these. Linear.
template <functional_graph G>
[[nodiscard]] std::vector<char> inside_left_functions(const G& g) {
    const std::vector<function_role> roles = function_roles(g);
    std::vector<char> inside(g.size(), 0);
    for (node_id n = static_cast<node_id>(g.size()); n-- > 0;) {
        if (roles[n] == function_role::planned && inside[n] == 0) continue;
        for (std::size_t i = 0; i < g.arity(n); ++i) inside[g.operand(n, i)] = 1;
    }
    return inside;
}

}  // namespace inlay

#endif
