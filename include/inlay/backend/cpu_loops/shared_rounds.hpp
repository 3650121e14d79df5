// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_LOOPS_SHARED_ROUNDS_HPP
#define INLAY_BACKEND_CPU_LOOPS_SHARED_ROUNDS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// A nest whose outermost loops are parallel, as many of each band as give the threads enough rounds; loops without a loop in them are left
/// to vectors, and a single long one is cut before.
[[nodiscard]] inline loop_nest with_shared_rounds(loop_nest n) {
    constexpr std::int64_t rounds_wanted = 64, long_line = 65536, piece = 16384;
    for (std::size_t k = 0; k < outermost_bands(n).size(); ++k) {
        loop_band band = outermost_bands(n)[k];
        std::int64_t before = 1;
        for (std::size_t i = 0; i + 1 < band.loops.size(); ++i) before *= n.statements[band.loops[i]].extent;
        if (before == 1 && n.statements[band.loops.back()].extent >= long_line) {
            const std::string line = name_of_loop(n, band.loops.back());
            const std::string pieces = free_name(n, line + "_piece");
            // Rounds that hand something on gain nothing from being cut.
            loop_schedule cut;
            cut.split(line, piece, pieces, free_name(n, line + "_in")).run(pieces, loop_kind::parallel);
            if (arrange_where_legal(n, cut)) band = outermost_bands(n)[k];
        }
        std::int64_t rounds = 1;
        for (std::size_t i = 0; i < band.loops.size() && rounds < rounds_wanted; ++i) {
            const statement_id loop = band.loops[i];
            if (!has_loop(n, n.statements[loop].parts.front())) break;
            rounds *= n.statements[loop].extent;
            if (!arrange_where_legal(n, loop_schedule().run(name_of_loop(n, loop), loop_kind::parallel))) break;
            band = outermost_bands(n)[k];
        }
    }
    return n;
}

}  // namespace inlay::detail

#endif
