// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_WINDOW_TILES_HPP
#define INLAY_BACKEND_CPU_SIMD_WINDOW_TILES_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/spatial_window.hpp>

namespace inlay::simd {

/// A convolution of one group as numbers; results are computed by windows over the input.
struct window_shape {
    std::ptrdiff_t inputs = 1, outputs = 1;  // channels
    spatial kernel{1, 1, 1}, strides{1, 1, 1}, dilations{1, 1, 1}, before{0, 0, 0};
    spatial x{1, 1, 1}, y{1, 1, 1};

    /// Whether each result is computed of the place where it stands alone, so that all places are one row.
    [[nodiscard]] bool is_pointwise() const {
        return kernel == spatial{1, 1, 1} && strides == spatial{1, 1, 1} && before == spatial{0, 0, 0} && x == y;
    }
    [[nodiscard]] double operations() const {
        return 2.0 * static_cast<double>(inputs * outputs * kernel[0] * kernel[1] * kernel[2]) * static_cast<double>(y[0] * y[1] * y[2]);
    }
};

/// A window as it was read off a region, over `inputs` channels for each of `outputs`, from extents x to y.
[[nodiscard]] inline window_shape shape_of(const detail::spatial_window& w, std::ptrdiff_t inputs, std::ptrdiff_t outputs, const spatial& x,
                                           const spatial& y) {
    return {inputs, outputs, spatial_of(w.kernel, 1), spatial_of(w.strides, 1), spatial_of(w.dilations, 1), spatial_of(w.begin, 0), x, y};
}

/// Rows of a window, from `begin` to `end`.
struct window_rows {
    std::ptrdiff_t begin = 0, end = 0;
};
/// Those that lie inside an input of `extent` rows, of `kernel` rows `dilation` apart, where the first would stand at row `top`.
[[nodiscard]] inline window_rows rows_inside(std::ptrdiff_t top, std::ptrdiff_t kernel, std::ptrdiff_t dilation, std::ptrdiff_t extent) {
    const std::ptrdiff_t begin = top < 0 ? std::min((-top + dilation - 1) / dilation, kernel) : 0;
    return {begin, std::clamp((extent - top + dilation - 1) / dilation, begin, kernel)};
}

/// How wide tiles are: vectors of columns, and rows.
struct tile_size {
    std::size_t vectors = 1, rows = 1;
};

/// The size whose tiles, of up to `most_rows[v - 1]` rows for v vectors (0: none), take the fewest cycles for `places` in a row and
/// `columns`: a tile takes as long as its multiply-adds or its loads, whichever is more, a load counting as 1.4 multiply-adds; few sums
/// wait for themselves. O(1).
[[nodiscard]] inline tile_size best_tile(const std::size_t (&most_rows)[4], std::size_t lanes, std::size_t places, std::size_t columns) {
    tile_size best;
    double least = 0;
    for (std::size_t v = 1; v <= 4 && most_rows[v - 1] != 0; ++v) {
        const std::size_t tiles = (places + most_rows[v - 1] - 1) / most_rows[v - 1];
        const std::size_t rows = (places + tiles - 1) / tiles;
        const std::size_t whole = columns / (v * lanes), rest = (columns % (v * lanes) + lanes - 1) / lanes;
        const auto cycles = [&](std::size_t vectors) {
            if (vectors == 0) return 0.0;
            const auto sums = static_cast<double>(rows * vectors), loads = static_cast<double>(rows + vectors);
            return std::max({sums, 1.4 * loads, 9.0}) + 0.1 * loads;
        };
        const double all = static_cast<double>(tiles) * (static_cast<double>(whole) * cycles(v) + cycles(rest));
        if (v == 1 || all < least) {
            least = all;
            best = {v, rows};
        }
    }
    return best;
}
[[nodiscard]] inline tile_size best_tile(const kernel_table& t, std::size_t places, std::size_t columns) {
    return best_tile(t.rows, t.lanes, places, columns);
}

/// Rows of results cut into tiles, and what each tile reads: the places of one row, from left to right.
class window_tiles {
public:
    struct tile {
        std::ptrdiff_t place = 0;  // of the first result in the row
        std::size_t rows = 0;
        std::size_t list = 0;
    };

    /// Nothing where a window reads beside the row at more than the first and the last place of a tile: the input is then copied between
    /// pads first, and its shape has none.
    [[nodiscard]] static std::optional<window_tiles> make(const window_shape& s, const image_order& x, std::size_t most_rows) {
        window_tiles made;
        made.depth_of_row_ = s.kernel[0] * s.kernel[1];
        const std::size_t places = static_cast<std::size_t>(s.y[2]), tiles = (places + most_rows - 1) / most_rows;
        // Tiles of as many rows whose windows lie inside read alike: their list is made once.
        std::vector<std::size_t> inside(most_rows + 1, tiles);
        std::size_t at = 0;
        for (std::size_t i = 0; i < tiles; ++i) {
            const std::size_t rows = places / tiles + (i < places % tiles ? 1 : 0);
            const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(at) * s.strides[2] - s.before[2];
            const std::ptrdiff_t last = first + (static_cast<std::ptrdiff_t>(rows) - 1) * s.strides[2] + (s.kernel[2] - 1) * s.dilations[2];
            const bool is_inside = first >= 0 && last < s.x[2];
            std::size_t number = is_inside ? inside[rows] : tiles;
            if (number == tiles) {
                auto list = made.list_for(s, x, static_cast<std::ptrdiff_t>(at), rows);
                if (!list) return std::nullopt;
                number = 0;
                while (number < made.lists_.size() && !(made.lists_[number] == *list)) ++number;
                if (number == made.lists_.size()) made.lists_.push_back(*std::move(list));
                if (is_inside) inside[rows] = number;
            }
            made.tiles_.push_back({static_cast<std::ptrdiff_t>(at), rows, number});
            at += rows;
        }
        return made;
    }

    [[nodiscard]] const std::vector<tile>& tiles() const { return tiles_; }

    /// The segments of a tile for rows `from` to `to` of the window, counted over depth and height.
    struct range {
        const segment* first;
        std::size_t count;
    };
    [[nodiscard]] range segments(const tile& t, std::ptrdiff_t from, std::ptrdiff_t to) const {
        const list& l = lists_[t.list];
        const std::size_t begin = l.begin[static_cast<std::size_t>(from)], end = l.begin[static_cast<std::size_t>(to)];
        return {l.segments.data() + begin, end - begin};
    }
    [[nodiscard]] std::ptrdiff_t window_rows() const { return depth_of_row_; }

    /// For each element of depth, in the order in which packed B has them: which channel and place of the window it belongs to.
    template <class F>
    static void for_each_depth(const window_shape& s, const image_order& x, F&& f) {
        for (std::ptrdiff_t z = 0; z < s.kernel[0]; ++z)
            for (std::ptrdiff_t y = 0; y < s.kernel[1]; ++y)
                for (std::ptrdiff_t c = 0; c < s.inputs;) {
                    const std::ptrdiff_t run = std::min(x.run(c), s.inputs - c);
                    for (std::ptrdiff_t w = 0; w < s.kernel[2]; ++w)
                        for (std::ptrdiff_t i = 0; i < run; ++i) f(c + i, z, y, w);
                    c += run;
                }
    }

private:
    struct list {
        std::vector<segment> segments;
        std::vector<std::size_t> begin;  // of each row of the window, and the end

        friend bool operator==(const list& a, const list& b) {
            const auto same = [](const segment& l, const segment& r) {
                return l.a == r.a && l.b == r.b && l.depth == r.depth && l.rows == r.rows;
            };
            return a.begin == b.begin && std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(), same);
        }
    };

    /// Offsets count from the place that the window's first element would have at the tile's first result.
    [[nodiscard]] std::optional<list> list_for(const window_shape& s, const image_order& x, std::ptrdiff_t place, std::size_t rows) const {
        list l;
        std::ptrdiff_t depth = 0;
        const auto last = static_cast<std::ptrdiff_t>(rows) - 1;
        for (std::ptrdiff_t z = 0; z < s.kernel[0]; ++z)
            for (std::ptrdiff_t y = 0; y < s.kernel[1]; ++y) {
                l.begin.push_back(l.segments.size());
                const std::ptrdiff_t at = z * s.dilations[0] * x.stride[0] + y * s.dilations[1] * x.stride[1];
                for (std::ptrdiff_t c = 0; c < s.inputs;) {
                    const std::ptrdiff_t run = std::min(x.run(c), s.inputs - c);
                    for (std::ptrdiff_t w = 0; w < s.kernel[2]; ++w, depth += run) {
                        const auto is_inside = [&](std::ptrdiff_t row) {
                            const std::ptrdiff_t column = (place + row) * s.strides[2] - s.before[2] + w * s.dilations[2];
                            return column >= 0 && column < s.x[2];
                        };
                        std::ptrdiff_t from = 0, to = last;
                        while (from <= last && !is_inside(from)) ++from;
                        if (from > last) continue;
                        while (!is_inside(to)) --to;
                        if ((from != 0 && (from != 1 || to != last)) || (to != last && to != last - 1)) return std::nullopt;
                        const auto part = from == 1 ? segment::part::but_first : to != last ? segment::part::but_last : segment::part::all;
                        const segment next{at + x.channel(c) + w * s.dilations[2] * x.stride[2], depth, static_cast<std::uint32_t>(run),
                                           part};
                        add(l, next);
                    }
                    c += run;
                }
            }
        l.begin.push_back(l.segments.size());
        return l;
    }

    /// Appends a segment, or lengthens the one before where both are side by side.
    static void add(list& l, const segment& next) {
        if (l.segments.size() > l.begin.back()) {
            segment& before = l.segments.back();
            if (before.rows == next.rows && before.a + before.depth == next.a && before.b + before.depth == next.b) {
                before.depth += next.depth;
                return;
            }
        }
        l.segments.push_back(next);
    }

    std::ptrdiff_t depth_of_row_ = 1;
    std::vector<tile> tiles_;
    std::vector<list> lists_;
};

}  // namespace inlay::simd

#endif
