// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_STRIP_CUT_HPP
#define INLAY_BACKEND_VECTOR_DSP_STRIP_CUT_HPP

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/accelerator/pieces.hpp>
#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/strip_layer.hpp>

namespace inlay::dsp_parts {

/// How a layer is cut into strips: rows of a result, all columns, and a block of channels, which are whole vectors but for the last.
struct strip_cut {
    std::int64_t rows = 1, block = 1;

    friend bool operator==(const strip_cut&, const strip_cut&) = default;
};

/// `rows 4, block 64`.
[[nodiscard]] inline std::string to_string(const strip_cut& c) {
    return "rows " + std::to_string(c.rows) + ", block " + std::to_string(c.block);
}

/// One strip, and the rows of the image that it reads.
struct strip {
    std::int64_t image = 0, first_channel = 0, channels = 0, block_number = 0;
    std::int64_t first_row = 0, rows = 0, first_in = 0, rows_in = 0;
    bool begins_block = false;
};

/// Rows of an image that some rows of the result read.
[[nodiscard]] constexpr std::int64_t first_row_in(const tap_axis& y, std::int64_t first) {
    return std::clamp<std::int64_t>(y.place(first, 0), 0, y.in);
}
[[nodiscard]] constexpr std::int64_t past_row_in(const tap_axis& y, std::int64_t past) {
    return std::clamp<std::int64_t>(y.place(past - 1, y.taps - 1) + 1, 0, y.in);
}

/// Calls `use(strip)` for all strips in the order in which they are computed: those of a block of channels follow each other.
template <class Use>
void each_strip(const strip_layer& l, const strip_cut& c, Use&& use) {
    std::int64_t block = 0;
    for (std::int64_t first = 0; first < l.channels; first += c.block, ++block)
        for (std::int64_t image = 0; image < l.images; ++image)
            for (std::int64_t row = 0; row < l.y.out; row += c.rows) {
                strip s{image, first, std::min(c.block, l.channels - first), block, row, std::min(c.rows, l.y.out - row), 0, 0, false};
                s.first_in = first_row_in(l.y, row);
                s.rows_in = std::max<std::int64_t>(past_row_in(l.y, row + s.rows) - s.first_in, 0);
                s.begins_block = image == 0 && row == 0;
                use(s);
            }
}

/// Rows of bytes in a memory outside.
struct strip_rows {
    std::int64_t offset = 0, rows = 0, bytes = 0, stride = 0;
};
/// A strip's rows of an image of `height` rows of `width` places: one row where all channels are in the block.
[[nodiscard]] constexpr strip_rows rows_of(const strip_layer& l, const strip& s, std::int64_t height, std::int64_t width,
                                           std::int64_t first, std::int64_t rows) {
    const std::int64_t pixel = l.channels * l.element(), bytes = s.channels * l.element();
    const std::int64_t offset = (s.image * height + first) * width * pixel + s.first_channel * l.element();
    if (s.channels == l.channels) return {offset, rows == 0 ? 0 : 1, rows * width * bytes, 0};
    return {offset, rows * width, bytes, rows * width > 1 ? pixel : 0};
}
[[nodiscard]] constexpr strip_rows rows_in(const strip_layer& l, const strip& s) {
    return rows_of(l, s, l.y.in, l.x.in, s.first_in, s.rows_in);
}
[[nodiscard]] constexpr strip_rows rows_out(const strip_layer& l, const strip& s) {
    return rows_of(l, s, l.y.out, l.x.out, s.first_row, s.rows);
}

/// What stands in front of a block's strips in the packed memory: for sums a start, a scale and then the range, then weights by tap; for a
/// combination scales, zero points and the range, once for all blocks.
struct block_numbers {
    std::int64_t scales_at = 0, weights_at = 0, bytes = 0;

    [[nodiscard]] static constexpr block_numbers of(const strip_layer& l, std::int64_t channels) {
        if (l.work == strip_work::combination) return {0, 0, 32};
        if (!l.has_sums()) return {};
        const std::int64_t weights = (l.work == strip_work::depthwise ? l.y.taps * l.x.taps : 1) * channels * l.element();
        return {channels * 4, channels * 8 + 16, channels * 8 + 16 + weights};
    }
};

/// Where things stand in the local memory, which follows from a layer, a machine and a cut.
struct strip_sizes {
    std::int64_t slots = 2, numbers_bytes = 0, x_bytes = 0, out_bytes = 0;
    std::int64_t x_at = 0, second_at = 0, out_at = 0, sums_at = 0, bytes = 0;  // numbers begin at 0
    std::int64_t most_rows = 0;                                                // of a transfer

    [[nodiscard]] static strip_sizes of(const strip_layer& l, const dsp_machine& m, const strip_cut& c) {
        strip_sizes s;
        s.slots = m.double_buffering ? 2 : 1;
        std::int64_t rows = 0;
        for (std::int64_t row = 0; row < l.y.out; row += c.rows)
            rows = std::max(rows, past_row_in(l.y, std::min(row + c.rows, l.y.out)) - first_row_in(l.y, row));
        s.numbers_bytes = m.whole(block_numbers::of(l, c.block).bytes);
        s.x_bytes = m.whole(rows * l.x.in * c.block * l.element());
        s.out_bytes = m.whole(c.rows * l.x.out * c.block * l.element());
        s.x_at = s.slots * s.numbers_bytes;
        s.second_at = s.x_at + s.slots * s.x_bytes;
        s.out_at = s.second_at + (l.reads_one ? 0 : s.slots * s.x_bytes);
        s.sums_at = s.out_at + s.slots * s.out_bytes;
        s.bytes = s.sums_at + (l.has_sums() ? m.whole(l.x.out * c.block * 4) : 0);
        s.most_rows = c.block == l.channels ? 1 : std::max(rows * l.x.in, c.rows * l.x.out);
        return s;
    }
    /// Whether the memory holds it, and instructions have the bits for it.
    [[nodiscard]] bool fit(const strip_layer& l, const dsp_machine& m, const strip_cut& c) const {
        constexpr std::int64_t most_count = (1 << 14) - 1, most_offset = (std::int64_t{1} << 32) - 1;
        const bool has_places = l.work != strip_work::combination;
        return bytes <= m.memory_bytes && std::max(l.in_bytes(), l.out_bytes()) <= most_offset &&
               (!has_places || (most_rows <= most_count && l.x.out <= most_count && c.block <= most_count &&
                                l.x.stride * c.block < 1 << 16 && l.channels * l.element() < 1 << 24));
    }
};

/// All cuts of a layer that the search looks at and that fit: halves, quarters and so on of its rows and its vectors of channels.
[[nodiscard]] inline std::vector<strip_cut> strip_cuts_of(const strip_layer& l, const dsp_machine& m) {
    std::vector<strip_cut> made;
    for (const std::int64_t vectors : halves_of(m.vectors(l.channels * l.element())))
        for (const std::int64_t rows : halves_of(l.y.out)) {
            const strip_cut c{rows, std::min(l.channels, vectors * m.lanes / l.element())};
            if (strip_sizes::of(l, m, c).fit(l, m, c)) made.push_back(c);
        }
    return made;
}

}  // namespace inlay::dsp_parts

#endif
