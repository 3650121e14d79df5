// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_BLOCKS_HPP
#define INLAY_PLAN_BLOCKS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/control_flow/backend.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/passes/control/lift_control.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>

namespace inlay {

/// A plan for each body of a program's branches and loops, and for what is left of it.
struct block_plans {
    std::vector<plan> bodies;  // as `lifted_control` numbers them
    plan main;
};

/// The instance of `control_flow` in a list. Precondition: the list has one.
template <class List>
[[nodiscard]] control_flow& control_flow_of(List& backends) {
    control_flow* found = nullptr;
    backends.for_each([&]<class B>(B& b, std::size_t) {
        if constexpr (std::same_as<B, control_flow>) found = &b;
    });
    return *found;
}

namespace detail {

/// What is wrong with a body, with its number.
[[nodiscard]] inline error about_body(std::size_t number, const error& what) {
    return error{"body " + std::to_string(number) + " of its control flow: " + what.message};
}

}  // namespace detail

/// What is done with the bodies of branches and loops: they are linked, to run here, or planned alone, since they leave as C.
enum class bodies_are : std::uint8_t { linked, planned };

/// Plans each of so many bodies by `make(i)`, which gives an `outcome<plan>` of the program `program_of(i)`, and links it into the list's
/// `control_flow`, where those that call it find it; where they are planned alone, no compiler is asked for them. The programs have to
/// outlive the plans. The error says which body it is about.
template <class List, class Program, class Make>
[[nodiscard]] outcome<std::vector<plan>> plan_bodies(std::size_t count, List& backends, Program&& program_of, Make&& make,
                                                     bodies_are done = bodies_are::linked) {
    control_flow& control = control_flow_of(backends);
    block_programs linked;
    control.blocks.clear();
    control.c_bodies.clear();
    std::vector<plan> plans;
    for (std::size_t i = 0; i < count; ++i) {
        // A body that calls others is among them, and is not to keep them.
        control.blocks = linked.from_inside();
        outcome<plan> made = make(i);
        std::optional<program> code;
        if (made && done == bodies_are::linked) {
            auto linked_body = link(program_of(i), backends, made->set, made->cut);
            if (linked_body)
                code = *std::move(linked_body);
            else
                made = linked_body.failure();
        }
        control.blocks.clear();
        if (!made) return detail::about_body(i, made.failure());
        linked.add(std::move(code), made->chosen.seconds.value_or(0));
        plans.push_back(*std::move(made));
    }
    control.blocks = std::move(linked);
    return plans;
}

/// Plans a program with branches and loops: bodies first, each like any program, then what is left, in which a branch or a loop is one call
/// at the price of its bodies. The list has `control_flow`, which holds the linked bodies afterwards, so that `link(lifted.program, ...)`
/// with `main` gives the whole; where bodies are planned alone `emit_c_blocks` does. Options that name nodes are about `lifted.program`;
/// bodies get the others. Plans refer to `lifted`.
template <class List, meter Meter, class Bound>
[[nodiscard]] outcome<block_plans> plan_blocks(const lifted_control& lifted, List& backends, Meter& pricing, Bound&& bound,
                                               const plan_options& options = {}, bodies_are done = bodies_are::linked) {
    plan_options of_bodies = options;
    of_bodies.existing.clear();
    of_bodies.placements.clear();
    of_bodies.constraints.clear();
    of_bodies.enumeration.owned.clear();
    std::erase_if(of_bodies.fallbacks, [](const fallback_rule& rule) { return !rule.nodes.empty(); });
    const auto body = [&](std::size_t i) -> const ir_module& { return lifted.bodies[i]; };
    auto bodies = plan_bodies(
        lifted.bodies.size(), backends, body, [&](std::size_t i) { return make_plan(body(i), backends, pricing, bound, of_bodies); }, done);
    if (!bodies) return bodies.failure();
    auto main = make_plan(lifted.program, backends, pricing, bound, options);
    if (!main) return main.failure();
    return block_plans{*std::move(bodies), *std::move(main)};
}

}  // namespace inlay

#endif
