// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_ACCELERATOR_PRICE_HPP
#define INLAY_ACCELERATOR_ACCELERATOR_PRICE_HPP

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// What a region costs on an accelerator, taken apart: cycles in all, those in which it computes, multiplications with their additions (or
/// what a machine does in their place) and how many of them a cycle can have, bytes by memory, and energy by counting actions, a model.
struct accelerator_price {
    std::int64_t cycles = 0, compute_cycles = 0, macs = 0, macs_per_cycle = 1;
    std::vector<std::pair<std::string, std::int64_t>> bytes;
    double energy_pj = 0;

    /// The share of the multiplications it could do that are used, over all cycles.
    [[nodiscard]] double utilization() const {
        return cycles == 0 ? 0 : static_cast<double>(macs) / (static_cast<double>(cycles) * static_cast<double>(macs_per_cycle));
    }
    [[nodiscard]] std::int64_t stall_cycles() const { return cycles - compute_cycles; }

    /// One region after another.
    accelerator_price& operator+=(const accelerator_price& other) {
        cycles += other.cycles;
        compute_cycles += other.compute_cycles;
        macs += other.macs;
        macs_per_cycle = other.macs_per_cycle;
        energy_pj += other.energy_pj;
        for (const auto& [memory, count] : other.bytes) {
            bool is_known = false;
            for (auto& [own, sum] : bytes)
                if (own == memory) {
                    sum += count;
                    is_known = true;
                }
            if (!is_known) bytes.emplace_back(memory, count);
        }
        return *this;
    }
};

/// It takes its prices apart: `price_apart(region)`.
template <class B>
concept prices_apart = requires(const B& b, const region_view& r) {
    { b.price_apart(r) } -> std::same_as<outcome<accelerator_price>>;
};

/// Energy of one action in picojoules. The ratios are those of Eyeriss (Chen et al., ISSCC 2016): a buffer 6 and DRAM 200 times a
/// multiplication, by element; a multiplication with its addition takes what Horowitz (ISSCC 2014) gives for 45 nm.
struct action_energy {
    double mac = 0.23;
    double buffer_byte = 6 * 0.23;
    double dram_byte = 200 * 0.23;

    [[nodiscard]] static constexpr action_energy of_bytes() { return {}; }
    [[nodiscard]] static constexpr action_energy of_floats() { return {4.6, 6 * 4.6 / 4, 200 * 4.6 / 4}; }
};

}  // namespace inlay

#endif
