// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_COMPILE_REGISTERS_HPP
#define INLAY_RUNTIME_SIMULATE_COMPILE_REGISTERS_HPP

#include <string_view>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/runtime/simulate/register_program.hpp>

namespace inlay {

namespace detail {

/// `compile_registers` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<register_program> compile_registers_by(const ir_module& m, op_finder find);

}  // namespace detail

/// A placed program as flat code. Places are read from it as `recover_places` does; a primitive function, and one that says nothing of its
/// own place, runs where it is called. Operands come first, lets in their order, and a node with several readers is evaluated once, in the
/// block that it stands in. Constants are where each reader has them. An operator that `Ops` does not know is an error only where it is
/// run. The error names the node. Linear in the module and what its functions capture.
template <op_set Ops>
[[nodiscard]] outcome<register_program> compile_registers(const ir_module& m, Ops) {
    return detail::compile_registers_by(m, [](std::string_view name) { return Ops::find(name); });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/runtime/simulate/compile_registers.ipp>
#endif

#endif
