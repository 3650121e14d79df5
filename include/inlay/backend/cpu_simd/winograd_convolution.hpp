// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_WINOGRAD_CONVOLUTION_HPP
#define INLAY_BACKEND_CPU_SIMD_WINOGRAD_CONVOLUTION_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// One 3 x 3 window under Winograd's transform for squares of 4 x 4 or 2 x 2 results, G g G^T: 36 or 16 numbers (Lavin and Gray, 2016,
/// sections 4.1 and 4.3).
template <std::size_t Results>
[[nodiscard]] std::array<double, (Results + 2) * (Results + 2)> winograd_filter(const std::array<double, 9>& g) {
    static_assert(Results == 2 || Results == 4);
    constexpr std::size_t side = Results + 2;
    constexpr double by_six[6][3] = {{1.0 / 4, 0, 0},
                                     {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                     {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                     {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                     {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                     {0, 0, 1}};
    constexpr double by_four[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
    const double(*by)[3] = Results == 4 ? by_six : by_four;
    std::array<double, side * side> made{};
    for (std::size_t r = 0; r < side; ++r)
        for (std::size_t c = 0; c < side; ++c)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k = 0; k < 3; ++k) made[r * side + c] += by[r][i] * g[i * 3 + k] * by[c][k];
    return made;
}

/// How many squares of so many results a side cover an image of `rows` by `columns`, those that reach over its borders included.
[[nodiscard]] constexpr std::int64_t winograd_squares(std::int64_t rows, std::int64_t columns, std::int64_t results) {
    return (rows + results - 1) / results * ((columns + results - 1) / results);
}

/// Whether squares of 2 x 2 results may take less time than those of 4 x 4. For each pair of channels a square costs a multiplication for
/// each of 16 or 36 matrices, and so many weights are read, once: beyond the second cache, one costs up to as much as `weight` squares.
/// The transforms of 2 x 2 results take longer for each result and are left out.
[[nodiscard]] constexpr bool winograd_2x2_may_win(std::int64_t images, std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t weight = 16;
    return 16 * (images * winograd_squares(rows, columns, 2) + weight) <= 36 * (images * winograd_squares(rows, columns, 4) + weight);
}

/// 3 x 3 windows that move by 1, a square of results at a time: for 4 x 4 results 36 matrix products in place of 144 multiplications for
/// each pair of channels, for 2 x 2 results 16 in place of 36. Blocks of such squares go through all three stages while they stay in the
/// second cache.
struct winograd_convolution {
    const kernel_table* table = nullptr;
    window_shape shape;
    image_order x, y;
    std::ptrdiff_t images = 1;
    std::size_t input = 0;
    std::size_t results = 4;  // a square's side: 4 or 2
    panels filter;            // of all matrices, one behind the other along the depth
    std::vector<float> bias;  // filled up to whole vectors
    kernel_epilogue after;
    std::size_t block = 0;   // squares that are computed together
    tile_size size;          // of the products' tiles
    std::size_t places = 1;  // how many blocks may be computed at one time

    /// Chooses `block` and how much is done at one time; call once the rest is set.
    void plan(std::size_t threads) {
        const std::size_t all = squares();
        const double each = static_cast<double>(matrices()) * static_cast<double>(shape.inputs + shape.outputs) * sizeof(float);
        const std::size_t most = table->rows[1];
        std::size_t wanted = static_cast<std::size_t>(static_cast<double>(768 << 10) / each) / most * most;
        wanted = std::clamp<std::size_t>(wanted, most, 8 * most);
        const std::size_t blocks = (all + wanted - 1) / wanted;
        block = (all + blocks - 1) / blocks;
        size = best_tile(*table, block, static_cast<std::size_t>(shape.outputs));
        places = std::min<std::size_t>({std::max<std::size_t>(threads, 1), blocks, place_taker::most});
    }
    [[nodiscard]] std::size_t workspace() const { return places * (v_floats() + m_floats()) * sizeof(float); }

    [[nodiscard]] bool run(const run_arguments& a) const {
        const kernel_epilogue::ready last = after.at(a);
        const stage s{*this, static_cast<const float*>(a.inputs[input]), static_cast<float*>(a.results[0]), last};
        const std::size_t all = squares(), blocks = (all + block - 1) / block;
        auto* work = reinterpret_cast<float*>(a.workspace);
        const std::size_t threads = a.executor.threads();
        if (threads > 1 && threads <= places && blocks >= 2 * threads) {
            place_taker taker(places);
            a.executor.run(blocks, [&](std::size_t b) {
                const place_taker::place mine = taker.take();
                float* v = work + mine.number() * (v_floats() + m_floats());
                s.block_alone(b * block, std::min(block, all - b * block), v, v + v_floats());
            });
            return true;
        }
        for (std::size_t b = 0; b < blocks; ++b)
            s.block_shared(b * block, std::min(block, all - b * block), work, work + v_floats(), a.executor);
        return true;
    }

    [[nodiscard]] std::size_t matrices() const { return (results + 2) * (results + 2); }
    /// Channels of a row of products: those that are stored, filled up to whole vectors.
    [[nodiscard]] std::size_t m_columns() const { return whole_vectors(y.stored()); }

private:
    [[nodiscard]] std::size_t whole_vectors(std::ptrdiff_t channels) const {
        return static_cast<std::size_t>(rounded_up(channels, static_cast<std::ptrdiff_t>(table->lanes)));
    }
    [[nodiscard]] std::ptrdiff_t side() const { return static_cast<std::ptrdiff_t>(results); }
    [[nodiscard]] std::ptrdiff_t across() const { return (shape.y[2] + side() - 1) / side(); }
    [[nodiscard]] std::ptrdiff_t down() const { return (shape.y[1] + side() - 1) / side(); }
    [[nodiscard]] std::size_t squares() const { return static_cast<std::size_t>(images * down() * across()); }
    // A line more between matrices keeps the places of one element out of one set of the first cache.
    [[nodiscard]] std::size_t v_columns() const { return whole_vectors(shape.inputs); }
    [[nodiscard]] std::size_t v_matrix() const { return block * v_columns() + 16; }
    [[nodiscard]] std::size_t m_matrix() const { return block * m_columns() + 16; }
    [[nodiscard]] std::size_t v_floats() const { return matrices() * v_matrix(); }
    [[nodiscard]] std::size_t m_floats() const { return matrices() * m_matrix(); }

    struct stage {
        const winograd_convolution& k;
        const float* from;
        float* to;
        const kernel_epilogue::ready& last;

        /// The place of a square in the images.
        struct square {
            std::ptrdiff_t image, top, left;
        };
        [[nodiscard]] square at(std::size_t number) const {
            const auto n = static_cast<std::ptrdiff_t>(number);
            return {n / (k.across() * k.down()), n / k.across() % k.down() * k.side(), n % k.across() * k.side()};
        }

        void transform(std::size_t first, std::size_t begin, std::size_t end, float* v) const {
            for (std::size_t i = begin; i < end; ++i) {
                const square s = at(first + i);
                const std::ptrdiff_t top = s.top - k.shape.before[1], left = s.left - k.shape.before[2];
                winograd_in_job j;
                const auto inside = [&](std::ptrdiff_t n) {
                    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(n, 0, k.side() + 2));
                };
                j.row_begin = inside(-top);
                j.row_end = inside(k.shape.x[1] - top);
                j.place_begin = inside(-left);
                j.place_end = inside(k.shape.x[2] - left);
                j.x_row = k.x.stride[1];
                j.x_place = k.x.stride[2];
                j.v_matrix = static_cast<std::ptrdiff_t>(k.v_matrix());
                for (std::ptrdiff_t c = 0; c < k.shape.inputs; c += static_cast<std::ptrdiff_t>(k.table->lanes)) {
                    j.x = from + s.image * k.x.image + k.x.channel(c) + top * k.x.stride[1] + left * k.x.stride[2];
                    j.v = v + static_cast<std::ptrdiff_t>(i * k.v_columns()) + c;
                    k.table->winograd_in[k.results / 4](j);
                }
            }
        }

        /// The products `begin` to `end` of the matrices times the panels of each.
        void multiply(std::size_t begin, std::size_t end, std::size_t count, const float* v, float* m) const {
            const std::size_t panel_count = k.filter.count();
            const segment whole{0, 0, static_cast<std::uint32_t>(k.shape.inputs), segment::part::all};
            tile_job j;
            j.segments = &whole;
            j.segment_count = 1;
            j.a_row = static_cast<std::ptrdiff_t>(k.v_columns());
            j.c_row = static_cast<std::ptrdiff_t>(k.m_columns());
            j.low = -kernel_epilogue::infinity;
            j.high = kernel_epilogue::infinity;
            for (std::size_t lane = 0; lane < 4; ++lane) j.c_vector[lane] = static_cast<std::ptrdiff_t>(lane * k.table->lanes);
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t matrix = u / panel_count, panel = u % panel_count;
                const std::size_t vectors = k.filter.vectors(panel), most = k.size.rows;
                j.b = k.filter.at(panel) + matrix * whole.depth * vectors * k.table->lanes;
                j.columns = vectors * k.table->lanes;
                each_tile(count, most, [&](std::size_t row, std::size_t rows) {
                    j.a = v + matrix * k.v_matrix() + row * k.v_columns();
                    j.c = m + matrix * k.m_matrix() + row * k.m_columns() + panel * k.filter.width();
                    k.table->tiles[vectors - 1][rows - 1](j);
                });
            }
        }

        void transform_back(std::size_t first, std::size_t begin, std::size_t end, const float* m) const {
            for (std::size_t i = begin; i < end; ++i) {
                const square s = at(first + i);
                for (std::ptrdiff_t c = 0; c < k.y.stored(); c += static_cast<std::ptrdiff_t>(k.table->lanes)) {
                    winograd_out_job j;
                    j.m = m + static_cast<std::ptrdiff_t>(i * k.m_columns()) + c;
                    j.m_matrix = static_cast<std::ptrdiff_t>(k.m_matrix());
                    j.bias = k.bias.data() + c;
                    float* out = to + s.image * k.y.image + k.y.channel(c) + s.top * k.y.stride[1] + s.left * k.y.stride[2];
                    j.y = out;
                    j.y_row = k.y.stride[1];
                    j.y_place = k.y.stride[2];
                    j.rows = static_cast<std::size_t>(std::min(k.side(), k.shape.y[1] - s.top));
                    j.places = static_cast<std::size_t>(std::min(k.side(), k.shape.y[2] - s.left));
                    j.columns = static_cast<std::size_t>(
                        std::clamp<std::ptrdiff_t>(k.shape.outputs - c, 0, static_cast<std::ptrdiff_t>(k.table->lanes)));
                    j.fills = k.y.fills();
                    last.give(j, out, to, static_cast<std::size_t>(c));
                    k.table->winograd_out[k.results / 4](j);
                }
            }
        }

        void block_alone(std::size_t first, std::size_t count, float* v, float* m) const {
            transform(first, 0, count, v);
            multiply(0, k.matrices() * k.filter.count(), count, v, m);
            transform_back(first, 0, count, m);
        }
        void block_shared(std::size_t first, std::size_t count, float* v, float* m, const executor_ref& executor) const {
            const auto matrices = static_cast<double>(k.matrices());
            const double in = 17 * matrices * static_cast<double>(k.shape.inputs),
                         out = 11 * matrices * static_cast<double>(k.shape.outputs);
            share(executor, count, in, [&](std::size_t begin, std::size_t end) { transform(first, begin, end, v); });
            const std::size_t products = k.matrices() * k.filter.count();
            const double work = 2.0 * static_cast<double>(count * static_cast<std::size_t>(k.shape.inputs) * k.filter.width());
            share(executor, products, work, [&](std::size_t begin, std::size_t end) { multiply(begin, end, count, v, m); });
            share(executor, count, out, [&](std::size_t begin, std::size_t end) { transform_back(first, begin, end, m); });
        }
    };
};

}  // namespace inlay::simd

#endif
