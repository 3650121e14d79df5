// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_COPIED_BORDERS_HPP
#define INLAY_BACKEND_CPU_SIMD_COPIED_BORDERS_HPP

#include <cstddef>
#include <vector>

#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>

namespace inlay::simd {

/// The formats in which parts of a tensor of `rank` axes are copied: all in one layout, row-major, and images also in blocks of channels
/// and with their channels last, where `keeps_runs(layout)` says that the parts lie in runs. `lanes`: of a vector.
template <class KeepsRuns>
[[nodiscard]] std::vector<border_formats> copied_borders(const region_view& r, std::size_t rank, std::size_t lanes,
                                                         KeepsRuns&& keeps_runs) {
    std::vector<border_formats> list{plain_borders(r)};
    if (rank != 4 && rank != 5) return list;
    for (const layout& l : {blocks_for(lanes), layout::channels_last()})
        if (keeps_runs(l)) list.push_back(detail::borders_in(r, l));
    return list;
}

}  // namespace inlay::simd

#endif
