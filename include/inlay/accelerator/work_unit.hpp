// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_WORK_UNIT_HPP
#define INLAY_ACCELERATOR_WORK_UNIT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace inlay {

/// The units of an accelerator that work at one time, each on its own instructions in order. One brings tensors in, one computes, one
/// finishes sums on their way out, one brings results out. A machine that finishes sums where it computes leaves `finish` idle.
enum class work_unit : std::uint8_t { load, compute, finish, store };
inline constexpr std::size_t work_units = 4;

[[nodiscard]] constexpr std::string_view name_of(work_unit u) {
    constexpr std::array<std::string_view, work_units> names{"load", "compute", "finish", "store"};
    return names[static_cast<std::size_t>(u)];
}

/// A set of units: those that an instruction takes a token from before it begins, or gives one to when it has ended.
struct unit_set {
    std::uint8_t bits = 0;

    constexpr unit_set() = default;
    constexpr unit_set(std::initializer_list<work_unit> units) {
        for (const work_unit u : units) add(u);
    }
    constexpr void add(work_unit u, bool is_so = true) {
        if (is_so) bits = static_cast<std::uint8_t>(bits | 1u << static_cast<unsigned>(u));
    }
    [[nodiscard]] constexpr bool has(work_unit u) const { return (bits >> static_cast<unsigned>(u) & 1u) != 0; }
    friend constexpr bool operator==(const unit_set&, const unit_set&) = default;
};

}  // namespace inlay

#endif
