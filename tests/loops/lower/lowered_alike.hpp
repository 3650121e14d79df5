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
#include <inlay/loops/nest/loop_nest.hpp>
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

/// What became of a program that was lowered to one nest.
struct trial {
    bool is_typed = false;    // the operators' type rules take it
    bool is_lowered = false;  // its operators have a nest
    std::string difference;   // how the nest differs from the interpreter, or why there is none; empty if they agree
    loop_nest nest;
};

/// Lowers all calls of a program, runs the nest and the interpreter, and says how they differ. `build(b, x)` makes the program's result of
/// its inputs. `tolerance`: of an element, as a share of its value.
template <class Build>
trial trial_of(const std::vector<tensor>& inputs, Build&& build, double tolerance = 1e-5) {
    trial made;
    const auto says = [&](std::string what) {
        made.difference = std::move(what);
        return made;
    };
    ir_builder b;
    b.open_block();
    std::vector<node_id> x;
    for (std::size_t i = 0; i < inputs.size(); ++i) x.push_back(b.input("x" + std::to_string(i), inputs[i].type()));
    const node_id result = build(b, x);
    b.declare(b.function(x, result, "main"));
    const auto program = infer_types(b.finish());
    if (!program) return says(program.failure().message);
    made.is_typed = true;
    const user_lists users(*program);
    const std::vector<node_id> results = program->results();
    std::vector<node_id> calls;
    for (node_id n = 0; n < program->size(); ++n)
        if (program->kind(n) == node_kind::call || program->kind(n) == node_kind::projection) calls.push_back(n);
    const region whole(*program, users, results, calls);
    const region_view view = whole.view();
    auto nest = lower(view, "trial");
    if (!nest) return says(nest.failure().message);
    made.is_lowered = true;
    made.nest = *std::move(nest);
    if (auto sound = check_nest(made.nest); !sound) return says(sound.failure().message + "\n" + to_text(made.nest));
    // The region may name its inputs in another order, and its constants are inputs of the nest.
    std::vector<tensor> given;
    for (const region_value& v : view.inputs())
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (v.origin == program->inputs()[i]) given.push_back(inputs[i]);
    for (const region_value& v : view.constants())
        if (v.value != nullptr) given.push_back(*v.value);
    const auto got = run_nest(made.nest, given);
    const auto meant = interpret(*program, inputs);
    if (!got || !meant) return says(got ? meant.failure().message : got.failure().message);
    for (std::size_t i = 0; i < view.results.size(); ++i)
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (results[k] != view[view.results[i]].origin) continue;
            const comparison seen = compare((*got)[i], (*meant)[k], tolerance, tolerance / 10);
            if (!seen.agrees) return says("result " + std::to_string(k) + ": " + seen.reason + "\n" + to_text(made.nest));
        }
    return made;
}

/// The difference alone; empty if the nest and the interpreter agree.
template <class Build>
std::string difference(const std::vector<tensor>& inputs, Build&& build, std::string* text = nullptr, double tolerance = 1e-5) {
    const trial made = trial_of(inputs, build, tolerance);
    if (text != nullptr && made.is_lowered) *text = to_text(made.nest);
    return made.difference;
}

}  // namespace inlay::lowered

#endif
