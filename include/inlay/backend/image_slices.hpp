// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_IMAGE_SLICES_HPP
#define INLAY_BACKEND_IMAGE_SLICES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/spatial_window.hpp>

// Slices of images whose channels lie last: each is one run of bytes.

namespace inlay::detail {

/// Some whole images of a result, or some rows of one image.
struct image_slice {
    std::int64_t image = 0, images = 1;
    std::int64_t from = 0, past = 0;  // rows: places along the first spatial axis
};

/// About two slices for each thread, none of fewer rows than `least`; of whole images where there are enough of them.
[[nodiscard]] inline std::vector<image_slice> image_slices(std::int64_t images, std::int64_t rows, std::int64_t least, int threads) {
    std::vector<image_slice> list;
    if (rows == 1 || images >= 2 * std::int64_t{threads}) {
        const std::vector<std::int64_t> cuts = slice_cuts(images, 1, (least + rows - 1) / rows, threads);
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) list.push_back({cuts[i], cuts[i + 1] - cuts[i], 0, rows});
        return list;
    }
    const std::vector<std::int64_t> cuts = slice_cuts(rows, 1, least, static_cast<int>((threads + images - 1) / images));
    for (std::int64_t n = 0; n < images; ++n)
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) list.push_back({n, 1, cuts[i], cuts[i + 1]});
    return list;
}

/// How many elements of input and result lie before a slice.
struct slice_offsets {
    std::size_t x = 0, y = 0;
};

/// Cuts a convolution or pooling to a slice of its result: extents of input and result, N C and the spatial axes, and the window, whose
/// pads at the first and last row stay where the slice has these rows. Nothing where its rows read pads alone. Precondition: a transposed
/// window has all rows.
[[nodiscard]] inline std::optional<slice_offsets> cut_to(const image_slice& s, spatial_window& w, std::vector<std::int64_t>& x,
                                                         std::vector<std::int64_t>& y) {
    std::int64_t x_row = x[1], y_row = y[1];
    for (std::size_t i = 3; i < x.size(); ++i) x_row *= x[i], y_row *= y[i];
    std::int64_t x_first = s.image * x[2], y_first = s.image * y[2];
    if (s.from != 0 || s.past != y[2]) {
        const spatial_window::part rows = w.read_by(0, s.from, s.past, x[2]);
        if (rows.count == 0) return std::nullopt;
        x_first += rows.first;
        y_first += s.from;
        x[2] = rows.count;
        y[2] = s.past - s.from;
        w.begin[0] = rows.begin;
        w.end[0] = rows.end;
    }
    x[0] = y[0] = s.images;
    return slice_offsets{static_cast<std::size_t>(x_first * x_row), static_cast<std::size_t>(y_first * y_row)};
}

}  // namespace inlay::detail

#endif
