// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_CONTROL_LIFT_CONTROL_HPP
#define INLAY_PASSES_CONTROL_LIFT_CONTROL_HPP

#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// The operators that stand for control flow once its bodies are programs. The attribute `bodies` numbers these. Operands: of an if the
/// condition; of a loop the most trips and the first condition (either may be left out), and what is carried; of a scan what is carried,
/// and what is sliced. Behind them, what the bodies read around them, which is what bodies take last. The attribute `carried` says how many
/// are carried, `trips` how many trips there are, where that is known; a scan keeps ONNX's.
inline constexpr std::string_view if_op = "inlay.if", loop_op = "inlay.loop", scan_op = "inlay.scan";

/// A program whose branches and loops are calls, and their bodies as programs of their own.
struct lifted_control {
    ir_module program;
    std::vector<ir_module> bodies;  // those that others call come first
};

/// Whether a program calls bodies: whether it has been lifted, and had something to lift. Linear.
[[nodiscard]] inline bool calls_bodies(const ir_module& m) {
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call && (m.op(n) == if_op || m.op(n) == loop_op || m.op(n) == scan_op)) return true;
    return false;
}

/// Whether a program has branches or loops of ONNX's in main, so that there is something to lift. Linear.
[[nodiscard]] INLAY_FUNCTION bool has_control(const ir_module& m);

namespace detail {

/// `lift_control` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<lifted_control> lift_control_by(const ir_module& m, op_finder find);

}  // namespace detail

/// A typed program with each If, Loop and Scan as a call, and its bodies as programs, so that all of them can be planned, partitioned and
/// linked like any other: bodies first, then those that call them, then the program. Types behind a loop follow from its body. The error
/// names a node whose shapes the run decides: sides of an If that give different types, a state that changes its type from trip to trip,
/// slices that are stacked as often as a condition allows; and nesting deeper than 100. Linear, times how deep control flow is nested.
template <op_set Ops>
[[nodiscard]] outcome<lifted_control> lift_control(const ir_module& m, Ops) {
    return detail::lift_control_by(m, [](std::string_view name) { return Ops::find(name); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/control/lift_control.ipp>
#endif

#endif
