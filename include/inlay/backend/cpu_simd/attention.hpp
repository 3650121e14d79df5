// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_ATTENTION_HPP
#define INLAY_BACKEND_CPU_SIMD_ATTENTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/backend/attention_region.hpp>
#include <inlay/backend/cpu_simd/matrix_product.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// Attention, some rows of queries and some keys at a time: their scores, softmax as far as it is known from these keys and those before
/// (Milakov and Gimelshein, Online normalizer calculation for softmax, 2018), and what the values add to the result follow one another
/// while the scores stay in the second cache (Dao and others, FlashAttention, 2022). The sum of a row divides its result at the end.
/// Neither the matrix of scores nor a long row of it ever stands in memory. Keys and values are packed once a run. The state of a kernel.
struct attention {
    matrix_product scores, mix;  // the two products, which are not run by themselves
    std::optional<matrix_product::operand> mask;
    std::size_t block = 1;   // rows that are computed together
    std::size_t keys = 1;    // likewise: all, or whole panels of `scores`
    std::size_t places = 1;  // how many blocks may be computed at one time

    /// Rows of more keys are cut into equal blocks. Up to here some tens of whole rows stay in the second cache beside the keys and values
    /// that they meet, and one block for all keys takes no longer than any cut; beyond, rows near enough become too few to make up for
    /// reading all keys and values again for them, and the workspace would grow with the sequence.
    static constexpr std::size_t most_keys = 1024;

    /// Chooses `block`, `keys` and how much is done at one time; call once the rest is set.
    void plan(std::size_t threads) {
        constexpr std::size_t near_floats = (std::size_t{192} << 10) / sizeof(float);
        const std::size_t step = scores.size.rows, wanted = threads > 1 ? threads * 4 : 1;
        const std::size_t cuts = (scores.columns + most_keys - 1) / most_keys, width = scores.width();
        keys = cuts == 1 ? scores.columns : ((scores.columns + cuts - 1) / cuts + width - 1) / width * width;
        block = std::max(near_floats / score_row() / step, std::size_t{1}) * step;
        const std::size_t blocks = (wanted + batches() - 1) / batches();
        block = std::clamp<std::size_t>(((scores.rows + blocks - 1) / blocks + step - 1) / step * step, 1, block);
        places = std::clamp<std::size_t>(threads, 1, place_taker::most);
    }
    [[nodiscard]] std::size_t workspace() const { return (batches() * packed_floats() + places * strip_floats()) * sizeof(float); }

    [[nodiscard]] bool run(const run_arguments& a) const {
        auto* packed = reinterpret_cast<float*>(a.workspace);
        float* strips = packed + batches() * packed_floats();
        const std::size_t blocks = (scores.rows + block - 1) / block;
        share(a.executor, batches(), static_cast<double>(packed_floats()) * 8, [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                float* to = packed + n * packed_floats();
                pack(scores, a, n, to);
                pack(mix, a, n, to + scores.b_floats());
            }
        });
        const double work = static_cast<double>(std::min(block, scores.rows) * scores.columns) *
                            (2.0 * static_cast<double>(scores.depth + mix.columns) + 30);
        place_taker taker(places);
        share(a.executor, batches() * blocks, work, [&](std::size_t begin, std::size_t end) {
            const place_taker::place mine = taker.take();
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t batch = u / blocks, first = u % blocks * block;
                some_rows(a, batch, first, std::min(block, scores.rows - first), packed + batch * packed_floats(),
                          strips + mine.number() * strip_floats());
            }
        });
        return true;
    }

private:
    [[nodiscard]] std::size_t batches() const { return scores.results.size(); }
    [[nodiscard]] static std::size_t whole_lines(std::size_t floats) { return (floats + 15) / 16 * 16; }
    /// From row to row of scores.
    [[nodiscard]] std::size_t score_row() const { return whole_lines(keys); }
    /// The scores of a block, and the largest and the sum of each row.
    [[nodiscard]] std::size_t strip_floats() const { return block * score_row() + whole_lines(2 * block); }
    [[nodiscard]] std::size_t packed_floats() const { return whole_lines(scores.b_floats() + mix.b_floats()); }

    static void pack(const matrix_product& of, const run_arguments& a, std::size_t batch, float* to) {
        for (std::size_t panel = 0; panel < of.panel_count(); ++panel) of.pack_b(of.b.at(a, batch), to, panel);
    }

    void some_rows(const run_arguments& a, std::size_t batch, std::size_t first, std::size_t rows, const float* packed,
                   float* strip) const {
        const auto row = static_cast<std::ptrdiff_t>(score_row()), begin = static_cast<std::ptrdiff_t>(first);
        float *largest = strip + block * score_row(), *sums = largest + block;
        std::fill_n(largest, rows, -kernel_epilogue::infinity);
        std::fill_n(sums, rows, 0.0f);
        const piece compare{scores, scores.a.at(a, batch) + begin * scores.a.row, scores.a.row, packed, strip, row, rows};
        const piece add{mix,
                        strip,
                        row,
                        packed + scores.b_floats(),
                        static_cast<float*>(a.results[0]) + mix.results[batch] + begin * mix.result_row,
                        mix.result_row,
                        rows};
        for (std::size_t from = 0; from < scores.columns; from += keys) {
            const std::size_t count = std::min(keys, scores.columns - from);
            compare.multiply({0, 0, static_cast<std::uint32_t>(scores.depth), segment::part::all}, from, count, false);
            for (std::size_t i = 0; i < rows; ++i) {
                running_softmax_job j;
                j.x = strip + i * score_row();
                if (mask) j.add = mask->at(a, batch) + static_cast<std::ptrdiff_t>(first + i) * mask->row + from;
                j.count = count;
                j.largest = largest + i;
                j.sum = sums + i;
                j.result = add.result + static_cast<std::ptrdiff_t>(i) * mix.result_row;
                j.columns = from == 0 ? 0 : mix.columns;
                scores.table->running_softmax(j);
            }
            const segment some{0, static_cast<std::ptrdiff_t>(from), static_cast<std::uint32_t>(count), segment::part::all};
            add.multiply(some, 0, mix.columns, from != 0);
        }
        for (std::size_t i = 0; i < rows; ++i) {
            step divide;
            divide.alpha = 1 / sums[i];
            chain_job j;
            j.steps = &divide;
            j.step_count = 1;
            j.c_begin = j.y = add.result + static_cast<std::ptrdiff_t>(i) * mix.result_row;
            j.x = j.y;
            j.count = mix.columns;
            scores.table->chain(j);
        }
    }

    /// Some rows of one of the products.
    struct piece {
        const matrix_product& of;
        const float* left;
        std::ptrdiff_t left_row;
        const float* packed;
        float* result;
        std::ptrdiff_t result_row;
        std::size_t rows;

        /// Rows of packed B against `count` columns from the one `from` on, which begins a panel; the result's first column is that one.
        void multiply(const segment& depth, std::size_t from, std::size_t count, bool adds) const {
            tile_job j;
            j.segments = &depth;
            j.segment_count = 1;
            j.a_row = left_row;
            j.c_row = result_row;
            j.low = -kernel_epilogue::infinity;
            j.high = kernel_epilogue::infinity;
            for (std::size_t v = 0; v < of.size.vectors; ++v) j.c_vector[v] = static_cast<std::ptrdiff_t>(v * of.table->lanes);
            for (std::size_t at = 0; at < count; at += of.width()) {
                j.columns = std::min(of.width(), count - at);
                j.b = packed + (from + at) * of.depth;
                const std::size_t vectors = (j.columns + of.table->lanes - 1) / of.table->lanes;
                each_tile(rows, of.size.rows, [&](std::size_t row, std::size_t n) {
                    j.a = left + static_cast<std::ptrdiff_t>(row) * left_row;
                    j.c = result + static_cast<std::ptrdiff_t>(row) * result_row + static_cast<std::ptrdiff_t>(at);
                    j.add = adds ? j.c : nullptr;
                    of.table->tiles[vectors - 1][n - 1](j);
                });
            }
        }
    };
};

/// Attention as the third part of a composite.
struct attention_entry {
    using plan = detail::attention_region;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        auto p = plan::read(m.region(), 8);
        if (!p) return p;
        if (p->queries.extents.back() > 1 && p->queries.strides.back() != 1)
            return error{"the queries are transposed so that a row's elements do not lie side by side"};
        if (p->extents.back() > 1 && p->strides.back() != 1)
            return error{"the result is transposed so that its columns do not lie side by side"};
        for (const std::int64_t e : {p->queries.extents.back(), p->keys.extents.back(), p->extents.back()})
            if (e < 1 || e > std::int64_t{1} << 20) return error{"an extent of the attention is 0 or over 2^20"};
        return p;
    }

    /// Matrices stand row-major.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return self.row_major(r);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const auto number = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        const std::size_t rank = p.extents.size();
        attention k;
        k.scores.b = matrix_product::operand::of(r, p.keys, p.extents);
        k.mix.b = matrix_product::operand::of(r, p.values, p.extents);
        k.scores.a = matrix_product::operand::of(r, p.queries, p.extents);
        k.scores.depth = number(p.queries.extents.back());
        k.scores.columns = k.mix.depth = number(p.keys.extents.back());
        k.mix.columns = number(p.extents.back());
        k.scores.factor = static_cast<float>(p.factor);
        k.mix.results = k.scores.results = batches_of(p.extents, p.extents, p.strides);
        k.mix.result_row = static_cast<std::ptrdiff_t>(p.strides[rank - 2]);
        for (matrix_product* each : {&k.scores, &k.mix}) {
            each->table = self.table();
            each->rows = number(p.extents[rank - 2]);
            each->size = best_tile(*each->table, each->rows, each->columns);
            each->packs_b = true;
        }
        if (p.mask) {
            k.mask = matrix_product::operand::of(r, *p.mask, p.extents);
            if (p.mask->extents[rank - 2] == 1) k.mask->row = 0;
        }
        k.plan(number(self.threads));
        const std::size_t workspace = k.workspace();
        return self.finish(std::move(k), "attention", workspace);
    }
};

}  // namespace inlay::simd

#endif
