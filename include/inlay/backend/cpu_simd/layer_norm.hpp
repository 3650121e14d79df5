// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_LAYER_NORM_HPP
#define INLAY_BACKEND_CPU_SIMD_LAYER_NORM_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/softmax.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/layer_normalization.hpp>

namespace inlay::simd {

/// The rows of a layer normalisation that was read off a region, by the kernels of a table. Precondition: its scale and shift are
/// constants.
[[nodiscard]] inline row_by_row normalised_rows(const kernel_table& table, const detail::layer_normalization& p, const region_view& r) {
    row_by_row k;
    k.row = table.normalise;
    k.input = p.x;
    k.rows = static_cast<std::size_t>(p.rows);
    k.job.count = static_cast<std::size_t>(p.columns);
    k.job.epsilon = static_cast<float>(p.epsilon);
    if (p.scale) k.scale = p.numbers(r, *p.scale);
    if (p.shift) k.shift = p.numbers(r, *p.shift);
    return k;
}

/// Layer normalisation over the last axes, one operator or written out, as the third part of composites.
struct layer_norm_entry {
    using plan = detail::layer_normalization;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        if (auto fine = detail::check_float_region(m.region(), 12); !fine) return fine.failure();
        return detail::read_layer_normalization(m.region());
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return self.row_major(r);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        return self.finish(normalised_rows(*self.table(), p, r), "layer norm");
    }
};

}  // namespace inlay::simd

#endif
