// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FUNCTIONS_PRIMITIVE_CALLEES_HPP
#define INLAY_PASSES_FUNCTIONS_PRIMITIVE_CALLEES_HPP

#include <string_view>
#include <unordered_map>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/placement/function_role.hpp>

namespace inlay {

/// By node: the primitive function that is meant where the node is called: the node itself, the function of its name, or what a let binds
/// it to; `no_node` where that is none. Linear.
[[nodiscard]] inline std::vector<node_id> primitive_callees(const ir_module& m) {
    const std::vector<function_role> roles = function_roles(m);
    std::unordered_map<std::string_view, node_id> named;
    for (const node_id f : m.functions()) named.emplace(m.symbol(f), f);
    std::vector<node_id> callee(m.size(), no_node);
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) == node_kind::function && roles[n] == function_role::primitive) callee[n] = n;
        if (m.kind(n) == node_kind::global)
            if (const auto f = named.find(m.symbol(n)); f != named.end() && roles[f->second] == function_role::primitive)
                callee[n] = f->second;
    }
    // A variable may be read by nodes that come before the let that binds it.
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::let) callee[m.operand(n, 0)] = callee[m.operand(n, 1)];
    return callee;
}

}  // namespace inlay

#endif
