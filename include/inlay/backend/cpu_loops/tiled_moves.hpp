// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_LOOPS_TILED_MOVES_HPP
#define INLAY_BACKEND_CPU_LOOPS_TILED_MOVES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// The loop of a band along which something is read element after element, where the band's last loop reads it in far steps: a transpose.
[[nodiscard]] inline std::optional<std::size_t> crossing_loop(const nest_edit& n, const loop_band& band) {
    constexpr std::int64_t far = 16;
    const variable_id last = n.at(band.loops.back()).variable;
    std::optional<std::size_t> found;
    n.each_access(band.loops.back(), [&](buffer_id b, const std::vector<affine>& at, const auto&, bool writes) {
        if (writes) return;
        affine place;
        for (std::size_t d = 0; d < at.size(); ++d) place += at[d] * n.nest().buffers[b].strides[d];
        if (place.factor_of(last) < far) return;
        for (std::size_t i = 0; i + 1 < band.loops.size(); ++i)
            if (place.factor_of(n.at(band.loops[i]).variable) == 1 && n.at(band.loops[i]).extent > 1) found = i;
    });
    return found;
}

/// A nest in which transposes go tile by tile, so that what a line of the cache holds is used while it is there.
[[nodiscard]] inline loop_nest with_tiled_moves(loop_nest n) {
    constexpr std::int64_t edge = 16;
    for (std::size_t k = 0; k < outermost_bands(n).size(); ++k) {
        const nest_edit now(n);
        const loop_band band = outermost_bands(n)[k];
        const auto crossing = crossing_loop(now, band);
        if (!crossing) continue;
        const std::string across = name_of_loop(n, band.loops[*crossing]), along = name_of_loop(n, band.loops.back());
        if (n.statements[band.loops[*crossing]].extent < 2 * edge || n.statements[band.loops.back()].extent < 2 * edge) continue;
        const std::string outer = free_name(n, across + "_tile"), inner = free_name(n, across + "_in"),
                          last_outer = free_name(n, along + "_tile"), last_inner = free_name(n, along + "_in");
        loop_schedule how;
        how.split(across, edge, outer, inner).split(along, edge, last_outer, last_inner);
        std::vector<std::string> order;
        for (std::size_t i = 0; i + 1 < band.loops.size(); ++i) order.push_back(i == *crossing ? outer : name_of_loop(n, band.loops[i]));
        for (const std::string& behind : {last_outer, inner, last_inner}) order.push_back(behind);
        (void)arrange_where_legal(n, how.reorder(order));
    }
    return n;
}

}  // namespace inlay::detail

#endif
