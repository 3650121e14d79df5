// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_DMA_HPP
#define INLAY_ACCELERATOR_DMA_HPP

#include <cstdint>

namespace inlay {

/// What brings rows of bytes from one memory to another: so many bytes a cycle, after so many cycles for the first of them.
struct dma_engine {
    std::int64_t bytes_per_cycle = 16;
    std::int64_t latency = 100;

    /// Cycles of a transfer of rows; each row begins with a beat of its own.
    [[nodiscard]] constexpr std::int64_t cycles(std::int64_t rows, std::int64_t row_bytes) const {
        return latency + rows * ((row_bytes + bytes_per_cycle - 1) / bytes_per_cycle);
    }
    /// No transfer of so many bytes in all takes fewer.
    [[nodiscard]] constexpr std::int64_t least_cycles(std::int64_t bytes) const { return (bytes + bytes_per_cycle - 1) / bytes_per_cycle; }
};

}  // namespace inlay

#endif
