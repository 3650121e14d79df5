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
            if (!xnnpack_operators::max_pooling_takes_gaps && !p.average && p.window.strides[i] > p.window.kernel[i])
                return error{"stride " + std::to_string(p.window.strides[i]) + " of spatial axis " + std::to_string(i) +
                             " is above the window's " + std::to_string(p.window.kernel[i]) + " places"};
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
        const auto number = xnnpack_number;
        const spatial_window& w = p.window;
        xnnpack_parameters s = xnnpack_parameters::of_images(p.x_extents);
        s.low = p.range.low;
        s.high = p.range.high;
        s.top = number(w.begin[0]);
        s.right = number(w.end[1]);
        s.bottom = number(w.end[0]);
        s.left = number(w.begin[1]);
        for (std::size_t i = 0; i < 2; ++i) {
            s.kernel[i] = number(w.kernel[i]);
            s.strides[i] = number(w.strides[i]);
            s.dilations[i] = number(w.dilations[i]);
        }
        const xnnpack_operator& how = !p.average ? xnnpack_operators::max_pooling
                                      : p.global ? xnnpack_operators::global_average
                                                 : xnnpack_operators::average;
        return program.step({how, s, {{0, nullptr, p.at.x}}, p.at.y});
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
