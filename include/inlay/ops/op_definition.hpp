// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_OP_DEFINITION_HPP
#define INLAY_OPS_OP_DEFINITION_HPP

#include <concepts>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// What one call costs in the abstract. `flops`: additions, multiplications and the like, a fused multiply-add counting two.
/// `bytes`: operands and results, each moved once.
struct op_work {
    double flops = 0;
    double bytes = 0;
};

/// What is known of one operator: declared once, in the header of its family.
///
/// - `infer` gives the type of the result (a tuple of `outputs` fields where `call.outputs > 1`) from the operands' types and known
///   values, with symbolic extents; an unknown extent stays unknown. The error names what does not fit, not the node.
/// - `evaluate` is the meaning: naive loops over the operands' elements (an operand left out is a tensor that is not `ok()`), for
///   float32, float64 and what else the operator allows; one tensor per output. Sums of float32 are accumulated in float64.
/// - `work` counts flops and bytes. Precondition: all types are static.
struct op_definition {
    std::string_view name;  // with dialect: "onnx.Conv"
    op_kind kind = op_kind::opaque;
    outcome<node_type> (*infer)(const call_view& call) = nullptr;
    outcome<std::vector<tensor>> (*evaluate)(const call_view& call, std::span<const tensor> operands) = nullptr;
    op_work (*work)(const call_view& call, const node_type& result) = nullptr;
};

/// A set of operators: `O::find(name)` gives the definition of that name, or null. `onnx_ops` is one; a user's own is another.
template <class O>
concept op_set = requires(std::string_view name) {
    { O::find(name) } -> std::same_as<const op_definition*>;
};

}  // namespace inlay

#endif
