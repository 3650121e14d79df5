// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_OWN_DEQUANTIZED_HPP
#define INLAY_PASSES_OWN_DEQUANTIZED_HPP

#include <algorithm>
#include <utility>
#include <vector>

#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/passes/rebuild.hpp>

namespace inlay {

/// A program in which every call that reads a DequantizeLinear has it for itself. The numbers of bytes are cheap to make and mostly part of
/// the kernel that reads them; were they shared, no region could take them in. Linear in the program.
template <class Module = ir_module>
[[nodiscard]] Module with_own_dequantized(const Module& m) {
    const user_lists users(m);
    const auto is_shared = [&](node_id n) {
        return m.kind(n) == node_kind::call && m.op(n) == "onnx.DequantizeLinear" && users.count(n) > 1;
    };
    module_rebuilder r(m);
    std::vector<std::pair<node_id, node_id>> replaced;
    for (node_id n = 0; n < m.size(); ++n) {
        r.go_to(n);
        replaced.clear();
        for (const node_id o : m.operands(n)) {
            const bool is_first = m.kind(n) != node_kind::call || !is_shared(o) || users[o].front() == n;
            const auto same = [&](const auto& pair) { return pair.first == o; };
            if (is_first || std::any_of(replaced.begin(), replaced.end(), same)) continue;
            std::vector<node_id> operands;
            for (const node_id from : m.operands(o)) operands.push_back(r.made(from));
            replaced.emplace_back(o, r.made(o));
            r.set_made(o, r.builder().call(m.op(o), operands, m.attributes(o), m.type(o)));
        }
        r.copy(n);
        for (const auto& [old, before] : replaced) r.set_made(old, before);
    }
    return r.finish();
}

}  // namespace inlay

#endif
