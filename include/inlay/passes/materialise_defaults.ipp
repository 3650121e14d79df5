// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_MATERIALISE_DEFAULTS_IPP
#define INLAY_PASSES_MATERIALISE_DEFAULTS_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inlay/passes/materialise_defaults.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/passes/rebuild.hpp>

namespace inlay {

namespace detail {

/// Sets an attribute that is lacking to its default. Lists by axis get an entry for each of the spatial axes, or two where they are
/// paddings; what has no default stays away.
inline void spell_default(attribute_map& attributes, const declared_attribute& a, std::size_t spatial_axes) {
    // One that the written form of the operator may not have yet is left out: that means the same.
    if (!a.has_default || a.since != 0 || attributes.find(a.name) != nullptr) return;
    switch (a.form) {
        case attribute_form::integer:
            if (in_force<"pattern.attributes.defaults">()) attributes.set(a.name, a.integer);
            break;
        case attribute_form::number:
            attributes.set(a.name, a.number);
            break;
        case attribute_form::text:
            attributes.set(a.name, std::string(a.text));
            break;
        case attribute_form::integers:
            if (!a.per_axis)
                attributes.set(a.name, std::vector<std::int64_t>(a.integers.begin(), a.integers.end()));
            else if (spatial_axes != 0)
                attributes.set(a.name, std::vector<std::int64_t>(a.name == "pads" ? 2 * spatial_axes : spatial_axes, a.integer));
            break;
        default:
            break;
    }
}

ir_module materialise_defaults_by(const ir_module& m, std::span<const std::string> names, op_finder find) {
    return rebuild(m, [&](module_rebuilder& r, node_id n) {
        attribute_map attributes = m.attributes(n);
        const std::size_t given = attributes.size();
        if (m.kind(n) == node_kind::call)
            if (const op_definition* op = find(m.op(n)); op != nullptr) {
                std::size_t spatial_axes = 0;
                if (m.arity(n) != 0)
                    if (const node_type& t = m.type(m.operand(n, 0)); t.is_tensor() && t.of_tensor.ranked && t.of_tensor.rank() > 2)
                        spatial_axes = t.of_tensor.rank() - 2;
                for (const declared_attribute& a : op->attributes)
                    if (names.empty() || std::find(names.begin(), names.end(), a.name) != names.end())
                        spell_default(attributes, a, spatial_axes);
            }
        if (attributes.size() == given) {
            r.copy(n);
            return;
        }
        std::vector<node_id> operands;
        for (const node_id o : m.operands(n)) operands.push_back(r.made(o));
        const node_id now = r.builder().call(m.op(n), operands, attributes, m.type(n), m.name(n));
        if (!m.origins(n).empty()) r.builder().set_origins(now, m.origins(n));
        r.set_made(n, now);
    });
}

}  // namespace detail

}  // namespace inlay

#endif
