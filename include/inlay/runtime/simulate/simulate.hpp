// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_SIMULATE_HPP
#define INLAY_RUNTIME_SIMULATE_SIMULATE_HPP

#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/runtime/simulate/simulate_options.hpp>

namespace inlay {

namespace detail {

/// `simulate` by a function that finds operators.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<tensor>> simulate_by(const ir_module& m, std::span<const tensor> inputs, op_finder find,
                                                                      const simulate_options& options);

}  // namespace detail

/// Runs main of a placed program over simulated devices, and gives the tensors of its result: one, or those of a tuple or of another value
/// in reading order. Each pair of a device type and a memory scope is a memory
/// of its own. Arguments lie where the parameters are, and the result has to be where main says. An operator, a copy, a call or a result
/// that finds a tensor elsewhere than it has to be is an error, which names the node and its place in the text, where the tensor is and
/// where it had to be. Beside what `Ops` has, `vm.shape_of` and `vm.reshape_tensor` are known, whose shapes are in the host's memory.
template <op_set Ops>
[[nodiscard]] outcome<std::vector<tensor>> simulate(const ir_module& m, std::span<const tensor> inputs, Ops,
                                                    const simulate_options& options = {}) {
    return detail::simulate_by(
        m, inputs, [](std::string_view name) { return Ops::find(name); }, options);
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/runtime/simulate/simulate.ipp>
#endif

#endif
