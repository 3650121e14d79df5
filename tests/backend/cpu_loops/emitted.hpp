// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CPU_LOOPS_EMITTED_HPP
#define INLAY_TESTS_BACKEND_CPU_LOOPS_EMITTED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "../../core/executors.hpp"
#include "../small_graph.hpp"

#include <inlay/backend/cpu_loops/backend.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/emit/task_kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/testing/compare.hpp>

namespace cpu_loops_test {

/// Numbers for a program's inputs, random but for fixed seeds: floating ones from 1 to 3, of int32 those from -8 to 8.
[[nodiscard]] inline std::vector<inlay::tensor> some_inputs(const inlay::ir_module& m) {
    std::vector<inlay::tensor> inputs;
    for (const inlay::node_id n : m.inputs()) {
        const inlay::tensor_type& of = m.type(n).of_tensor;
        inlay::tensor& t = inputs.emplace_back(of.element, inlay::static_shape(of));
        inlay::fill_random(t.data(), of.element, t.count(), 2.0, true, inputs.size());
        if (of.element != inlay::element_type::int32) continue;
        std::mt19937 random(static_cast<unsigned>(inputs.size()));
        for (std::int32_t& v : t.as<std::int32_t>()) v = static_cast<std::int32_t>(random() % 17) - 8;
    }
    return inputs;
}

/// Runs a kernel of a whole program on these inputs, results and workspace full of garbage beforehand, and holds the results against the
/// interpreter's. The region may have inputs and results in an order of its own.
inline void check_kernel(const inlay::kernel& k, const inlay_test::whole_region& whole, inlay::executor_ref executor,
                         double tolerance = 1e-5) {
    const inlay::ir_module& m = whole.module;
    const inlay::region_view view = whole.view();
    const std::vector<inlay::node_id> left = m.results();
    const auto place_in = [](std::span<const inlay::node_id> all, inlay::node_id n) {
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), n) - all.begin());
    };
    const std::vector<inlay::tensor> inputs = some_inputs(m);
    const auto meant = inlay::interpret(m, inputs);
    REQUIRE(meant);
    inlay::buffer workspace(k.workspace_bytes);
    std::fill_n(workspace.data(), workspace.size(), std::byte{0xa5});
    std::vector<inlay::tensor> results;
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const inlay::region_value& v : view.inputs()) from.push_back(inputs[place_in(m.inputs(), v.origin)].data());
    for (const inlay::tensor& t : *meant) {
        inlay::tensor& r = results.emplace_back(t.element(), t.extents());
        std::fill_n(static_cast<std::byte*>(r.data()), r.count() * inlay::size_of(r.element()), std::byte{0xa5});
    }
    for (const inlay::value_id v : view.results) to.push_back(results[place_in(left, view[v].origin)].data());
    REQUIRE(to.size() == results.size());
    REQUIRE(k({from.data(), to.data(), workspace.data(), executor}));
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto same = inlay::compare(results[i], (*meant)[i], tolerance, tolerance);
        CHECK_MESSAGE(same.agrees, "result ", i, ": ", same.reason);
    }
}

/// That the text of a whole program's loops, as they are arranged, gives a compiler nothing to warn of.
inline void check_clean_text(const inlay::cpu_loops& self, const inlay::region_view& view) {
    const auto arranged = inlay::loops_of(self, view, "region", 3);
    if (!arranged) FAIL(arranged.failure().message);
    const auto made = inlay::task_kernels(std::span(&*arranged, 1), inlay::nest_compiler({"-O1", "-Wall", "-Wextra", "-Werror"}));
    if (!made) FAIL_CHECK(made.failure().message);
}

/// Emits a whole program as one region, alone and shared out.
inline void check_emitted(const inlay::ir_module& m, double tolerance = 1e-5) {
    const inlay_test::whole_region whole(m);
    inlay::cpu_loops self;
    self.threads = 3;
    check_clean_text(self, whole.view());
    const auto made = inlay::emit_region(self, whole.view());
    if (!made) FAIL(made.failure().message);
    check_kernel(*made, whole, {}, tolerance);
    inlay_test::backwards_executor several;
    check_kernel(*made, whole, several, tolerance);
}

}  // namespace cpu_loops_test

#endif
