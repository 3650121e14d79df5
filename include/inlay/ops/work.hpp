// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_WORK_HPP
#define INLAY_OPS_WORK_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

namespace inlay {

/// Flops and bytes of one call, from its operator's own count; bytes alone where the operator counts none. Nothing where a type is not
/// static or the operator is not known; no work for what is no call.
template <op_set Ops = onnx_ops>
[[nodiscard]] std::optional<op_work> work_of(const ir_module& m, node_id n, Ops = {}) {
    if (m.kind(n) != node_kind::call) return op_work{};
    const op_definition* op = Ops::find(m.op(n));
    if (op == nullptr || !m.type(n).is_static()) return std::nullopt;
    std::vector<const node_type*> types;
    std::vector<const tensor*> constants;
    for (const node_id o : m.operands(n)) {
        if (!m.type(o).is_static()) return std::nullopt;
        types.push_back(&m.type(o));
        constants.push_back(m.constant(o));
    }
    const std::size_t outputs = m.type(n).is_tuple() ? m.type(n).fields.size() : 1;
    const call_view call{m.op(n), &m.attributes(n), types, constants, outputs};
    return op->work != nullptr ? op->work(call, m.type(n)) : op_work{0, detail::bytes_moved(call, m.type(n))};
}

/// Flops and bytes of all calls of a module, each counted once wherever it stands. Nothing where one of them cannot be counted.
template <op_set Ops = onnx_ops>
[[nodiscard]] std::optional<op_work> work_of(const ir_module& m, Ops ops = {}) {
    op_work sum;
    for (node_id n = 0; n < m.size(); ++n) {
        const auto w = work_of(m, n, ops);
        if (!w) return std::nullopt;
        sum.flops += w->flops;
        sum.bytes += w->bytes;
    }
    return sum;
}

}  // namespace inlay

#endif
