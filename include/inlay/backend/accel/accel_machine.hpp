// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_ACCEL_MACHINE_HPP
#define INLAY_BACKEND_ACCEL_ACCEL_MACHINE_HPP

#include <cstdint>

#include <inlay/accelerator/dma.hpp>
#include <inlay/accelerator/option_range.hpp>
#include <inlay/accelerator/systolic_array.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::accel_parts {

/// One accelerator of the family: a systolic array with a memory for operands and one for sums, a vector unit that ends a tile, and engines
/// that load and store. Memories are addressed by lines of 16 bytes, of which there are at most 65536 each.
struct accel_machine {
    systolic_array array;
    std::int64_t scratchpad_bytes = 256 << 10;
    std::int64_t accumulator_bytes = 64 << 10;
    dma_engine dma;
    bool double_buffering = true;
    std::int64_t mhz = 1000;

    static constexpr std::int64_t line = 16;
    static constexpr std::int64_t most_local_bytes = 65536 * line;
    static constexpr std::int64_t most_extent = 256;  // of the array

    /// The error is one sentence on the option that has no machine.
    [[nodiscard]] outcome<void> check() const {
        const option_range all[] = {{"rows", array.rows, 1, most_extent},
                                    {"cols", array.columns, 1, most_extent},
                                    {"scratchpad", scratchpad_bytes, 1024, most_local_bytes},
                                    {"accumulator", accumulator_bytes, 256, most_local_bytes},
                                    {"dma_bytes", dma.bytes_per_cycle, 1, 4096},
                                    {"dma_latency", dma.latency, 0, 1'000'000},
                                    {"mhz", mhz, 1, 100'000}};
        return check_ranges("accel", all);
    }
    /// The lines that so many bytes take.
    [[nodiscard]] static constexpr std::int64_t lines(std::int64_t bytes) { return (bytes + line - 1) / line; }
};

}  // namespace inlay::accel_parts

#endif
