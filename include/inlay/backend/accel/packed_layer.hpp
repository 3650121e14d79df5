// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_PACKED_LAYER_HPP
#define INLAY_BACKEND_ACCEL_PACKED_LAYER_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <inlay/accelerator/operand_type.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/layer.hpp>
#include <inlay/backend/accel/tile_program.hpp>
#include <inlay/backend/accel/tiling.hpp>

namespace inlay::accel_parts {

/// The constants of a layer. Of bytes `biases`, `zero`, `low` and `high` count, of floats the `real_` ones and `scales`.
struct layer_numbers {
    std::vector<std::byte> weights;  // by tap (rows of taps), channel of a group, output channel of all groups
    std::vector<float> scales;       // by output channel of all groups
    std::vector<std::int32_t> biases;
    std::vector<float> real_biases;
    std::int32_t zero = 0, low = -128, high = 127;
    float real_low = 0, real_high = 0;
};

/// The memory `packed` of a layer's program in a tiling: what instructions load as it stands. Linear in its bytes.
[[nodiscard]] inline std::vector<std::byte> pack(const layer& l, const accel_machine& m, const tiling& t, const layer_numbers& n) {
    const packed_form form = packed_form::of(l, tile_sizes::of(l, m, t));
    std::vector<std::byte> made(static_cast<std::size_t>(l.groups * form.bytes));
    const auto put = [&](std::int64_t at, const void* from, std::int64_t bytes) {
        if (bytes != 0) std::memcpy(made.data() + at, from, static_cast<std::size_t>(bytes));
    };
    for (std::int64_t i = 0; i < l.groups * static_cast<std::int64_t>(form.blocks.size()); ++i) {
        const std::int64_t group = i / static_cast<std::int64_t>(form.blocks.size()), begin = group * form.bytes;
        const packed_block& b = form.blocks[static_cast<std::size_t>(i) % form.blocks.size()];
        const std::int64_t first_filter = group * l.filters + b.first_filter;
        const std::int64_t list = accel_machine::lines(b.filters * 4) * accel_machine::line;
        const bool is_real = l.type == operand_type::floats;
        put(begin + b.numbers_at, is_real ? static_cast<const void*>(n.real_biases.data() + first_filter) : n.biases.data() + first_filter,
            b.filters * 4);
        put(begin + b.numbers_at + list, n.scales.data() + first_filter, b.filters * 4);
        const std::int32_t range[3] = {n.zero, n.low, n.high};
        const float real_range[3] = {0, n.real_low, n.real_high};
        put(begin + b.numbers_at + 2 * list, is_real ? static_cast<const void*>(real_range) : range, 12);
        for (std::size_t q = 0; q < form.chunks.size(); ++q) {
            const packed_chunk& c = form.chunks[q];
            for (std::int64_t k = 0; k < c.channels; ++k) {
                const std::int64_t from =
                    ((c.tap_y * l.x.taps + c.tap_x) * l.channels + c.first_channel + k) * l.groups * l.filters + first_filter;
                put(begin + b.weights_at[q] + k * b.filters * l.element(), n.weights.data() + from * l.element(), b.filters * l.element());
            }
        }
    }
    return made;
}

}  // namespace inlay::accel_parts

#endif
