// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_UNSUPPORTED_HPP
#define INLAY_IO_ONNX_UNSUPPORTED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/operator_name.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// A call of an operator that an operator set does not know.
struct unsupported_call {
    node_id node = no_node;
    std::string name;          // the node's
    std::string op;            // without dialect or domain: `Conv`, `Scan in its form of opset 8`, `Constant that holds strings`
    std::string domain;        // as ONNX writes it: `ai.onnx`, `com.microsoft`
    std::int64_t version = 0;  // of the domain's operator set in the file; 0 where the module does not say

    friend bool operator==(const unsupported_call&, const unsupported_call&) = default;
};

/// `node 'x' (Conv of ai.onnx, opset 9)`.
[[nodiscard]] inline std::string to_string(const unsupported_call& c) {
    std::string text = "node " + quoted_text(c.name) + " (" + escaped_text(c.op, 80) + " of " + escaped_text(c.domain, 80);
    if (c.version != 0) text += ", opset " + std::to_string(c.version);
    return text + ")";
}

/// The calls of a module that an operator set does not know, in the order of their nodes, dead ones too.
template <op_set Ops>
[[nodiscard]] std::vector<unsupported_call> unsupported(const ir_module& m, Ops = {}) {
    const attribute_map& facts = m.attributes(m.main());
    std::vector<unsupported_call> found;
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) != node_kind::call || Ops::find(m.op(n)) != nullptr) continue;
        const operator_name name = operator_name_of(m.op(n));
        unsupported_call c;
        c.node = n;
        c.name = m.name(n);
        c.op = name.op + (name.old_form.empty() ? "" : " in its form of opset " + name.old_form.substr(1));
        c.domain = name.domain;
        if (m.op(n) == "onnx.Constant")
            c.op += " that holds " + std::string(read<constant_attributes>(m.attributes(n)).holds.value_or("nothing"));
        c.version = facts.integer("opset." + c.domain, 0);
        found.push_back(std::move(c));
    }
    return found;
}

/// Refuses a module with calls that an operator set does not know: one error that names the operators, each with the first of its
/// nodes, at most `most` of them.
template <op_set Ops>
[[nodiscard]] outcome<void> all_supported(const ir_module& m, Ops ops = {}, std::size_t most = 12) {
    const auto calls = unsupported(m, ops);
    if (calls.empty()) return {};
    std::set<std::tuple<std::string, std::string>> seen;
    std::string list;
    for (const auto& c : calls) {
        if (!seen.emplace(c.domain, c.op).second || seen.size() > most) continue;
        list += (list.empty() ? "" : ", ") + to_string(c);
    }
    if (seen.size() > most) list += " and " + std::to_string(seen.size() - most) + " more operators";
    return error{"the model asks for operators that are not supported: " + list};
}

}  // namespace inlay

#endif
