// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_OP_KINDS_IN_HPP
#define INLAY_OPS_OP_KINDS_IN_HPP

#include <inlay/graph/concepts.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// The kind of a call's operator as a set of operators has it: an `op_kind_source`. Opaque where the set does not know the operator, and
/// where an extent of the result is neither a number nor a symbol: its size then depends on data.
template <op_set Ops>
struct op_kinds_in {
    template <attributed_graph G>
    [[nodiscard]] op_kind operator()(const G& g, node_id n) const {
        const op_definition* known = Ops::find(g.op(n));
        return known == nullptr || depends_on_data(g.type(n)) ? op_kind::opaque : known->kind;
    }

private:
    static bool depends_on_data(const node_type& t) {
        if (t.is_tensor()) {
            if (!t.of_tensor.ranked) return true;
            for (const extent& e : t.of_tensor.extents)
                if (!e.is_known() && e.symbol.empty()) return true;
            return false;
        }
        for (const node_type& f : t.fields)
            if (depends_on_data(f)) return true;
        return t.kind == node_type::form::unknown;
    }
};

}  // namespace inlay

#endif
