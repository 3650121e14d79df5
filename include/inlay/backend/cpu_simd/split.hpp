// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_SPLIT_HPP
#define INLAY_BACKEND_CPU_SIMD_SPLIT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_simd/copied_borders.hpp>
#include <inlay/backend/cpu_simd/copy_runs.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/runs_along_axis.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>

namespace inlay::simd {

/// Parts of a tensor along one axis: runs of bytes, copied one after the other. A part that is one run need not be copied where it may
/// stand in the whole. The state of a kernel.
struct run_split {
    struct part {
        std::size_t bytes = 0, at = 0;  // of one run, and where it stands in a run of the input
    };
    std::vector<part> parts;
    std::size_t runs = 1, bytes = 0;  // of a run of the input

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto* from = static_cast<const std::byte*>(a.inputs[0]);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto* to = static_cast<std::byte*>(a.results[i]);
            if (runs == 1 && to == from + parts[i].at) continue;
            copy_runs(a.executor, to, parts[i].bytes, from + parts[i].at, bytes, runs, parts[i].bytes);
        }
        return true;
    }
};

/// Split as the third part of a composite.
struct split_entry {
    struct plan {
        std::size_t axis = 0;
        std::vector<std::int64_t> extents;  // of the input
        std::vector<std::int64_t> begins;   // of each result along the axis
        std::vector<std::int64_t> ends;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        if (r.input_count != 1 || !r[0].type->is_tensor() || !r.type(0).is_static() || r.type(0).element != element_type::float32)
            return error{"what is split is no float32 tensor of known shape"};
        const region_value* split = nullptr;
        for (const region_value& v : r.calls()) {
            if (v.kind == region_value::role::projection) continue;
            if (split != nullptr || v.op != "onnx.Split" || v.operands.empty() || v.operands[0] != 0)
                return error{"the region is no split of an input"};
            split = &v;
        }
        if (split == nullptr || !split->type->is_tuple()) return error{"the region is no split of an input"};
        plan p;
        p.extents = static_shape(r.type(0));
        if (const auto count = element_count(p.extents); !count || *count == 0) return error{"what is split has no elements"};
        const auto rank = static_cast<std::int64_t>(p.extents.size());
        std::int64_t axis = inlay::read<split_attributes>(*split->attributes).axis;
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank || rank > 8)
            return error{"axis " + std::to_string(axis) + " is none of the " + std::to_string(rank) + " axes"};
        p.axis = static_cast<std::size_t>(axis);
        std::vector<std::int64_t> begins{0};
        for (const node_type& f : split->type->fields) {
            if (!f.is_tensor() || !f.is_static()) return error{"a part of type " + to_string(f) + " has no known shape"};
            begins.push_back(begins.back() + static_shape(f.of_tensor)[p.axis]);
        }
        for (const value_id v : r.results) {
            if (r[v].kind != region_value::role::projection || r[v].field + 1 >= begins.size())
                return error{"a result is no part of the split"};
            p.begins.push_back(begins[r[v].field]);
            p.ends.push_back(begins[r[v].field + 1]);
            if (p.begins.back() == p.ends.back()) return error{"a part of the split has no elements"};
        }
        return p;
    }

    /// One layout for all; images also in blocks of channels, where they stay whole, and with their channels last.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        if (self.table() == nullptr) return {};
        return copied_borders(r, p.extents.size(), self.table()->lanes, [&](const layout& l) { return keeps_runs(p, l); });
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const layout& l = r.input_formats[0].order;
        const auto run_of = [&](std::int64_t along) {
            std::vector<std::int64_t> part = p.extents;
            part[p.axis] = along;
            return detail::run_along_axis(part, p.axis, l) * sizeof(float);
        };
        run_split k;
        k.bytes = run_of(p.extents[p.axis]);
        k.runs = stored_elements(p.extents, l) * sizeof(float) / k.bytes;
        kernel_facts facts;
        for (std::size_t i = 0; i < p.begins.size(); ++i) {
            k.parts.push_back({run_of(p.ends[i] - p.begins[i]), p.begins[i] == 0 ? 0 : run_of(p.begins[i])});
            facts.view_of.push_back(0);
            facts.view_at.push_back(static_cast<std::int64_t>(k.parts.back().at));
        }
        const bool one_run = k.runs == 1;
        kernel made = self.finish(std::move(k), "copy");
        if (one_run) {
            made.view_of = std::move(facts.view_of);
            made.view_at = std::move(facts.view_at);
        }
        return made;
    }

private:
    /// Whether parts are runs in a layout: no block of channels is cut, and none but the input's own last one is filled up.
    [[nodiscard]] static bool keeps_runs(const plan& p, const layout& l) {
        if (l.kind != layout::form::channels_blocked) return true;
        if (p.axis != 1) return p.axis == 0;
        for (std::size_t i = 0; i < p.begins.size(); ++i)
            if (p.begins[i] % l.block != 0 || (p.ends[i] % l.block != 0 && p.ends[i] != p.extents[1])) return false;
        return true;
    }
};

}  // namespace inlay::simd

#endif
