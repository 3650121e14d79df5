// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_POOL_HPP
#define INLAY_BACKEND_XNNPACK_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/image_slices.hpp>
#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/maybe_clamped.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/backend/xnnpack/slices.hpp>

namespace inlay::detail {

/// Pooling of images: maximum and average over windows or over all places, the latter also where it is spelled as a reduction over the
/// spatial axes; then a range.
struct xnnpack_pooling {
    struct plan : pooling {
        xnnpack_range range;
        slice_offsets at{};  // of a slice
    };

    static constexpr auto pattern_of_pool() { return xnnpack_maybe_clamped(pattern_of_pooling); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        auto chain = xnnpack_read_chain(r, 0, [](const region_value& v) { return v.op != "onnx.Relu" && v.op != "onnx.Clip"; });
        if (!chain) return chain.failure();
        auto found = read_pooling(r, chain->anchor, 4, 4);
        if (!found) return found.failure();
        plan p{*std::move(found), chain->range, {}};
        if (p.window.is_one_place() && !(p.global && p.average)) return error{"the window is of one place; the library takes more"};
        for (std::size_t i = 0; i < 2 && !p.global; ++i) {
            const std::string pads = std::to_string(p.window.begin[i]) + " and " + std::to_string(p.window.end[i]);
            if (p.window.begin[i] >= p.window.span(i) || p.window.end[i] >= p.window.span(i))
                return error{"pads of " + pads + " are not below the window's " + std::to_string(p.window.span(i)) + " places"};
            if (p.window.dilations[i] == 1) continue;
            const std::string gaps = "dilation " + std::to_string(p.window.dilations[i]) + " of spatial axis " + std::to_string(i);
            if (p.average) return error{gaps + "; the library averages with 1"};
            // At a border the library takes the nearest place inside for one outside, which a window with gaps need not hold.
            if (p.window.begin[i] + p.window.end[i] != 0) return error{gaps + " with pads of " + pads};
        }
        if (p.counts_pads && p.window.has_pads()) return error{"the average counts pads; the library leaves them out"};
        return p;
    }

    /// Channels last. A result of one place per channel lies the same row-major, so that it may leave so, too.
    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        if (!p.dropped) list.push_back(xnnpack_images(r));
        if (p.global) {
            list.push_back(xnnpack_images(r));
            list.back().results[0].order = layout::plain();
        }
        return list;
    }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        const auto number = xnnpack_number;
        const spatial_window& w = p.window;
        const std::size_t c = size(p.x_extents[1]);
        const xnnpack_sizes s = xnnpack_sizes::of_image(p.x_extents);
        const auto step = [&](const char* name, xnnpack_setup setup) -> xnnpack_step {
            return {name, setup, s, {{0, nullptr, p.at.x}}, p.at.y};
        };
        constexpr xnnpack_setup setup_global = [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out,
                                                  pthreadpool_t pool) {
            return xnn_setup_global_average_pooling_nwc_f32(op, z.batch, z.height * z.width, in[0], out, pool);
        };
        if (p.average && p.global)
            return program.step(step("global_average_pooling_nwc_f32", setup_global), xnn_create_global_average_pooling_nwc_f32, c, c, c,
                                p.range.low, p.range.high);
        if (p.average)
            return program.step(step("average_pooling2d_nhwc_f32", xnnpack_image<xnn_setup_average_pooling2d_nhwc_f32>),
                                xnn_create_average_pooling2d_nhwc_f32, number(w.begin[0]), number(w.end[1]), number(w.end[0]),
                                number(w.begin[1]), number(w.kernel[0]), number(w.kernel[1]), number(w.strides[0]), number(w.strides[1]), c,
                                c, c, p.range.low, p.range.high);
        return program.step(step("max_pooling2d_nhwc_f32", xnnpack_image<xnn_setup_max_pooling2d_nhwc_f32>),
                            xnn_create_max_pooling2d_nhwc_f32, number(w.begin[0]), number(w.end[1]), number(w.end[0]), number(w.begin[1]),
                            number(w.kernel[0]), number(w.kernel[1]), number(w.strides[0]), number(w.strides[1]), number(w.dilations[0]),
                            number(w.dilations[1]), c, c, c, p.range.low, p.range.high);
    }

    /// Slices of rows or of images.
    [[nodiscard]] static std::vector<plan> slices(const plan& p, int threads) {
        const std::int64_t reads = p.y_extents[3] * p.y_extents[1] * p.window.kernel[0] * p.window.kernel[1];
        std::vector<plan> list;
        for (const image_slice& s : image_slices(p.y_extents[0], p.y_extents[2], least_outputs(xnnpack_worth_sharing, reads), threads)) {
            plan part = p;
            const auto before = cut_to(s, part.window, part.x_extents, part.y_extents);
            if (!before) return {};
            part.at = *before;
            list.push_back(std::move(part));
        }
        return list;
    }
};

}  // namespace inlay::detail

#endif
