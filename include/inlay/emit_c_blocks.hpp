// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EMIT_C_BLOCKS_HPP
#define INLAY_EMIT_C_BLOCKS_HPP

#include <cstddef>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_program.hpp>
#include <inlay/codegen/c/emit_c_program.hpp>
#include <inlay/codegen/emit/emit_failure.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/passes/control/lift_control.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan_blocks.hpp>

namespace inlay {

/// What bodies have no C for, and of which body it is.
struct body_failures {
    std::size_t body = 0;
    std::vector<emit_failure> failures;
};

/// Makes each of so many bodies, of the program `program_of(i)` and planned as `plan_of(i)`, a function in C, and gives them to the list's
/// `control_flow`, which calls them from the branches and loops that it makes C of. The error says which body it is about, as `failed`
/// does.
template <class List, class Program, class Plan>
[[nodiscard]] outcome<void> emit_c_bodies(std::size_t count, List& backends, Program&& program_of, Plan&& plan_of,
                                          body_failures* failed = nullptr) {
    control_flow& control = control_flow_of(backends);
    control.c_bodies.clear();
    for (std::size_t i = 0; i < count; ++i) {
        const plan& p = plan_of(i);
        std::vector<emit_failure> failures;
        auto made = emit_c_function(program_of(i), backends, p.set, p.cut, "body", &failures);
        if (!made) {
            if (failed != nullptr) *failed = {i, std::move(failures)};
            return detail::about_body(i, made.failure());
        }
        control.c_bodies.push_back(*std::move(made));
    }
    return {};
}

/// A program with branches and loops, as `plan_blocks` planned it, in C99: bodies become functions that those of branches and loops call.
/// Otherwise as `emit_c_program`.
template <class List>
[[nodiscard]] outcome<c_program> emit_c_blocks(const lifted_control& lifted, List& backends, const block_plans& plans,
                                               const c_program_options& options = {}) {
    const auto bodies = emit_c_bodies(
        lifted.bodies.size(), backends, [&](std::size_t i) -> const ir_module& { return lifted.bodies[i]; },
        [&](std::size_t i) -> const plan& { return plans.bodies[i]; });
    if (!bodies) return bodies.failure();
    return emit_c_program(lifted.program, backends, plans.main.set, plans.main.cut, options);
}

}  // namespace inlay

#endif
