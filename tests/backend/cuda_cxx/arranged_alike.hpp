// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CUDA_CXX_ARRANGED_ALIKE_HPP
#define INLAY_TESTS_BACKEND_CUDA_CXX_ARRANGED_ALIKE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/candidate/region.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/run/run_phases.hpp>
#include <inlay/loops/text/cuda_text.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/testing/compare.hpp>

namespace cuda_cxx_test {

/// The nest of a program of the calls that `build(b, x)` makes of its inputs.
template <class Build>
inlay::loop_nest lowered(const std::vector<std::vector<std::int64_t>>& inputs, Build&& build,
                         inlay::element_type element = inlay::element_type::float32) {
    using namespace inlay;
    ir_builder b;
    b.open_block();
    std::vector<node_id> x;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        x.push_back(b.input("x" + std::to_string(i), tensor_type(element, shape(inputs[i].begin(), inputs[i].end()))));
    const node_id result = build(b, x);
    b.declare(b.function(x, result, "main"));
    const auto program = infer_types(b.finish());
    if (!program) FAIL(program.failure().message);
    const user_lists users(*program);
    const std::vector<node_id> results = program->results();
    std::vector<node_id> calls;
    for (node_id n = 0; n < program->size(); ++n)
        if (program->kind(n) == node_kind::call || program->kind(n) == node_kind::projection) calls.push_back(n);
    const region whole(*program, users, results, calls);
    auto nest = lower(whole.view(), "trial");
    if (!nest) FAIL(nest.failure().message);
    return *std::move(nest);
}

/// Numbers for a nest's inputs that floating types add without rounding; without chance.
inline std::vector<inlay::tensor> small_inputs(const inlay::loop_nest& n) {
    std::vector<inlay::tensor> all;
    for (const inlay::nest_buffer& b : n.buffers) {
        if (b.scope != inlay::buffer_scope::input) continue;
        inlay::tensor& t = all.emplace_back(b.element, b.extents);
        for (std::size_t i = 0; i < t.count(); ++i) {
            const int v = static_cast<int>((i * 7 + all.size() * 5) % 17) - 8;
            if (b.element == inlay::element_type::float32) t.as<float>()[i] = static_cast<float>(v) / 8;
            if (b.element == inlay::element_type::float16) t.as<inlay::float16_bits>()[i] = inlay::float16_bits::narrowed(v / 8.0);
            if (b.element == inlay::element_type::bfloat16) t.as<inlay::bfloat16_bits>()[i] = inlay::bfloat16_bits::narrowed(v / 8.0);
            if (b.element == inlay::element_type::int64) t.as<std::int64_t>()[i] = v;
        }
    }
    return all;
}

/// How an arranged nest that runs phase after phase differs from what was lowered, or why it is not printed; empty where it does not.
inline std::string difference(const inlay::loop_nest& before, const inlay::loop_nest& arranged, double tolerance = 0) {
    using namespace inlay;
    const std::vector<tensor> inputs = small_inputs(before);
    const auto meant = run_nest(before, inputs), got = run_phases(arranged, inputs);
    if (!meant || !got) return (meant ? got : meant).failure().message + "\n" + to_text(arranged);
    for (std::size_t i = 0; i < got->size(); ++i) {
        const comparison seen = compare((*got)[i], (*meant)[i], tolerance, tolerance / 10);
        if (!seen.agrees) return seen.reason + "\n" + to_text(arranged);
    }
    const auto printed = to_cuda(arranged);
    return printed ? std::string() : printed.failure().message;
}

/// How many loops of a nest are bound to something.
inline std::size_t bound_to(const inlay::loop_nest& n, inlay::loop_kind kind) {
    std::size_t count = 0;
    for (const inlay::nest_statement& s : n.statements) count += s.kind == inlay::nest_statement::form::loop && s.runs == kind ? 1 : 0;
    return count;
}

}  // namespace cuda_cxx_test

#endif
