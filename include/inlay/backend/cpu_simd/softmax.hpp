// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_SOFTMAX_HPP
#define INLAY_BACKEND_CPU_SIMD_SOFTMAX_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>

namespace inlay::simd {

/// Rows that lie one after the other, each through one kernel. The state of a kernel.
struct row_by_row {
    void (*row)(const row_job&) = nullptr;
    std::size_t input = 0, rows = 0;
    row_job job;                      // but for x and y
    std::vector<float> scale, shift;  // what `job` points to
    double operations = 10;           // of each element

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* x = static_cast<const float*>(a.inputs[input]);
        auto* y = static_cast<float*>(a.results[0]);
        share(a.executor, rows, static_cast<double>(job.count) * operations,
              [&](std::size_t begin, std::size_t end) { over(x, y, begin, end); });
        return true;
    }

    /// Rows `begin` to `end` of tensors that begin at x and y, which may be one.
    void over(const float* x, float* y, std::size_t begin, std::size_t end) const {
        row_job one = job;
        one.scale = scale.empty() ? nullptr : scale.data();
        one.shift = shift.empty() ? nullptr : shift.data();
        for (std::size_t r = begin; r < end; ++r) {
            one.x = x + r * job.count;
            one.y = y + r * job.count;
            row(one);
        }
    }
};

/// Softmax along the last axis as the third part of a composite.
struct softmax_entry {
    struct plan {
        std::size_t rows = 1, count = 1;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        if (auto fine = detail::check_one_call(r, 12, "softmax"); !fine) return fine.failure();
        const std::vector<std::int64_t> e = static_shape(r.type(r.results[0]));
        const auto rank = static_cast<std::int64_t>(e.size());
        std::int64_t axis = inlay::read<softmax_attributes>(*r[r.results[0]].attributes).axis;
        if (axis < 0) axis += rank;
        plan p;
        for (std::int64_t i = 0; i < rank; ++i) {
            const auto n = static_cast<std::size_t>(e[static_cast<std::size_t>(i)]);
            if (i > axis && n != 1) return error{"softmax is along axis " + std::to_string(axis) + "; the kernel takes the last one"};
            (i < axis ? p.rows : p.count) *= n;
        }
        return p;
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return self.row_major(r);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        row_by_row k;
        k.row = self.table()->softmax;
        k.rows = p.rows;
        k.job.count = p.count;
        k.operations = 30;
        return self.finish(std::move(k), "softmax");
    }
};

}  // namespace inlay::simd

#endif
