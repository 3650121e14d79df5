// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_NODE_LABEL_HPP
#define INLAY_OPS_NODE_LABEL_HPP

#include <string>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

/// The node as an error names it: `node 'conv1' (Conv)`, or `node 17 (Conv)` where the source gave it no name.
[[nodiscard]] inline std::string label_of(const ir_module& m, node_id n) {
    return shown_node(m, n) + " (" + escaped_text(short_name(m.op(n)), 80) + ")";
}

/// The same, for people who read the program's text: `line 3, column 5 (add)` where a node's place in it is known.
[[nodiscard]] inline std::string source_label_of(const ir_module& m, node_id n) {
    const source_position at = m.position(n);
    if (!at.is_known()) return label_of(m, n);
    return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + " (" + escaped_text(short_name(m.op(n)), 80) + ")";
}

/// The error with the node in front.
[[nodiscard]] inline error at_node(const ir_module& m, node_id n, const error& what) { return error{label_of(m, n) + ": " + what.message}; }
[[nodiscard]] inline error at_source(const ir_module& m, node_id n, const error& what) {
    return error{source_label_of(m, n) + ": " + what.message};
}

}  // namespace inlay

#endif
