// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_OBJECTIVE_HPP
#define INLAY_PLAN_PLAN_OBJECTIVE_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace inlay {

/// What a plan is to have least of.
enum class plan_objective : std::uint8_t {
    /// Seconds from input to result: its price.
    latency,
    /// Bytes of tensors that are alive at one time.
    peak,
    /// Seconds of the busiest back end, conversions not counted: the time between two results where back ends work on different inputs at
    /// one time.
    load,
    /// Joules of all its pieces and conversions, by the models of `plan_options::energies`.
    energy,
};

inline constexpr std::array plan_objectives{plan_objective::latency, plan_objective::peak, plan_objective::load, plan_objective::energy};

/// The word for an objective.
[[nodiscard]] constexpr const char* name_of(plan_objective objective) {
    switch (objective) {
        case plan_objective::latency:
            return "latency";
        case plan_objective::peak:
            return "peak";
        case plan_objective::load:
            return "load";
        default:
            return "energy";
    }
}

/// The objective of that name.
[[nodiscard]] constexpr std::optional<plan_objective> objective_named(std::string_view name) {
    for (const plan_objective each : plan_objectives)
        if (name == name_of(each)) return each;
    return std::nullopt;
}

}  // namespace inlay

#endif
