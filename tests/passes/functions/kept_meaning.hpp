// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PASSES_FUNCTIONS_KEPT_MEANING_HPP
#define INLAY_TESTS_PASSES_FUNCTIONS_KEPT_MEANING_HPP

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/compare_programs.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/recover_places.hpp>
#include <inlay/placement/plan_devices.hpp>
#include <inlay/runtime/simulate/simulate.hpp>

#include "placement/planned.hpp"
#include "placement/random_relay.hpp"

/// What every pass over planned programs has to keep.
namespace kept_meaning {

using namespace inlay;

inline std::uint64_t number_in(const char* name, std::uint64_t otherwise) {
    const char* set = std::getenv(name);
    return set == nullptr ? otherwise : std::strtoull(set, nullptr, 10);
}

/// Inputs of a program of numbers and conditions.
inline std::vector<tensor> inputs_of(const ir_module& m, bool condition) {
    std::vector<tensor> inputs;
    for (const node_id p : m.inputs()) {
        if (m.type(p).of_tensor.element == element_type::boolean) {
            inputs.emplace_back(element_type::boolean, std::vector<std::int64_t>{});
            inputs.back().as<bool>()[0] = condition;
        } else {
            inputs.push_back(tensor::scalar(static_cast<float>(inputs.size() + 1)));
        }
    }
    return inputs;
}

/// Asks that a program gives what is meant over simulated memories, as it is and in the form for texts.
inline void check_runs(const ir_module& m, const std::vector<tensor>& inputs, const std::vector<tensor>& meant) {
    for (const ir_module& form : {m, capture_places(m)}) {
        const auto found = simulate(form, inputs, relay_ops());
        REQUIRE_MESSAGE(found.has_value(), (found ? std::string() : found.failure().message));
        REQUIRE(found->size() == meant.size());
        for (std::size_t i = 0; i < meant.size(); ++i) CHECK((*found)[i].content() == meant[i].content());
    }
}

/// Asks that each value has a place, but what planning does not look into, and that planning again finds the same places.
inline void check_places(const ir_module& m, const configuration& targets = planned::two_devices(), const placement_options& options = {}) {
    const std::vector<char> left = inside_left_functions(m);
    const std::vector<function_role> roles = function_roles(m);
    std::size_t free = 0;
    for (node_id n = 0; n < m.size(); ++n) free += left[n] == 0 && roles[n] == function_role::planned && m.where(n).is_free() ? 1 : 0;
    CHECK(free == 0);
    const auto again = plan_devices(m, targets, options);
    REQUIRE_MESSAGE(again.has_value(), (again ? std::string() : again.failure().message));
    CHECK(compare_programs(capture_places(*again), capture_places(m)).value_or("") == "");
}

/// Whether a program copies a function, which says nothing.
inline bool copies_a_function(const ir_module& m) {
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call && m.op(n) == "device_copy" && m.type(m.operand(n, 0)).is_function()) return true;
    return false;
}

/// Does a pass to random planned programs: what comes out has places for all of its values, is what planning makes of it again, and gives
/// the same. `INLAY_RANDOM_PROGRAMS` and `INLAY_SEED` set how many, a twentieth of those that planning itself is tried on, and which.
template <class Pass>
void check_random(Pass&& pass) {
    const std::uint64_t first = number_in("INLAY_SEED", std::random_device{}()), count = number_in("INLAY_RANDOM_PROGRAMS", 2'000) / 20;
    const auto named = planned::places();
    std::uint64_t checked = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        CAPTURE(seed);
        random_relay::how how;
        how.places = {named[0].second, named[1].second, named[5].second};
        how.annotated = seed % 3 == 0 ? 6 : 15;
        const ir_module m = random_relay::program(seed, how);
        const auto placed = plan_devices(m, planned::two_devices());
        if (!placed || copies_a_function(*placed)) continue;
        ++checked;
        const std::vector<tensor> inputs = inputs_of(m, seed % 2 == 0);
        const auto meant = interpret(m, inputs, relay_ops());
        REQUIRE(meant.has_value());
        const ir_module made = pass(*placed);
        check_places(made);
        check_runs(made, inputs, *meant);
    }
    CHECK(checked > count / 4);
}

}  // namespace kept_meaning

#endif
