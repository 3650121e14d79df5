// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_EVALUATE_BY_FILLING_IPP
#define INLAY_OPS_LOOPS_EVALUATE_BY_FILLING_IPP

#include <span>
#include <vector>

#include <inlay/ops/loops/evaluate_by_filling.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

outcome<std::vector<tensor>> evaluate_by_filling(const call_view& call, std::span<const tensor> operands, infer_function infer,
                                                 fill_function fill) {
    const outcome<node_type> type = infer(call);
    if (!type) return type.failure();
    if (!type->is_static()) return error{short_name(call.op) + " cannot tell the shape of its result, which is " + to_string(*type)};
    std::vector<tensor> results;
    const auto add = [&](const tensor_type& t) {
        results.emplace_back(t.element, static_shape(t));
        return results.back().ok();
    };
    if (type->is_tuple()) {
        for (const node_type& field : type->fields)
            if (!add(field.of_tensor)) return no_memory(call, field.of_tensor);
    } else if (!add(type->of_tensor)) {
        return no_memory(call, type->of_tensor);
    }
    if (const outcome<void> filled = fill(call, operands, results); !filled) return filled.failure();
    return results;
}

}  // namespace inlay

#endif
