// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_CONV_SLICES_HPP
#define INLAY_BACKEND_ONEDNN_CONV_SLICES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/onednn/conv.hpp>
#include <inlay/backend/onednn/slices.hpp>
#include <inlay/candidate/border_formats.hpp>

namespace inlay::detail {

/// Some of the output channels of a convolution, or some of the columns of its patches. What it has of the weights is its own.
struct onednn_conv_slice {
    onednn_conv::plan p;
    tensor weights;  // where not those of the plan

    [[nodiscard]] onednn_conv::plan view() const {
        onednn_conv::plan part = p;
        if (weights.count() != 0) part.weights = &weights;
        return part;
    }
};

/// Some outputs of the weights: of axis 0, of a transposed convolution axis 1. Not ok where there is no memory.
[[nodiscard]] inline tensor onednn_some_outputs(const anchored_convolution& p, std::int64_t from, std::int64_t past) {
    const std::span<const float> all = p.weights->as<float>();
    std::vector<std::int64_t> extents = p.weights->extents();
    const auto rows = static_cast<std::size_t>(p.transposed ? extents[0] : 1), outputs = static_cast<std::size_t>(p.y_extents[1]);
    const std::size_t filter = all.size() / rows / outputs, first = static_cast<std::size_t>(from) * filter,
                      count = static_cast<std::size_t>(past - from) * filter;
    extents[p.transposed ? 1 : 0] = past - from;
    std::vector<float> some;
    some.reserve(rows * count);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::span<const float> part = all.subspan(row * outputs * filter + first, count);
        some.insert(some.end(), part.begin(), part.end());
    }
    return tensor::of<float>(extents, some);
}

/// Slices that lie in one run of bytes each: of one image, its channels in blocks. (Row-major channels do, too; the library's kernels for
/// them are not those that a plan would choose.)
[[nodiscard]] inline std::vector<onednn_conv_slice> onednn_channel_slices(const onednn_conv::plan& p, const region_view& r,
                                                                          const border_formats& b, int threads) {
    std::vector<onednn_conv_slice> list;
    if (p.y_extents[0] != 1 || p.groups != 1 || b.results[0].order.kind != layout::form::channels_blocked) return list;
    for (const chain_step& s : p.after)
        if (s.kind == chain_step::form::combine && (s.other == p.x || r[s.other].kind == region_value::role::constant)) return list;
    const std::vector<std::int64_t> cuts = slice_cuts(p.y_extents[1], onednn_block(), 2 * onednn_block(), threads);
    std::int64_t places = 1;
    for (std::size_t i = 2; i < p.y_extents.size(); ++i) places *= p.y_extents[i];
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        onednn_conv_slice s{p, onednn_some_outputs(p, cuts[i], cuts[i + 1])};
        if (!s.weights.ok()) return {};
        s.p.y_extents[1] = cuts[i + 1] - cuts[i];
        s.p.first_byte = static_cast<std::size_t>(cuts[i] * places) * sizeof(float);
        s.p.line = p.line.some(cuts[i], cuts[i + 1]);
        list.push_back(std::move(s));
    }
    return list;
}

/// Slices of a transposed convolution whose windows are apart: of each row of the window some columns of its product of matrices.
[[nodiscard]] inline std::vector<onednn_conv_slice> onednn_patch_slices(const onednn_conv::plan& p, int threads) {
    const auto rows = static_cast<int>(p.patch.past_row);
    const std::vector<std::int64_t> cuts = slice_cuts(p.patch.past, 16, 32, (threads + rows - 1) / rows);
    std::vector<onednn_conv_slice> list;
    for (std::int64_t row = 0; row < p.patch.past_row; ++row)
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            onednn_conv_slice s{p, {}};
            s.p.patch = {row, row + 1, cuts[i], cuts[i + 1]};
            list.push_back(std::move(s));
        }
    return list;
}

/// One form of a convolution as a family for `onednn_sliced_entry`.
template <onednn_conv_form Form>
struct onednn_sliced_convolution : onednn_convolution<Form> {
    [[nodiscard]] static std::vector<onednn_conv_slice> slices(const onednn_conv::plan& p, const region_view& r, const border_formats& b,
                                                               int threads) {
        if constexpr (Form == onednn_conv_form::product)
            return p.transposed ? onednn_patch_slices(p, threads) : std::vector<onednn_conv_slice>{};
        else
            return onednn_channel_slices(p, r, b, threads);
    }
};

}  // namespace inlay::detail

#endif
