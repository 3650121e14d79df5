// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_CALL_OUTPUTS_HPP
#define INLAY_OPS_INTERPRET_CALL_OUTPUTS_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// How many outputs each call of a module is asked for: as many as its type has fields where that is a tuple, else as many as
/// projections read from it, else one; 0 for nodes that are no calls. Linear in the module.
[[nodiscard]] inline std::vector<std::size_t> call_outputs(const ir_module& m) {
    std::vector<std::size_t> outputs(m.size(), 0);
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) == node_kind::call) outputs[n] = m.type(n).is_tuple() ? std::max<std::size_t>(m.type(n).fields.size(), 1) : 1;
        if (m.kind(n) != node_kind::projection) continue;
        const node_id from = m.operand(n, 0);
        if (m.kind(from) == node_kind::call && !m.type(from).is_tuple()) outputs[from] = std::max(outputs[from], m.field(n) + 1);
    }
    return outputs;
}

}  // namespace inlay

#endif
