// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_MATRIX_PRODUCT_HPP
#define INLAY_BACKEND_CPU_SIMD_MATRIX_PRODUCT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/panel_walk.hpp>
#include <inlay/backend/cpu_simd/panels.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/cpu_simd/window_tiles.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/runtime/transpose.hpp>

namespace inlay::simd {

/// Where each batch of a tensor begins; an axis of one element serves all.
[[nodiscard]] inline std::vector<std::ptrdiff_t> batches_of(const std::vector<std::int64_t>& result,
                                                            const std::vector<std::int64_t>& extents,
                                                            const std::vector<std::int64_t>& strides) {
    std::vector<std::ptrdiff_t> list{0};
    for (std::size_t i = 0; i + 2 < result.size(); ++i) {
        std::vector<std::ptrdiff_t> next;
        for (const std::ptrdiff_t at : list)
            for (std::int64_t n = 0; n < result[i]; ++n)
                next.push_back(at + (extents[i] == 1 ? 0 : static_cast<std::ptrdiff_t>(n * strides[i])));
        list = std::move(next);
    }
    return list;
}

/// Products of matrices, one or a batch. A constant second operand is packed when the kernel is made, another one in each run.
/// The state of a kernel.
struct matrix_product {
    /// Where one operand's matrices lie: of each batch, and from row to row and column to column.
    struct operand {
        value_id value = 0;
        const float* constant = nullptr;  // in place of an input
        tensor kept;                      // keeps the constant
        std::vector<std::ptrdiff_t> batches;
        std::ptrdiff_t row = 0, column = 1;

        /// An operand whose batches are those of a result of so many extents.
        [[nodiscard]] static operand of(const region_view& r, const detail::anchored_product::operand& from,
                                        const std::vector<std::int64_t>& result) {
            operand o;
            o.value = from.value;
            const std::size_t rank = from.extents.size();
            if (r[from.value].kind == region_value::role::constant) {
                o.kept = *r[from.value].value;
                o.constant = o.kept.as<float>().data();
            }
            o.batches = batches_of(result, from.extents, from.strides);
            o.row = static_cast<std::ptrdiff_t>(from.strides[rank - 2]);
            o.column = static_cast<std::ptrdiff_t>(from.strides[rank - 1]);
            return o;
        }
        [[nodiscard]] const float* at(const run_arguments& run, std::size_t batch) const {
            return (constant != nullptr ? constant : static_cast<const float*>(run.inputs[value])) + batches[batch];
        }
    };

    const kernel_table* table = nullptr;
    std::size_t rows = 0, depth = 0, columns = 0;
    operand a, b;
    std::vector<std::ptrdiff_t> results;  // of each batch
    std::ptrdiff_t result_row = 0;
    tile_size size;
    panels packed;         // where b is constant and one for all batches
    bool packs_b = false;  // in each run
    bool packs_a = false;  // likewise: the elements of a row do not lie side by side
    float factor = 1;      // of what is packed
    buffer bias;           // filled up to whole panels; empty: none, or part of `packed`
    kernel_epilogue after;

    [[nodiscard]] std::size_t width() const { return size.vectors * table->lanes; }
    [[nodiscard]] std::size_t panel_count() const { return (columns + width() - 1) / width(); }
    [[nodiscard]] std::size_t whole_columns() const { return (columns + table->lanes - 1) / table->lanes * table->lanes; }
    [[nodiscard]] std::size_t b_floats() const { return packs_b ? depth * whole_columns() : 0; }
    [[nodiscard]] std::size_t a_floats() const { return packs_a ? (rows * depth + 15) / 16 * 16 : 0; }
    [[nodiscard]] std::size_t workspace() const { return results.size() * (a_floats() + b_floats()) * sizeof(float); }

    [[nodiscard]] bool run(const run_arguments& run) const {
        auto* work = reinterpret_cast<float*>(run.workspace);
        float* packed_b = work;
        float* packed_a = work + results.size() * b_floats();
        const std::size_t width = this->width(), panel_count = this->panel_count(), batches = results.size();
        if (packs_b)
            share(run.executor, batches * panel_count, static_cast<double>(depth * width) * 8, [&](std::size_t begin, std::size_t end) {
                for (std::size_t u = begin; u < end; ++u)
                    pack_b(b.at(run, u / panel_count), packed_b + u / panel_count * b_floats(), u % panel_count);
            });
        if (packs_a)
            share(run.executor, batches, static_cast<double>(a_floats()) * 8, [&](std::size_t begin, std::size_t end) {
                for (std::size_t u = begin; u < end; ++u) pack_a(a.at(run, u), packed_a + u * a_floats());
            });
        const kernel_epilogue::ready last = after.at(run);
        constexpr std::size_t near_floats = (std::size_t{256} << 10) / sizeof(float);
        const std::size_t threads = run.executor.threads();
        const panel_walk walk =
            panel_walk::of(rows, panel_count, depth * columns * sizeof(float), near_floats / std::max<std::size_t>(depth, 1), size.rows,
                           batches, threads > 1 ? threads * 8 : 1);
        const double work_of_unit = 2.0 * static_cast<double>(std::min(walk.block, rows)) * static_cast<double>(depth * width);
        share(run.executor, batches * walk.units(), work_of_unit, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t batch = u / walk.units();
                const auto [panel, first, past] = walk.at(u % walk.units());
                const float* left = packs_a ? packed_a + batch * a_floats() : a.at(run, batch);
                one_panel(left, packed_b + batch * b_floats(), static_cast<float*>(run.results[0]), batch, panel, first, past, last);
            }
        });
        return true;
    }

    /// Panel after panel of columns, in each the rows of depth.
    void pack_b(const float* from, float* to, std::size_t panel) const {
        const std::size_t first = panel * width(), count = std::min(width(), columns - first);
        const std::size_t stored = (count + table->lanes - 1) / table->lanes * table->lanes;
        float* out = to + first * depth;
        if (b.column == 1) {
            for (std::size_t k = 0; k < depth; ++k) {
                const float* in = from + static_cast<std::ptrdiff_t>(k) * b.row + static_cast<std::ptrdiff_t>(first);
                std::copy_n(in, count, out + k * stored);
                std::fill_n(out + k * stored + count, stored - count, 0.0f);
            }
        } else if (b.row == 1) {
            if (stored != count) std::fill_n(out, depth * stored, 0.0f);
            detail::transpose(from + static_cast<std::ptrdiff_t>(first) * b.column, static_cast<std::size_t>(b.column), out, stored, count,
                              depth);
        } else {
            for (std::size_t k = 0; k < depth; ++k)
                for (std::size_t c = 0; c < stored; ++c)
                    out[k * stored + c] =
                        c < count ? from[static_cast<std::ptrdiff_t>(k) * b.row + static_cast<std::ptrdiff_t>(first + c) * b.column] : 0.0f;
        }
        if (factor != 1)
            for (std::size_t i = 0; i < depth * stored; ++i) out[i] *= factor;
    }

    /// A panel of columns for rows `first` to `past` of a batch. `left` and `right` are the batch's operands, packed ones where the product
    /// packs them in each run; `result` is where all batches begin.
    void one_panel(const float* left, const float* right, float* result, std::size_t batch, std::size_t panel, std::size_t first,
                   std::size_t past, const kernel_epilogue::ready& last) const {
        const std::size_t width = this->width(), count = std::min(width, columns - panel * width);
        const std::size_t vectors = (count + table->lanes - 1) / table->lanes;
        const segment whole{0, 0, static_cast<std::uint32_t>(depth), segment::part::all};
        tile_job j;
        j.segments = &whole;
        j.segment_count = 1;
        j.a_row = packs_a ? static_cast<std::ptrdiff_t>(depth) : a.row;
        j.b = packs_b ? right + panel * width * depth : packed.at(panel);
        j.bias = !packs_b ? packed.bias(panel) : bias.size() == 0 ? nullptr : reinterpret_cast<const float*>(bias.data()) + panel * width;
        j.c_row = result_row;
        for (std::size_t v = 0; v < vectors; ++v) j.c_vector[v] = static_cast<std::ptrdiff_t>(v * table->lanes);
        j.columns = count;
        std::size_t tile = 0;
        each_tile(past - first, size.rows, [&](std::size_t from, std::size_t n) {
            j.ahead = packs_b ? nullptr : packed.ahead(panel, tile++);
            const auto row = static_cast<std::ptrdiff_t>(first + from);
            j.a = left + row * j.a_row;
            j.c = result + results[batch] + row * result_row + static_cast<std::ptrdiff_t>(panel * width);
            last.give(j, j.c, result, panel * width);
            table->tiles[vectors - 1][n - 1](j);
        });
    }

private:
    void pack_a(const float* from, float* to) const {
        if (a.row == 1) return detail::transpose(from, static_cast<std::size_t>(a.column), to, depth, depth, rows);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t k = 0; k < depth; ++k)
                to[r * depth + k] = from[static_cast<std::ptrdiff_t>(r) * a.row + static_cast<std::ptrdiff_t>(k) * a.column];
    }
};

/// Matrix products as the third part of composites.
struct product_entry {
    static constexpr std::size_t most_axes = 8;

    struct plan : detail::anchored_product {
        kernel_epilogue tail;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        auto found = detail::anchored_product::read(m.region(), most_axes);
        if (!found) return found.failure();
        return planned(m.region(), *std::move(found));
    }

    /// What a product that was read off a region needs. Error: something that the kernel does not take along.
    [[nodiscard]] static outcome<plan> planned(const region_view& r, detail::anchored_product found) {
        plan p{std::move(found), {}};
        if (p.extents.back() > 1 && p.strides.back() != 1)
            return error{"the result is transposed so that its columns do not lie side by side"};
        const std::vector<std::int64_t> shape = static_shape(r.type(r.results[0]));
        if (p.a.extents.back() > std::numeric_limits<std::int32_t>::max()) return error{"the products' inner extent is out of range"};
        auto tail = kernel_epilogue::read(r, p.after, shape, shape.size() - 1);
        if (!tail) return tail.failure();
        p.tail = *std::move(tail);
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
        auto k = made(self, p, r);
        if (!k) return k.failure();
        const std::size_t workspace = k->workspace();
        return self.finish(*std::move(k), p.extents.size() > 2 ? "batched product" : "product", workspace);
    }

    /// The state of the kernel. Error: no memory.
    template <class B>
    [[nodiscard]] static outcome<matrix_product> made(const B& self, const plan& p, const region_view& r) {
        matrix_product k;
        k.table = self.table();
        const std::size_t rank = p.extents.size();
        const auto number = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        k.rows = number(p.extents[rank - 2]);
        k.columns = number(p.extents[rank - 1]);
        k.depth = number(p.a.extents.back());
        k.after = p.tail;
        const std::vector<std::int64_t> shape = static_shape(r.type(r.results[0]));
        if (auto bound = k.after.bind(r, shape, shape.size() - 1, layout::plain()); !bound) return bound.failure();
        k.a = matrix_product::operand::of(r, p.a, p.extents);
        k.b = matrix_product::operand::of(r, p.b, p.extents);
        k.results = batches_of(p.extents, p.extents, p.strides);
        k.result_row = static_cast<std::ptrdiff_t>(p.strides[rank - 2]);
        k.packs_a = k.depth > 1 && k.a.column != 1;
        k.size = best_tile(*k.table, k.rows, k.columns);
        const bool one_for_all = std::all_of(k.b.batches.begin(), k.b.batches.end(), [&](std::ptrdiff_t n) { return n == k.b.batches[0]; });
        k.packs_b = k.b.constant == nullptr || !one_for_all;
        const std::vector<float> biases = p.biases(r);
        k.factor = static_cast<float>(p.factor);
        if (k.packs_b) {
            k.bias = buffer(k.whole_columns() * sizeof(float));
            std::copy(biases.begin(), biases.end(), reinterpret_cast<float*>(k.bias.data()));
        } else {
            const float* from = k.b.constant + k.b.batches[0];
            digest_builder of;
            if (self.weights != nullptr) {
                of.add("product").add(k.b.kept.content()).add(std::int64_t{k.b.batches[0]}).add(std::int64_t{k.b.row});
                of.add(std::int64_t{k.b.column}).add(p.factor).add_bytes(biases.data(), biases.size() * sizeof(float));
            }
            k.packed = panels::filled(k.depth, k.columns, k.size.vectors, k.table->lanes, self.weights, of.finish(), [&](panels& to) {
                for (std::size_t i = 0; i < to.count(); ++i) k.pack_b(from, to.at(0), i);
                for (std::size_t c = 0; c < k.columns; ++c) to.set_bias(c, biases[c]);
            });
            if (k.packed.is_empty()) return error{"there is no memory for the packed matrix"};
            k.b.kept = tensor();
            k.b.constant = nullptr;
        }
        return k;
    }
};

}  // namespace inlay::simd

#endif
