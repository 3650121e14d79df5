// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLE_PLACES_HPP
#define INLAY_OPS_SAMPLE_SAMPLE_PLACES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/cost/statistics.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay {

/// Chooses elements of a tensor of these extents to be compared, in ascending order, each once: all of them where there are few; else
/// - one at random in each of `count` stretches of equal length, so that each thread's share and each block of channels has some;
/// - the corners of the first and last places along all axes;
/// - the borders: along each axis some with the first and the last place, and with the last sixteen of the innermost axis, where the tail
///   of a vector of any width is.
///
/// Deterministic for a seed. O(count log count).
[[nodiscard]] inline std::vector<std::int64_t> sample_places(const std::vector<std::int64_t>& extents, std::size_t count,
                                                             std::uint64_t seed) {
    const std::int64_t all = extent_product(extents, 0, extents.size());
    std::vector<std::int64_t> places;
    if (all <= static_cast<std::int64_t>(count) + 64) {
        for (std::int64_t i = 0; i < all; ++i) places.push_back(i);
        return places;
    }
    detail::splitmix random{seed};
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
    for (std::size_t i = 0; i < count; ++i) {
        // Whole stretches first, so that products of large counts stay within 64 bits.
        const auto n = static_cast<std::int64_t>(count), k = static_cast<std::int64_t>(i);
        const std::int64_t begin = all / n * k + all % n * k / n, end = all / n * (k + 1) + all % n * (k + 1) / n;
        if (end > begin) places.push_back(begin + below(end - begin));
    }
    const std::vector<std::int64_t> step = row_major_strides(extents);
    const std::size_t rank = extents.size();
    for (std::size_t corner = 0; corner < std::size_t{1} << std::min<std::size_t>(rank, 5); ++corner) {
        std::int64_t at = 0;
        for (std::size_t a = 0; a < rank; ++a) at += (corner >> std::min<std::size_t>(a, 4) & 1) != 0 ? (extents[a] - 1) * step[a] : 0;
        places.push_back(at);
    }
    const auto with = [&](std::size_t axis, std::int64_t place) {
        std::int64_t at = 0;
        for (std::size_t a = 0; a < rank; ++a) at += (a == axis ? place : below(extents[a])) * step[a];
        places.push_back(at);
    };
    const std::size_t on_border = std::max<std::size_t>(count / 64, 2);
    for (std::size_t a = 0; a < rank; ++a)
        for (std::size_t i = 0; i < on_border && extents[a] > 1; ++i) {
            with(a, 0);
            with(a, extents[a] - 1);
        }
    for (std::int64_t tail = 0; rank > 0 && tail < std::min<std::int64_t>(extents.back(), 16); ++tail)
        with(rank - 1, extents.back() - 1 - tail);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

}  // namespace inlay

#endif
