// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FLAT_RESULTS_HPP
#define INLAY_PASSES_FLAT_RESULTS_HPP

#include <cstddef>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/passes/rebuild.hpp>

namespace inlay {

namespace detail {

/// Adds the values that a result is made of to `leaves`: fields of tuples within tuples, in order. `is_nested` becomes true where that is
/// more than the fields of a tuple that is built there.
inline void add_leaves(module_rebuilder& r, node_id n, std::size_t depth, std::vector<node_id>& leaves, bool& is_nested) {
    const ir_module& m = r.so_far();
    if (m.kind(n) == node_kind::tuple) {
        is_nested = is_nested || depth != 0;
        const std::vector<node_id> fields(m.operands(n).begin(), m.operands(n).end());
        for (const node_id f : fields) add_leaves(r, f, depth + 1, leaves, is_nested);
        return;
    }
    if (!m.type(n).is_tuple()) {
        leaves.push_back(n);
        return;
    }
    is_nested = true;
    const std::size_t count = m.type(n).fields.size();
    for (std::size_t i = 0; i < count; ++i) add_leaves(r, r.builder().projection(n, i), depth + 1, leaves, is_nested);
}

}  // namespace detail

/// The module with main's result as one tuple of values that are no tuples: `(a, (b, c))` becomes `(a, b, c)`, and a call that gives a
/// tuple the tuple of its fields. Wants types; a result of unknown type stays. Linear in the module and in the type of its result.
[[nodiscard]] inline ir_module flat_results(const ir_module& m) {
    if (m.functions().empty() || !in_force<"passes.results.flat">()) return m;
    const node_id main = m.main(), result = m.result(main);
    const bool is_parameter = m.kind(result) == node_kind::input;
    node_id flat = no_node;
    bool is_nested = false;
    ir_module made = rebuild(m, [&](module_rebuilder& r, node_id n) {
        if (n == main && is_nested) {
            std::vector<node_id> operands;
            for (const node_id o : m.operands(n)) operands.push_back(r.made(o));
            operands.back() = flat;
            const node_id now = r.builder().copy(m, n, operands);
            node_type type = m.type(n);
            if (type.is_function()) type.fields.back() = r.so_far().type(flat);
            r.builder().set_type(now, type);
            r.set_made(n, now);
            return;
        }
        r.copy(n);
        if (n != result || is_parameter) return;
        std::vector<node_id> leaves;
        detail::add_leaves(r, r.made(n), 0, leaves, is_nested);
        if (is_nested) flat = r.builder().tuple(leaves);
    });
    return is_nested ? made : m;
}

}  // namespace inlay

#endif
