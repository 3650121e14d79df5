// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_CONCAT_HPP
#define INLAY_BACKEND_CPU_SIMD_CONCAT_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/concat_parts.hpp>
#include <inlay/backend/cpu_simd/copied_borders.hpp>
#include <inlay/backend/cpu_simd/copy_runs.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// Tensors side by side: runs of bytes, copied one after the other. A part that is one run need not be copied where it was made in its
/// place. The state of a kernel.
struct run_copy {
    struct part {
        std::size_t input = 0, bytes = 0, at = 0;  // bytes of one run, and where it stands in a run of the result
    };
    std::vector<part> parts;
    std::size_t runs = 1, bytes = 0;  // of a run of the result

    [[nodiscard]] bool run(const run_arguments& a) const {
        auto* result = static_cast<std::byte*>(a.results[0]);
        for (const part& p : parts) {
            const auto* from = static_cast<const std::byte*>(a.inputs[p.input]);
            if (runs != 1 || from != result + p.at) copy_runs(a.executor, result + p.at, bytes, from, p.bytes, runs, p.bytes);
        }
        return true;
    }
};

/// Concatenation as the third part of a composite.
struct concat_entry {
    using plan = detail::concat_parts;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        // Bytes are copied as well as floats.
        const node_type& made = *r[r.results[0]].type;
        const element_type e = made.is_tensor() ? made.of_tensor.element : element_type::float32;
        if (auto fine = detail::check_region_of(r, is_byte(e) ? e : element_type::float32, 8); !fine) return fine.failure();
        auto p = detail::read_concat_parts(r);
        if (!p) return p;
        for (const value_id v : p->parts)
            if (r[v].kind != region_value::role::input) return error{"a part of the concatenation is a constant"};
        return p;
    }

    /// One layout for all; images also in blocks of channels and with their channels last.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        if (self.table() == nullptr) return {};
        const bool has_blocks = element_size(r) == sizeof(float);
        return copied_borders(r, p.extents.size(), self.table()->lanes, [&](const layout& l) {
            return p.keeps_runs(r, l) && (has_blocks || l.kind != layout::form::channels_blocked);
        });
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const layout& l = r.result_formats[0].order;
        run_copy k;
        const std::size_t element = element_size(r);
        k.bytes = p.run(p.extents, l) * element;
        const std::size_t all = stored_elements(p.extents, l) * element;
        k.runs = k.bytes == 0 ? 0 : all / k.bytes;
        std::vector<std::int64_t> part_at(r.input_count, -1);
        std::size_t at = 0;
        for (const value_id v : p.parts) {
            const std::size_t bytes = p.run(static_shape(r.type(v)), l) * element;
            k.parts.push_back({v, bytes, at});
            if (part_at[v] < 0) part_at[v] = static_cast<std::int64_t>(at);
            at += bytes;
        }
        const bool one_run = k.runs == 1;
        kernel made = self.finish(std::move(k), "copy");
        if (one_run) made.part_at = std::move(part_at);
        return made;
    }

private:
    [[nodiscard]] static std::size_t element_size(const region_view& r) {
        return r.type(r.results[0]).element == element_type::float32 ? sizeof(float) : 1;
    }
};

}  // namespace inlay::simd

#endif
