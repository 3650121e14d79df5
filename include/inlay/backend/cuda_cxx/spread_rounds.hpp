// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_SPREAD_ROUNDS_HPP
#define INLAY_BACKEND_CUDA_CXX_SPREAD_ROUNDS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/race.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// Whether a band is bound to blocks or threads already.
[[nodiscard]] inline bool is_bound(const loop_nest& n, const loop_band& band) {
    return std::any_of(band.loops.begin(), band.loops.end(),
                       [&](statement_id l) { return is_block(n.statements[l].runs) || is_thread(n.statements[l].runs); });
}

/// How a band's rounds are spread over blocks and threads: the loops that begin it and hand nothing on, of which the last three give the
/// threads of a block, as far as their rounds go, and the rest and what is left of these the blocks.
[[nodiscard]] inline loop_schedule spread_of(const loop_nest& n, const loop_band& band) {
    constexpr std::int64_t threads_wanted = 256, threads_z = 64;
    std::vector<std::string> free;
    for (const statement_id loop : band.loops) {
        if (race_of(n, loop)) break;
        free.push_back(name_of_loop(n, loop));
    }
    loop_schedule how;
    std::vector<std::string> blocks, threads;
    std::vector<std::pair<std::string, loop_kind>> bound;
    std::int64_t left = threads_wanted;
    constexpr std::array<loop_kind, 3> kinds{loop_kind::thread_x, loop_kind::thread_y, loop_kind::thread_z};
    for (std::size_t i = free.size(), used = 0; i-- > 0;) {
        const std::int64_t extent = n.statements[band.loops[i]].extent;
        const std::int64_t count = used == 3 ? 1 : std::min({extent, left, used == 2 ? threads_z : left});
        if (count <= 1) {
            blocks.insert(blocks.begin(), free[i]);
            continue;
        }
        left /= count;
        std::string inside = free[i];
        if (count < extent) {
            const std::string over = free_name(n, free[i] + "_block");
            inside = free_name(n, free[i] + "_thread");
            how.split(free[i], count, over, inside);
            blocks.insert(blocks.begin(), over);
        }
        threads.insert(threads.begin(), inside);
        bound.emplace_back(inside, kinds[used++]);
    }
    std::vector<std::string> order = blocks;
    order.insert(order.end(), threads.begin(), threads.end());
    if (order.size() > 1) how.reorder(order);
    for (const std::string& loop : blocks) how.bind(loop, loop_kind::block_x);
    for (const auto& [loop, kind] : bound) how.bind(loop, kind);
    return how;
}

/// A nest in which each band that is not bound yet is spread over blocks and threads.
[[nodiscard]] inline loop_nest with_spread_rounds(loop_nest n) {
    for (std::size_t k = 0; k < outermost_bands(n).size(); ++k) {
        const loop_band band = outermost_bands(n)[k];
        if (!is_bound(n, band)) (void)arrange_where_legal(n, spread_of(n, band));
    }
    return n;
}

}  // namespace inlay::detail

#endif
