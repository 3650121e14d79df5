// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_PORTABLE_C_EMITTED_HPP
#define INLAY_TESTS_BACKEND_PORTABLE_C_EMITTED_HPP

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../small_graph.hpp"

#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/codegen/c/c_kernels.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/testing/compare.hpp>

namespace portable_c_test {

/// Runs a program of one region as C that leaves, of whose text no compiler complains, and holds its results against the interpreter's.
inline void check_emitted(const inlay::ir_module& m, const std::vector<inlay::tensor>& inputs, double tolerance = 1e-5) {
    const inlay_test::whole_region whole(m);
    const inlay::region_view view = whole.view();
    const auto part = inlay::portable_c{}.emit_c(view, "part");
    if (!part) FAIL(part.failure().message);
    const auto meant = inlay::interpret(m, inputs);
    if (!meant) FAIL(meant.failure().message);
    const std::vector<inlay::node_id> left = m.results();
    for (const char* const compiler : {"", "clang-16", "clang-19"}) {
        if (*compiler != '\0' && !inlay::find_compiler(inlay::source_language::c99, compiler)) continue;
        inlay::compiler_request how =
            inlay::nest_compiler({"-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-unused-parameter"});
        how.compiler = compiler;
        const inlay::c_borders borders{view.input_count, view.results.size()};
        const auto made = inlay::c_kernels(std::span(&*part, 1), std::span(&borders, 1), how);
        if (!made) FAIL(made.failure().message << "\n" << part->text);
        inlay::buffer workspace(made->front().workspace_bytes);
        std::fill_n(workspace.data(), workspace.size(), std::byte{0xa5});
        std::vector<inlay::tensor> results;
        std::vector<const void*> from;
        std::vector<void*> to;
        for (const inlay::region_value& v : view.inputs())
            for (std::size_t i = 0; i < inputs.size(); ++i)
                if (m.inputs()[i] == v.origin) from.push_back(inputs[i].data());
        for (const inlay::tensor& t : *meant) {
            inlay::tensor& r = results.emplace_back(t.element(), t.extents());
            std::fill_n(r.data(), r.bytes(), std::byte{0xa5});
        }
        for (const inlay::value_id v : view.results)
            for (std::size_t i = 0; i < left.size(); ++i)
                if (left[i] == view[v].origin) to.push_back(results[i].data());
        REQUIRE(to.size() == results.size());
        REQUIRE(made->front()({from.data(), to.data(), workspace.data(), {}}));
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto same = inlay::compare(results[i], (*meant)[i], tolerance, tolerance);
            CHECK_MESSAGE(same.agrees, "result " << i << ": " << same.reason << "\n" << part->text);
        }
    }
}

}  // namespace portable_c_test

#endif
