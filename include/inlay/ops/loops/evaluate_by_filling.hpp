// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_EVALUATE_BY_FILLING_HPP
#define INLAY_OPS_LOOPS_EVALUATE_BY_FILLING_HPP

#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>

namespace inlay {

using infer_function = outcome<node_type> (*)(const call_view& call);

/// Writes the elements of the results, which stand allocated and zero, of the types that the type rule gave.
using fill_function = outcome<void> (*)(const call_view& call, std::span<const tensor> operands, std::span<tensor> results);

/// The meaning of an operator as its type rule and then its loops: whatever does not fit is refused by the rule, before a loop runs.
/// The call has the operands' values as constants, as `evaluate_call` gives it, so that the rule gives static types.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> evaluate_by_filling(const call_view& call, std::span<const tensor> operands,
                                                                              infer_function infer, fill_function fill);

/// The same as a function of the form that `op_definition` holds.
template <infer_function Infer, fill_function Fill>
outcome<std::vector<tensor>> filled(const call_view& call, std::span<const tensor> operands) {
    return evaluate_by_filling(call, operands, Infer, Fill);
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/evaluate_by_filling.ipp>
#endif

#endif
