// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_SIMULATE_IPP
#define INLAY_RUNTIME_SIMULATE_SIMULATE_IPP

#include <span>
#include <vector>

#include <inlay/runtime/simulate/simulate.hpp>

#include <inlay/runtime/simulate/compile_registers.hpp>
#include <inlay/runtime/simulate/register_machine.hpp>

namespace inlay::detail {

outcome<std::vector<tensor>> simulate_by(const ir_module& m, std::span<const tensor> inputs, op_finder find,
                                         const simulate_options& options) {
    auto code = compile_registers_by(m, find);
    if (!code) return code.failure();
    register_machine machine(*code, m, options);
    const auto result = machine.run(inputs);
    if (!result) return result.failure();
    return tensors_in(*result);
}

}  // namespace inlay::detail

#endif
