// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_LOWER_LOWERED_ALIKE_HPP
#define INLAY_TESTS_LOOPS_LOWER_LOWERED_ALIKE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>
#include <inlay/candidate/region.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/testing/compare.hpp>

namespace inlay::lowered {

inline tensor random_floats(const std::vector<std::int64_t>& extents, bool is_positive = false) {
    tensor t(element_type::float32, extents);
    for (float& v : t.as<float>()) v = static_cast<float>(is_positive ? *rc::gen::inRange(1, 33) : *rc::gen::inRange(-32, 33)) / 16;
    return t;
}

/// Lowers all calls of a program, runs the nest and the interpreter, and says how they differ; empty where they do not. `build(b, x)` makes
/// the program's result of its inputs. `tolerance`: of an element, as a share of its value.
template <class Build>
std::string difference(std::vector<tensor> inputs, Build&& build, std::string* text = nullptr, double tolerance = 1e-5) {
    ir_builder b;
    b.open_block();
    std::vector<node_id> x;
    for (std::size_t i = 0; i < inputs.size(); ++i) x.push_back(b.input("x" + std::to_string(i), inputs[i].type()));
    const node_id result = build(b, x);
    b.declare(b.function(x, result, "main"));
    const auto program = infer_types(b.finish());
    if (!program) return program.failure().message;
    const user_lists users(*program);
    const std::vector<node_id> results = program->results();
    std::vector<node_id> calls;
    for (node_id n = 0; n < program->size(); ++n)
        if (program->kind(n) == node_kind::call || program->kind(n) == node_kind::projection) calls.push_back(n);
    const region whole(*program, users, results, calls);
    const region_view view = whole.view();
    const auto nest = lower(view, "trial");
    if (!nest) return nest.failure().message;
    if (auto sound = check_nest(*nest); !sound) return sound.failure().message + "\n" + to_text(*nest);
    if (text != nullptr) *text = to_text(*nest);
    // The region may name its inputs in another order, and its constants are inputs of the nest.
    std::vector<tensor> given;
    for (const region_value& v : view.inputs())
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (v.origin == program->inputs()[i]) given.push_back(inputs[i]);
    for (const region_value& v : view.constants())
        if (v.value != nullptr) given.push_back(*v.value);
    const auto got = run_nest(*nest, given);
    const auto meant = interpret(*program, inputs);
    if (!got || !meant) return got ? meant.failure().message : got.failure().message;
    for (std::size_t i = 0; i < view.results.size(); ++i)
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (results[k] != view[view.results[i]].origin) continue;
            const comparison seen = compare((*got)[i], (*meant)[k], tolerance, tolerance / 10);
            if (!seen.agrees) return "result " + std::to_string(k) + ": " + seen.reason + "\n" + to_text(*nest);
        }
    return "";
}

}  // namespace inlay::lowered

#endif
