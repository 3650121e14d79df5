// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_SOFTMAX_HPP
#define INLAY_BACKEND_ONEDNN_SOFTMAX_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Softmax and its logarithm along one axis.
struct onednn_softmax {
    struct plan {
        std::vector<std::int64_t> extents;
        std::int64_t axis = 0;
        bool logarithm = false;
    };

    static constexpr auto pattern_of_softmax() { return dsl::call_on<1, "onnx.Softmax", "onnx.LogSoftmax">(dsl::any); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_one_call(r, onednn_most_axes, "softmax"); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        plan p;
        p.logarithm = c.op == "onnx.LogSoftmax";
        p.extents = static_shape(r.type(r.results[0]));
        const auto rank = static_cast<std::int64_t>(p.extents.size());
        p.axis = inlay::read<softmax_attributes>(*c.attributes).axis;
        if (p.axis < 0) p.axis += rank;
        if (p.axis < 0 || p.axis >= rank)
            return error{"axis " + std::to_string(p.axis) + " is none of the " + std::to_string(rank) + " axes"};
        return p;
    }

    /// Row-major; channels last where the channels are what is normalised.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list{plain_borders(r)};
        if (p.axis == 1 && p.extents.size() > 3 && onednn_has_layout(p.extents.size(), layout::channels_last())) {
            list.push_back(list[0]);
            list[1].inputs[0].order = list[1].results[0].order = layout::channels_last();
        }
        return list;
    }

    using description = onednn_primitive;

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout& l = b.inputs[0].order;
        if (l != b.results[0].order || !onednn_has_layout(p.extents.size(), l)) return error{"oneDNN's softmax stays within one layout"};
        // Axes on either side of the normalised one are folded, so that few shapes are left for the library to know.
        if (l != layout::plain() && l != layout::channels_last()) return error{"oneDNN's softmax is not asked for in blocks"};
        std::int64_t before = 1, after = 1;
        const bool last = l == layout::channels_last();
        for (std::size_t i = 0; i < p.extents.size(); ++i) {
            const bool normalised = static_cast<std::int64_t>(i) == p.axis;
            if (!normalised) (last || static_cast<std::int64_t>(i) < p.axis ? before : after) *= p.extents[i];
        }
        if (last && p.axis != 1) return error{"oneDNN normalises the innermost axis of this layout only"};
        const dnnl::memory::desc x = after == 1 ? onednn_plain({before, p.extents[static_cast<std::size_t>(p.axis)]})
                                                : onednn_plain({before, p.extents[static_cast<std::size_t>(p.axis)], after});
        const auto how = p.logarithm ? dnnl::algorithm::softmax_log : dnnl::algorithm::softmax_accurate;
        return onednn_primitive::ask<dnnl::softmax_forward>(engine, "softmax", onednn_attributes(), dnnl::prop_kind::forward_inference, how,
                                                            x, x, 1);
    }

    [[nodiscard]] static outcome<kernel> build(const plan&, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        return d.alone(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
