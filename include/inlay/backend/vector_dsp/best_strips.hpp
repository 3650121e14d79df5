// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_BEST_STRIPS_HPP
#define INLAY_BACKEND_VECTOR_DSP_BEST_STRIPS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/accelerator/best_cut.hpp>
#include <inlay/accelerator/pieces.hpp>
#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/backend/vector_dsp/cycle_model.hpp>
#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/strip_cut.hpp>
#include <inlay/backend/vector_dsp/strip_layer.hpp>
#include <inlay/backend/vector_dsp/strip_program.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::dsp_parts {

/// Cycles that the vector unit is busy with a layer in a cut: exactly those of its program, which how rows are cut does not change.
[[nodiscard]] inline std::int64_t compute_cycles(const strip_layer& l, const dsp_machine& m, const strip_cut& c) {
    std::int64_t cycles = 0;
    each_piece(l.channels, c.block, [&](std::int64_t channels, std::int64_t blocks) {
        const std::int64_t bytes = channels * l.element();
        if (l.work == strip_work::combination) {
            cycles += blocks * vector_cycles(m, 1, 4 * channels);
            return;
        }
        std::int64_t taps = 0;
        for (std::int64_t tap = 0; tap < l.x.taps; ++tap) {
            const tap_axis::run run = l.x.places_inside(tap);
            if (run.past > run.first) taps += vector_cycles(m, run.past - run.first, bytes);
        }
        const std::int64_t ends = l.has_sums() ? 2 * vector_cycles(m, l.x.out, 4 * channels) : vector_cycles(m, 1, l.x.out * bytes);
        cycles += blocks * l.images * (l.y.out * ends + l.y.taps_inside() * taps);
    });
    return cycles;
}

/// No program of a layer in a cut takes fewer cycles: its vector unit and its engines each take so many by themselves, and the vector unit
/// has nothing to do until the first strip is there, nor the engine out until the last one is done.
[[nodiscard]] inline std::int64_t least_cycles(const strip_layer& l, const dsp_machine& m, const strip_cut& c) {
    std::int64_t loads = 0, stores = 0, first = 0, last = 0;
    bool is_first = true;
    each_strip(l, c, [&](const strip& s) {
        const bool needs_numbers = l.work == strip_work::combination ? is_first : l.has_sums() && s.begins_block;
        if (needs_numbers) loads += m.dma.cycles(1, block_numbers::of(l, s.channels).bytes);
        const strip_rows in = rows_in(l, s), out = rows_out(l, s);
        loads += m.dma.cycles(in.rows, in.bytes) * (l.reads_one ? 1 : 2);
        last = m.dma.cycles(out.rows, out.bytes);
        stores += last;
        if (is_first) first = loads;
        is_first = false;
    });
    return std::max({first + compute_cycles(l, m, c) + last, loads + last, first + stores});
}

/// The cut whose program takes the fewest cycles, of `strip_cuts_of` the layer. The error says what the smallest strip needs, where none
/// fits.
[[nodiscard]] inline outcome<chosen_cut<strip_cut>> best_strips(const strip_layer& l, const dsp_machine& m, std::size_t most_timed = 24) {
    std::vector<bounded_cut<strip_cut>> all;
    for (const strip_cut& c : strip_cuts_of(l, m)) all.push_back({least_cycles(l, m, c), c});
    if (all.empty()) {
        const strip_cut least{1, std::min(l.channels, m.lanes / l.element())};
        const std::int64_t needs = strip_sizes::of(l, m, least).bytes;
        if (needs <= m.memory_bytes) return error{"instructions have no bits for the extents of the layer"};
        return error{"no strip of the layer fits: one row of " + std::to_string(least.block) + " channels needs " + std::to_string(needs) +
                     " bytes of memory, and there are " + std::to_string(m.memory_bytes)};
    }
    return best_cut(std::move(all), most_timed, [&](const strip_cut& c) -> outcome<std::int64_t> {
        const auto timeline = timeline_of(steps_of(m, strip_program(l, m, c)));
        if (!timeline) return timeline.failure();
        return timeline->total;
    });
}

}  // namespace inlay::dsp_parts

#endif
