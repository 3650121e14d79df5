// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CPU_LOOPS_EMITTED_HPP
#define INLAY_TESTS_BACKEND_CPU_LOOPS_EMITTED_HPP

#include <vector>

#include <doctest/doctest.h>

#include "../../core/executors.hpp"
#include "../small_graph.hpp"

#include <inlay/backend/cpu_loops/backend.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/testing/compare.hpp>

namespace cpu_loops_test {

/// Random numbers for a program's inputs, whole ones from 0 to 2.
[[nodiscard]] inline std::vector<inlay::tensor> some_inputs(const inlay::ir_module& m) {
    std::vector<inlay::tensor> inputs;
    for (const inlay::node_id n : m.inputs()) {
        const inlay::tensor_type& of = m.type(n).of_tensor;
        inlay::tensor& t = inputs.emplace_back(of.element, inlay::static_shape(of));
        inlay::fill_random(t.data(), of.element, t.count(), 2.0, true, inputs.size());
    }
    return inputs;
}

/// Runs a kernel of a whole program on these inputs, results and workspace full of garbage beforehand, and holds the results against the
/// interpreter's.
inline void check_kernel(const inlay::kernel& k, const inlay::ir_module& m, inlay::executor_ref executor) {
    const std::vector<inlay::tensor> inputs = some_inputs(m);
    const auto meant = inlay::interpret(m, inputs);
    REQUIRE(meant);
    inlay::buffer workspace(k.workspace_bytes);
    for (std::size_t i = 0; i < workspace.size(); ++i) workspace.data()[i] = std::byte{0xa5};
    std::vector<inlay::tensor> results;
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const inlay::tensor& t : inputs) from.push_back(t.data());
    for (const inlay::tensor& t : *meant) results.emplace_back(t.element(), t.extents());
    for (inlay::tensor& t : results) to.push_back(t.data());
    REQUIRE(k({from.data(), to.data(), workspace.data(), executor}));
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto same = inlay::compare(results[i], (*meant)[i], 1e-5, 1e-5);
        CHECK_MESSAGE(same.agrees, "result ", i);
    }
}

/// Emits a whole program as one region, alone and shared out.
inline void check_emitted(const inlay::ir_module& m) {
    const inlay_test::whole_region whole(m);
    inlay::cpu_loops self;
    self.threads = 3;
    const auto made = inlay::emit_region(self, whole.view());
    if (!made) FAIL(made.failure().message);
    check_kernel(*made, m, {});
    inlay_test::backwards_executor several;
    check_kernel(*made, m, several);
}

}  // namespace cpu_loops_test

#endif
