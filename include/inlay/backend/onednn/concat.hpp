// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_CONCAT_HPP
#define INLAY_BACKEND_ONEDNN_CONCAT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/concat_parts.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Tensors side by side along one axis, all in one layout; along the channels in blocks only where blocks stay whole.
struct onednn_concat {
    using plan = concat_parts;

    static constexpr auto pattern_of_concat() { return dsl::op<"onnx.Concat">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, onednn_most_axes); !fine) return fine.failure();
        return read_concat_parts(r);
    }

    /// One layout for all; sequences (rank 3) stand row-major.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        for (const layout& l : onednn_layouts(p.extents.size()))
            if (takes(p, r, l) && (l == layout::plain() || p.extents.size() != 3)) list.push_back(borders_in(r, l));
        return list;
    }

    /// Along an axis with few runs of bytes per part, runs are copied; else the library interleaves them.
    struct description {
        std::optional<dnnl::concat::primitive_desc> concat;
        [[nodiscard]] bool is_reference() const { return concat && onednn_is_reference(concat->impl_info_str()); }
    };

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view& r, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout& l = b.results[0].order;
        for (const format& f : b.inputs)
            if (f.order != l) return error{"oneDNN concatenates within one layout"};
        if (!takes(p, r, l)) return error{"oneDNN has no concatenation in the layout " + to_string(l) + " here"};
        description d;
        if (runs_are_few(p, l)) return d;
        std::vector<dnnl::memory::desc> parts;
        for (const value_id v : p.parts) parts.push_back(onednn_desc(static_shape(r.type(v)), l));
        d.concat = onednn_concat_desc(engine, onednn_attributes(), onednn_desc(p.extents, l), static_cast<int>(p.axis), parts);
        return d;
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view& r, const border_formats& b,
                                               onednn_program program) {
        const layout& l = b.results[0].order;
        const dnnl::memory result = program.result(0, onednn_desc(p.extents, l));
        std::vector<std::optional<dnnl::memory>> made(r.values.size());
        std::vector<std::pair<int, dnnl::memory>> arguments{{DNNL_ARG_DST, result}};
        std::vector<onednn_program::piece> pieces;
        const std::size_t whole = run(p, p.extents, l);
        std::size_t place = 0;
        std::vector<std::int64_t> part_at(r.input_count, -1);
        bool in_one_run = true;
        for (std::size_t i = 0; i < p.parts.size(); ++i) {
            const value_id v = p.parts[i];
            const std::vector<std::int64_t> extents = static_shape(r.type(v));
            const dnnl::memory::desc order = onednn_desc(extents, l);
            if (!made[v])
                made[v] = r[v].kind == region_value::role::constant ? program.constant(r[v].value->data(), onednn_plain(extents), order)
                                                                    : program.input(v, order);
            arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), *made[v]);
            const std::size_t mine = run(p, extents, l), runs = order.get_size() / mine;
            for (std::size_t k = 0; k < runs && !d.concat; ++k) pieces.push_back({*made[v], result, k * mine, k * whole + place, mine});
            in_one_run = in_one_run && runs == 1;
            if (r[v].kind == region_value::role::input && part_at[v] < 0) part_at[v] = static_cast<std::int64_t>(place);
            place += mine;
        }
        if (d.concat)
            program.step(*d.concat, arguments);
        else
            program.copy(pieces);
        kernel made_of = onednn_program::finish(std::move(program));
        if (!d.concat && in_one_run) made_of.part_at = std::move(part_at);
        return made_of;
    }

private:
    [[nodiscard]] static std::size_t run(const plan& p, const std::vector<std::int64_t>& extents, const layout& l) {
        return p.run(extents, l) * sizeof(float);
    }
    [[nodiscard]] static bool runs_are_few(const plan& p, const layout& l) {
        // Blocks lie innermost: along an axis behind the channels a run is within one block of channels.
        if (l.kind == layout::form::channels_blocked && p.axis > 1) return false;
        return stored_elements(p.extents, l) * sizeof(float) / run(p, p.extents, l) <= 16;
    }

    [[nodiscard]] static bool takes(const plan& p, const region_view& r, const layout& l) {
        if (!onednn_has_layout(p.extents.size(), l)) return false;
        return p.axis > 1 || p.keeps_runs(r, l);
    }
};

}  // namespace inlay::detail

#endif
