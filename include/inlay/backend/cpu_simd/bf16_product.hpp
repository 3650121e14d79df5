// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BF16_PRODUCT_HPP
#define INLAY_BACKEND_CPU_SIMD_BF16_PRODUCT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/bf16_panels.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/matrix_product.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>

namespace inlay::simd {

/// Products of an input's matrices and a constant one that is rounded to bfloat16, sums in float32. With the processor's dot products of
/// pairs the input is rounded too, once a run. Without them, and for few rows, it stays as it is: such products wait for the weights, of
/// which there are half as many bytes. The state of a kernel.
struct bf16_product {
    /// Up to so many rows weights alone are rounded, with and without dot products of pairs.
    static constexpr std::size_t few_rows = 8, few_rows_beside_pairs = 1;

    const kernel_table* table = nullptr;
    std::size_t rows = 0, depth = 0, columns = 0;
    value_id input = 0;
    std::vector<std::ptrdiff_t> lefts{0}, results{0};  // where each batch begins
    std::ptrdiff_t left_row = 0, result_row = 0;
    bool rounds_left = false;
    tile_size size;
    bf16_panels packed;
    kernel_epilogue after;

    /// Whether the kernels of this processor take pairs.
    [[nodiscard]] static bool has_pairs(const kernel_table& t) { return t.round_pairs != nullptr && processor_has_bf16_pairs(); }

    /// The error where the back end's option -bf16 does not allow it.
    [[nodiscard]] static outcome<void> check_allowed(bool allowed) {
        if (allowed) return {};
        return error{"numbers are rounded to bfloat16 where the option -bf16=true allows it"};
    }
    /// The error where a product of so many rows gains nothing.
    [[nodiscard]] static outcome<void> check_gain(const kernel_table* t, std::size_t rows) {
        if (t == nullptr || rows <= few_rows || has_pairs(*t)) return {};
        return error{std::to_string(rows) +
                     " rows gain nothing from weights in bfloat16 where the kernels have no dot products of them; up to " +
                     std::to_string(few_rows) + " do"};
    }

    /// Chooses how tiles are computed; call once table, rows, depth and columns are set.
    void plan() {
        rounds_left = has_pairs(*table) && rows * results.size() > few_rows_beside_pairs;
        size = best_tile(tiles().rows, table->lanes, rows, columns);
    }
    [[nodiscard]] const bf16_tiles& tiles() const { return rounds_left ? table->bf16_pairs : table->bf16_weights; }
    /// Words from one rounded row to the next: whole lines of the cache, an odd number of them, so that the rows of a tile do not fall
    /// into the same few places of it.
    [[nodiscard]] std::size_t rounded_row() const { return ((depth + 31) / 32 | 1) * 16; }
    [[nodiscard]] std::size_t workspace() const { return rounds_left ? results.size() * rows * rounded_row() * sizeof(std::uint32_t) : 0; }
    [[nodiscard]] std::string_view note(bool convolves) const {
        if (convolves) return rounds_left ? "bf16 pointwise" : "pointwise with bf16 weights";
        return rounds_left ? "bf16 product" : "product with bf16 weights";
    }

    [[nodiscard]] bool run(const run_arguments& run) const {
        const auto* from = static_cast<const float*>(run.inputs[input]);
        auto* rounded = reinterpret_cast<std::uint32_t*>(run.workspace);
        const std::size_t batches = results.size();
        if (rounds_left)
            share(run.executor, batches * rows, static_cast<double>(depth) * 6, [&](std::size_t begin, std::size_t end) {
                for (std::size_t u = begin; u < end; ++u)
                    table->round_pairs(
                        {from + lefts[u / rows] + static_cast<std::ptrdiff_t>(u % rows) * left_row, rounded + u * rounded_row(), depth});
            });
        const kernel_epilogue::ready last = after.at(run);
        constexpr std::size_t near_words = (std::size_t{256} << 10) / sizeof(std::uint32_t);
        const std::size_t threads = run.executor.threads();
        const panel_walk walk =
            panel_walk::of(rows, packed.count(), packed.bytes(), near_words / std::max<std::size_t>(rounds_left ? depth / 2 : depth, 1),
                           size.rows, batches, threads > 1 ? threads * 8 : 1);
        const double work = 2.0 * static_cast<double>(std::min(walk.block, rows)) * static_cast<double>(depth * packed.width());
        share(run.executor, batches * walk.units(), work, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t batch = u / walk.units();
                const panel_walk::unit part = walk.at(u % walk.units());
                const std::uint32_t* const pairs = rounds_left ? rounded + batch * rows * rounded_row() : nullptr;
                one_panel(from + lefts[batch], pairs, static_cast<float*>(run.results[0]), batch, part, last);
            }
        });
        return true;
    }

private:
    void one_panel(const float* left, const std::uint32_t* rounded, float* result, std::size_t batch, const panel_walk::unit& part,
                   const kernel_epilogue::ready& last) const {
        const std::size_t column = part.panel * packed.width(), vectors = packed.vectors(part.panel);
        bf16_tile_job j;
        j.depth = depth;
        j.a_row = rounds_left ? static_cast<std::ptrdiff_t>(rounded_row()) : left_row;
        j.b = packed.at(part.panel);
        j.bias = packed.bias(part.panel);
        j.c_row = result_row;
        for (std::size_t v = 0; v < vectors; ++v) j.c_vector[v] = static_cast<std::ptrdiff_t>(v * table->lanes);
        j.columns = packed.columns(part.panel);
        each_tile(part.past - part.first, size.rows, [&](std::size_t from, std::size_t n) {
            const auto row = static_cast<std::ptrdiff_t>(part.first + from);
            if (rounds_left)
                j.pairs = rounded + row * j.a_row;
            else
                j.a = left + row * j.a_row;
            j.c = result + results[batch] + row * result_row + static_cast<std::ptrdiff_t>(column);
            last.give(j, j.c, result, column);
            tiles().tiles[vectors - 1][n - 1](j);
        });
    }
};

/// Matrix products with a constant second matrix, rounded to bfloat16, as the third part of composites.
struct bf16_product_entry {
    using plan = product_entry::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        if (auto fine = bf16_product::check_allowed(self.bf16); !fine) return fine.failure();
        const region_view& r = m.region();
        auto p = product_entry().read(self, m);
        if (!p) return p.failure();
        std::size_t rows = 1;
        for (std::size_t i = 0; i + 1 < p->extents.size(); ++i) rows *= static_cast<std::size_t>(p->extents[i]);
        if (auto fine = bf16_product::check_gain(self.table(), rows); !fine) return fine.failure();
        if (r[p->a.value].kind != region_value::role::input || r[p->b.value].kind != region_value::role::constant)
            return error{"numbers are rounded to bfloat16 where the first matrix is an input and the second a constant"};
        if (std::any_of(p->b.extents.begin(), p->b.extents.end() - 2, [](std::int64_t n) { return n != 1; }))
            return error{"the second operand of type " + to_string(*r[p->b.value].type) + " is several matrices, not one for all batches"};
        if (p->a.extents.back() > 1 && p->a.strides.back() != 1)
            return error{"the first matrix is transposed so that its rows do not lie side by side"};
        return p;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        return product_entry().formats(self, p, r);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        bf16_product k;
        k.table = self.table();
        const std::size_t rank = p.extents.size();
        k.rows = static_cast<std::size_t>(p.extents[rank - 2]);
        k.columns = static_cast<std::size_t>(p.extents[rank - 1]);
        k.depth = static_cast<std::size_t>(p.a.extents.back());
        k.input = p.a.value;
        k.lefts = batches_of(p.extents, p.a.extents, p.a.strides);
        k.left_row = static_cast<std::ptrdiff_t>(p.a.strides[p.a.strides.size() - 2]);
        k.results = batches_of(p.extents, p.extents, p.strides);
        k.result_row = static_cast<std::ptrdiff_t>(p.strides[rank - 2]);
        k.after = p.tail;
        const std::vector<std::int64_t> shape = static_shape(r.type(r.results[0]));
        if (auto bound = k.after.bind(r, shape, shape.size() - 1, layout::plain()); !bound) return bound.failure();
        k.plan();
        const std::int64_t row = p.b.strides[p.b.strides.size() - 2], column = p.b.strides.back();
        const auto factor = static_cast<float>(p.factor);
        const std::vector<float> biases = p.biases(r);
        digest_builder of;
        if (self.weights != nullptr)
            of.add("product")
                .add(r[p.b.value].value->content())
                .add(row)
                .add(column)
                .add(p.factor)
                .add_bytes(biases.data(), biases.size() * sizeof(float));
        const float* from = r[p.b.value].value->template as<float>().data();
        k.packed = bf16_panels::filled(
            k.depth, k.columns, k.size.vectors, k.table->lanes, self.weights, of.finish(),
            [&](std::size_t d, std::size_t c) {
                return from[static_cast<std::int64_t>(d) * row + static_cast<std::int64_t>(c) * column] * factor;
            },
            [&](std::size_t c) { return biases[c]; });
        if (k.packed.is_empty()) return error{"there is no memory for the packed matrix"};
        const std::size_t workspace = k.workspace();
        const std::string_view note = k.note(false);
        return self.finish(std::move(k), note, workspace);
    }
};

}  // namespace inlay::simd

#endif
