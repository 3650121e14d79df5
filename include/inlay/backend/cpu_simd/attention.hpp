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
#include <inlay/codegen/kernel.hpp>

namespace inlay::simd {

/// Attention, some rows of queries at a time: their scores against all keys, softmax and the product with the values follow one another
/// while the scores stay in the second cache, and the whole matrix of scores never stands in memory. Keys and values are packed once a
/// run. The state of a kernel.
struct attention {
    matrix_product scores, mix;  // the two products, which are not run by themselves
    std::optional<matrix_product::operand> mask;
    std::size_t block = 1;   // rows that are computed together
    std::size_t places = 1;  // how many blocks may be computed at one time

    /// Chooses `block` and how much is done at one time; call once the rest is set.
    void plan(std::size_t threads) {
        constexpr std::size_t near_floats = (std::size_t{192} << 10) / sizeof(float);
        const std::size_t step = scores.size.rows, batches = scores.results.size(), wanted = threads > 1 ? threads * 4 : 1;
        block = std::max(near_floats / score_row() / step, std::size_t{1}) * step;
        const std::size_t blocks = (wanted + batches - 1) / batches;
        block = std::clamp<std::size_t>(((scores.rows + blocks - 1) / blocks + step - 1) / step * step, 1, block);
        places = std::clamp<std::size_t>(threads, 1, place_taker::most);
    }
    [[nodiscard]] std::size_t workspace() const { return (batches() * packed_floats() + places * block * score_row()) * sizeof(float); }

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
            float* strip = strips + mine.number() * block * score_row();
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t batch = u / blocks, first = u % blocks * block;
                some_rows(a, batch, first, std::min(block, scores.rows - first), packed + batch * packed_floats(), strip);
            }
        });
        return true;
    }

private:
    [[nodiscard]] std::size_t batches() const { return scores.results.size(); }
    /// From row to row of scores: whole vectors.
    [[nodiscard]] std::size_t score_row() const { return (scores.columns + 15) / 16 * 16; }
    [[nodiscard]] std::size_t packed_floats() const { return (scores.b_floats() + mix.b_floats() + 15) / 16 * 16; }

    static void pack(const matrix_product& of, const run_arguments& a, std::size_t batch, float* to) {
        for (std::size_t panel = 0; panel < of.panel_count(); ++panel) of.pack_b(of.b.at(a, batch), to, panel);
    }

    void some_rows(const run_arguments& a, std::size_t batch, std::size_t first, std::size_t rows, const float* packed,
                   float* strip) const {
        const auto row = static_cast<std::ptrdiff_t>(score_row()), begin = static_cast<std::ptrdiff_t>(first);
        multiply(scores, scores.a.at(a, batch) + begin * scores.a.row, scores.a.row, packed, strip, row, rows);
        const kernel_table& table = *scores.table;
        for (std::size_t i = 0; i < rows; ++i) {
            float* one = strip + i * score_row();
            if (mask) {
                step add;
                add.what = step::form::add;
                add.where = step::place::same;
                add.other = mask->at(a, batch) + static_cast<std::ptrdiff_t>(first + i) * mask->row;
                chain_job j;
                j.steps = &add;
                j.step_count = 1;
                j.c_begin = one;
                j.x = one;
                j.y = one;
                j.count = scores.columns;
                table.chain(j);
            }
            row_job j;
            j.x = one;
            j.y = one;
            j.count = scores.columns;
            table.softmax(j);
        }
        float* result = static_cast<float*>(a.results[0]) + mix.results[batch] + begin * mix.result_row;
        multiply(mix, strip, row, packed + scores.b_floats(), result, mix.result_row, rows);
    }

    /// Some rows times all panels of one product.
    static void multiply(const matrix_product& of, const float* left, std::ptrdiff_t left_row, const float* packed, float* result,
                         std::ptrdiff_t result_row, std::size_t rows) {
        const segment whole{0, 0, static_cast<std::uint32_t>(of.depth), segment::part::all};
        tile_job j;
        j.segments = &whole;
        j.segment_count = 1;
        j.a_row = left_row;
        j.c_row = result_row;
        j.low = -kernel_epilogue::infinity;
        j.high = kernel_epilogue::infinity;
        for (std::size_t v = 0; v < of.size.vectors; ++v) j.c_vector[v] = static_cast<std::ptrdiff_t>(v * of.table->lanes);
        for (std::size_t panel = 0; panel < of.panel_count(); ++panel) {
            const std::size_t at = panel * of.width();
            j.columns = std::min(of.width(), of.columns - at);
            j.b = packed + at * of.depth;
            const std::size_t vectors = (j.columns + of.table->lanes - 1) / of.table->lanes;
            each_tile(rows, of.size.rows, [&](std::size_t row, std::size_t n) {
                j.a = left + static_cast<std::ptrdiff_t>(row) * left_row;
                j.c = result + static_cast<std::ptrdiff_t>(row) * result_row + static_cast<std::ptrdiff_t>(at);
                of.table->tiles[vectors - 1][n - 1](j);
            });
        }
    }
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
