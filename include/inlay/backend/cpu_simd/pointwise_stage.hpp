// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_POINTWISE_STAGE_HPP
#define INLAY_BACKEND_CPU_SIMD_POINTWISE_STAGE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// A 1 x 1 convolution within a kernel of several: from places that lie evenly apart to such places.
struct pointwise_stage {
    const kernel_table* table = nullptr;
    std::ptrdiff_t outputs = 0;  // channels
    tile_size size;
    panels filter;
    kernel_epilogue after;
    std::vector<segment> segments;  // of the channels that are summed
    std::ptrdiff_t from_place = 0;  // between places that are read
    image_order to;                 // in which channels are written

    /// Packs the filter for tiles that suit so many `places` and for whole blocks of channels where `to` has them. An empty filter where
    /// there is no memory. What is packed is shared where there is a store.
    [[nodiscard]] static pointwise_stage of(const detail::anchored_convolution& p, const kernel_table& table, const image_order& from,
                                            const image_order& to, std::ptrdiff_t places, kernel_epilogue after,
                                            weight_store* store = nullptr) {
        pointwise_stage s;
        const auto inputs = static_cast<std::size_t>(from.channels), existing = static_cast<std::size_t>(to.channels);
        const auto columns = static_cast<std::size_t>(to.stored());
        s.table = &table;
        s.outputs = to.channels;
        s.size = best_tile(table, static_cast<std::size_t>(places), columns);
        s.after = std::move(after);
        s.from_place = from.stride[2];
        s.to = to;
        for (std::ptrdiff_t c = 0; c < from.channels; c += from.run(c))
            s.segments.push_back({from.channel(c), c, static_cast<std::uint32_t>(from.run(c)), segment::part::all});
        digest_builder of;
        if (store != nullptr) of.add("pointwise").add(p.numbers());
        s.filter = panels::filled(inputs, columns, s.size.vectors, table.lanes, store, of.finish(), [&](panels& packed) {
            const auto weights = p.weights->as<float>();
            for (std::size_t i = 0; i < inputs; ++i)
                packed.set_row(i, [&](std::size_t o) {
                    return o < existing ? static_cast<float>(static_cast<double>(weights[o * inputs + i]) * p.line.scale[o]) : 0.0f;
                });
            for (std::size_t o = 0; o < existing; ++o) packed.set_bias(o, static_cast<float>(p.line.shift[o]));
        });
        return s;
    }

    [[nodiscard]] double operations(std::ptrdiff_t places) const {
        return 2.0 * static_cast<double>(filter.depth()) * static_cast<double>(outputs * places);
    }

    /// A panel of columns for some places: `x` is the first of them that is read; `y` the first that is written, at the panel's first
    /// channel, of a result that begins at `begin`.
    void compute(std::size_t panel, std::ptrdiff_t places, const float* x, float* y, const float* begin,
                 const kernel_epilogue::ready& last) const {
        const std::size_t vectors = filter.vectors(panel);
        const auto column = static_cast<std::ptrdiff_t>(panel * filter.width());
        tile_job j;
        j.columns =
            static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(outputs - column, 0, static_cast<std::ptrdiff_t>(filter.columns(panel))));
        j.fills = to.fills();
        j.b = filter.at(panel);
        j.bias = filter.bias(panel);
        j.segments = segments.data();
        j.segment_count = segments.size();
        j.a_row = from_place;
        j.c_row = to.stride[2];
        for (std::size_t v = 0; v < vectors; ++v)
            j.c_vector[v] = to.channel(column + static_cast<std::ptrdiff_t>(v * table->lanes)) - to.channel(column);
        each_tile(static_cast<std::size_t>(places), size.rows, [&](std::size_t place, std::size_t n) {
            j.a = x + static_cast<std::ptrdiff_t>(place) * j.a_row;
            j.c = y + static_cast<std::ptrdiff_t>(place) * j.c_row;
            last.give(j, j.c, begin, static_cast<std::size_t>(column));
            table->tiles[vectors - 1][n - 1](j);
        });
    }
};

}  // namespace inlay::simd

#endif
