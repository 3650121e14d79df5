// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_DSP_MACHINE_HPP
#define INLAY_BACKEND_VECTOR_DSP_DSP_MACHINE_HPP

#include <cstdint>
#include <string>

#include <inlay/accelerator/dma.hpp>
#include <inlay/accelerator/option_range.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::dsp_parts {

/// One vector processor of the family: so many bytes side by side, one local memory for operands, sums and results, addressed by bytes, and
/// an engine in and one out.
struct dsp_machine {
    std::int64_t lanes = 64;  // bytes of a vector
    std::int64_t memory_bytes = 128 << 10;
    dma_engine dma;
    bool double_buffering = true;
    std::int64_t mhz = 1000;

    static constexpr std::int64_t most_local_bytes = 1 << 20;

    /// The error is one sentence on the option that has no machine.
    [[nodiscard]] outcome<void> check() const {
        const option_range all[] = {{"lanes", lanes, 4, 4096},
                                    {"memory", memory_bytes, 1024, most_local_bytes},
                                    {"dma_bytes", dma.bytes_per_cycle, 1, 4096},
                                    {"dma_latency", dma.latency, 0, 1'000'000},
                                    {"mhz", mhz, 1, 100'000}};
        if (auto sound = check_ranges("vector_dsp", all); !sound) return sound;
        if (lanes % 4 != 0)
            return error{"option '-lanes' of target 'vector_dsp' takes bytes of whole words of 4, not " + std::to_string(lanes)};
        return {};
    }
    /// The vectors that so many bytes take, and their bytes.
    [[nodiscard]] constexpr std::int64_t vectors(std::int64_t bytes) const { return (bytes + lanes - 1) / lanes; }
    [[nodiscard]] constexpr std::int64_t whole(std::int64_t bytes) const { return vectors(bytes) * lanes; }
};

}  // namespace inlay::dsp_parts

#endif
