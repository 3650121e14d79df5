// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_INFER_CALL_HPP
#define INLAY_PASSES_INFER_CALL_HPP

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/declared_attribute.hpp>
#include <inlay/ops/check_call.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// The type of a call by the rule of its operator; unknown for an operator that the set does not know, or that has no rule. A call without
/// an attribute that it needs is an error, but for graphs, which are operands. It serves as the `type_rule` of a rewriter.
template <op_set Ops>
[[nodiscard]] outcome<node_type> infer_call(const call_view& call) {
    const op_definition* definition = Ops::find(call.op);
    if (definition == nullptr) return node_type();
    for (const declared_attribute& a : definition->attributes)
        if (a.need == attribute_need::required && a.form != attribute_form::graph && call.attributes->find(a.name) == nullptr)
            return detail::lacks(call.op, a);
    if (definition->infer == nullptr) return node_type();
    return definition->infer(call);
}

}  // namespace inlay

#endif
