// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_PRODUCT_LAYER_NORM_HPP
#define INLAY_BACKEND_CPU_SIMD_PRODUCT_LAYER_NORM_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/layer_norm.hpp>
#include <inlay/backend/cpu_simd/matrix_product.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/normalised_product.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// A product of matrices whose rows are normalised while they are in the second cache: rows go in groups, and whichever task brings the
/// last panel of columns of a group normalises it where it stands. Tasks are cut across panels, so that a group is no larger than the
/// cache allows and few groups still serve many threads.
///
/// The state of a kernel.
struct product_layer_norm {
    matrix_product product;  // of one matrix with a packed one
    row_by_row norm;
    std::size_t group = 1;  // rows that are normalised together

    /// Chooses the rows of a group: whole tiles, in about even groups, about one for each thread or more.
    void plan(std::size_t threads) {
        constexpr std::size_t near_floats = (std::size_t{512} << 10) / sizeof(float);
        const std::size_t tile = product.size.rows, tiles = (product.rows + tile - 1) / tile;
        const std::size_t most = std::max<std::size_t>(near_floats / (product.columns * tile), 1);
        const std::size_t count = std::min(std::max((tiles + most - 1) / most, threads), tiles);
        group = (tiles + count - 1) / count * tile;
    }

    [[nodiscard]] std::size_t groups() const { return (product.rows + group - 1) / group; }
    [[nodiscard]] std::size_t workspace() const { return groups() * sizeof(std::uint32_t); }

    [[nodiscard]] bool run(const run_arguments& a) const {
        auto* y = static_cast<float*>(a.results[0]);
        // How many panels of each group are there.
        auto* ready = reinterpret_cast<std::uint32_t*>(a.workspace);
        std::fill_n(ready, groups(), 0u);
        const std::size_t panels = product.panel_count();
        const double work = 2.0 * static_cast<double>(std::min(group, product.rows) * product.depth * product.width());
        const float* left = product.a.at(a, 0);
        const kernel_epilogue::ready last = product.after.at(a);
        share(a.executor, groups() * panels, work, [&](std::size_t begin, std::size_t end) {
            while (begin < end) {
                const std::size_t number = begin / panels, stop = std::min(end, (number + 1) * panels);
                const std::size_t first = number * group, past = std::min(product.rows, first + group);
                const auto done = static_cast<std::uint32_t>(stop - begin);
                for (; begin < stop; ++begin) product.one_panel(left, nullptr, y, 0, begin % panels, first, past, last);
                if (std::atomic_ref(ready[number]).fetch_add(done, std::memory_order_acq_rel) + done == panels)
                    norm.over(y, y, first, past);
            }
        });
        return true;
    }
};

/// Products and the normalisation of their rows as the third part of a composite.
struct product_layer_norm_entry {
    struct plan {
        product_entry::plan product;
        detail::layer_normalization norm;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        auto found = detail::normalised_product::read(m.region(), product_entry::most_axes);
        if (!found) return found.failure();
        auto product = product_entry::planned(m.region(), std::move(found->product));
        if (!product) return product.failure();
        return plan{*std::move(product), std::move(found->norm)};
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return self.row_major(r);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        auto product = product_entry::made(self, p.product, r);
        if (!product) return product.failure();
        product_layer_norm k{*std::move(product), normalised_rows(*self.table(), p.norm, r)};
        k.plan(static_cast<std::size_t>(self.threads));
        const std::size_t workspace = k.workspace();
        return self.finish(std::move(k), "product and layer norm", workspace);
    }
};

}  // namespace inlay::simd

#endif
