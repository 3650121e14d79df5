// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_TRANSPOSE_HPP
#define INLAY_BACKEND_ONEDNN_TRANSPOSE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A change of the order of axes. Between row-major and channels last it may be a change of names alone; then the result is a view.
struct onednn_transpose {
    struct plan {
        std::vector<std::int64_t> x_extents, y_extents, order;
    };

    static constexpr auto pattern_of_transpose() { return dsl::op<"onnx.Transpose">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_one_call(r, onednn_most_axes, "transposition"); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        plan p;
        p.x_extents = static_shape(r.type(c.operands[0]));
        p.y_extents = static_shape(r.type(r.results[0]));
        const auto order = order_of_transpose(c, p.x_extents.size());
        if (!order || p.x_extents.empty()) return error{"Transpose has no permutation of its axes"};
        p.order = *order;
        return p;
    }

    /// Row-major on both sides; and with channels last on either side, where that makes it a view.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list{plain_borders(r)};
        for (const auto& [in, out] :
             {std::pair(layout::channels_last(), layout::plain()), std::pair(layout::plain(), layout::channels_last())}) {
            border_formats b = plain_borders(r);
            b.inputs[0].order = in;
            b.results[0].order = out;
            if (onednn_has_layout(p.x_extents.size(), in) && onednn_has_layout(p.y_extents.size(), out) && is_view(p, in, out))
                list.push_back(std::move(b));
        }
        return list;
    }

    struct description {
        std::optional<dnnl::reorder::primitive_desc> reorder;  // none: a view
        [[nodiscard]] bool is_reference() const { return reorder && onednn_is_reference(reorder->impl_info_str()); }
    };

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout &in = b.inputs[0].order, &out = b.results[0].order;
        if (!onednn_has_layout(p.x_extents.size(), in) || !onednn_has_layout(p.y_extents.size(), out))
            return error{"oneDNN has no such layout"};
        if (in.kind == layout::form::channels_blocked || out.kind == layout::form::channels_blocked)
            return error{"oneDNN's transposition is not asked for in blocks"};
        description d;
        if (!is_view(p, in, out))
            d.reorder = dnnl::reorder::primitive_desc(engine, seen(p, in), engine, target(p, out), onednn_attributes());
        return d;
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view&, const border_formats& b,
                                               onednn_program program) {
        const dnnl::memory x = program.input(0, seen(p, b.inputs[0].order)), y = program.result(0, target(p, b.results[0].order));
        if (d.reorder) {
            program.step(*d.reorder, {{DNNL_ARG_FROM, x}, {DNNL_ARG_TO, y}});
            return onednn_program::finish(std::move(program));
        }
        program.copy({{x, y, 0, 0, y.get_desc().get_size()}});
        kernel made = onednn_program::finish(std::move(program));
        made.view_of = {0};
        made.note = "view";
        return made;
    }

private:
    /// The input under the result's axes.
    [[nodiscard]] static dnnl::memory::desc seen(const plan& p, const layout& l) {
        return {p.y_extents, dnnl::memory::data_type::f32, permuted(strides(p.x_extents, l), p.order)};
    }
    [[nodiscard]] static dnnl::memory::desc target(const plan& p, const layout& l) {
        return {p.y_extents, dnnl::memory::data_type::f32, strides(p.y_extents, l)};
    }

    /// The strides of a tensor that is row-major or has its channels last.
    [[nodiscard]] static std::vector<std::int64_t> strides(const std::vector<std::int64_t>& e, const layout& l) {
        if (l == layout::plain()) return onednn_row_major(e);
        std::vector<std::int64_t> moved = e;
        moved.erase(moved.begin() + 1);
        moved.push_back(e[1]);
        std::vector<std::int64_t> s = onednn_row_major(moved);
        s.insert(s.begin() + 1, s.back());
        s.pop_back();
        return s;
    }

    /// Whether every element stays where it is: strides agree on all axes that have more than one element.
    [[nodiscard]] static bool is_view(const plan& p, const layout& in, const layout& out) {
        const std::vector<std::int64_t> from = permuted(strides(p.x_extents, in), p.order), to = strides(p.y_extents, out);
        for (std::size_t i = 0; i < to.size(); ++i)
            if (p.y_extents[i] > 1 && from[i] != to[i]) return false;
        return true;
    }
};

}  // namespace inlay::detail

#endif
