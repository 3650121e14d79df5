// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_SPATIAL_WINDOW_HPP
#define INLAY_BACKEND_SPATIAL_WINDOW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>

namespace inlay::detail {

/// How a window of a convolution or pooling moves over the spatial axes, one number per axis. Dilations count from 1.
struct spatial_window {
    std::vector<std::int64_t> kernel, strides, dilations;
    std::vector<std::int64_t> begin, end;  // places added before and after the input; of a transposed window, cut off the result

    /// A window of these extents that moves by one place, without gaps and pads.
    [[nodiscard]] static spatial_window over(std::vector<std::int64_t> extents) {
        const std::vector<std::int64_t> ones(extents.size(), 1), none(extents.size(), 0);
        return {std::move(extents), ones, ones, none, none};
    }

    /// How many places of the input the window spans along an axis.
    [[nodiscard]] std::int64_t span(std::size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
    [[nodiscard]] bool is_one_place() const {
        return std::all_of(kernel.begin(), kernel.end(), [](std::int64_t n) { return n == 1; });
    }
    [[nodiscard]] bool has_pads() const {
        const auto some = [](std::int64_t n) { return n != 0; };
        return std::any_of(begin.begin(), begin.end(), some) || std::any_of(end.begin(), end.end(), some);
    }
};

/// Strides, dilations and explicit pads off the attributes of a convolution or pooling. Error: numbers that are not given for every
/// axis, or are out of range.
[[nodiscard]] inline outcome<spatial_window> read_spatial_window(const attribute_map& attributes, const std::vector<std::int64_t>& kernel) {
    constexpr std::int64_t most = 1 << 24;
    const std::size_t axes = kernel.size();
    spatial_window w = spatial_window::over(kernel);
    w.strides = attributes.integers("strides", w.strides);
    w.dilations = attributes.integers("dilations", w.dilations);
    const std::vector<std::int64_t> pads = attributes.integers("pads", std::vector<std::int64_t>(2 * axes, 0));
    if (w.strides.size() != axes || w.dilations.size() != axes || pads.size() != 2 * axes)
        return error{"strides, dilations or pads are not given for " + std::to_string(axes) + " axes"};
    for (std::size_t i = 0; i < axes; ++i) {
        w.begin[i] = pads[i];
        w.end[i] = pads[axes + i];
        const auto sane = [&](std::int64_t n, std::int64_t least) { return n >= least && n < most; };
        if (!sane(kernel[i], 1) || !sane(w.strides[i], 1) || !sane(w.dilations[i], 1) || !sane(w.begin[i], 0) || !sane(w.end[i], 0))
            return error{"window " + std::to_string(kernel[i]) + ", stride " + std::to_string(w.strides[i]) + ", dilation " +
                         std::to_string(w.dilations[i]) + " or pads " + std::to_string(w.begin[i]) + " and " + std::to_string(w.end[i]) +
                         " of spatial axis " + std::to_string(i) + " are out of range"};
    }
    return w;
}

/// The error where a window of so many axes does not fit tensors x and y, extents N C and the spatial axes.
[[nodiscard]] inline outcome<void> check_window_rank(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& y,
                                                     const std::vector<std::int64_t>& kernel) {
    if (x.size() == kernel.size() + 2 && y.size() == x.size()) return {};
    return error{"a window of " + std::to_string(kernel.size()) + " axes leads from a tensor of rank " + std::to_string(x.size()) +
                 " to one of rank " + std::to_string(y.size())};
}

/// The window of a convolution or pooling from extents x to y, its automatic pads resolved. Where `ceiling`, a last place that is only
/// partly inside counts, and the pad at the end is what is needed for it. Error: a window that does not lead from x to y.
[[nodiscard]] inline outcome<spatial_window> window_between(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                            const std::vector<std::int64_t>& y, const std::vector<std::int64_t>& kernel,
                                                            bool ceiling) {
    if (auto fine = check_window_rank(x, y, kernel); !fine) return fine.failure();
    auto made = read_spatial_window(attributes, kernel);
    if (!made) return made;
    spatial_window& w = *made;
    const std::string_view automatic = attributes.text("auto_pad", "NOTSET");
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const std::int64_t in = x[i + 2], out = y[i + 2];
        const std::int64_t needed = (out - 1) * w.strides[i] + w.span(i) - in;
        if (automatic == "VALID") w.begin[i] = w.end[i] = 0;
        if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
            const std::int64_t total = std::max<std::int64_t>(needed, 0);
            w.begin[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
            w.end[i] = total - w.begin[i];
        }
        if (ceiling && needed > w.begin[i] + w.end[i]) w.end[i] = needed - w.begin[i];
        const std::int64_t room = in + w.begin[i] + w.end[i] - w.span(i);
        if (room < 0 || room / w.strides[i] + 1 != out)
            return error{"spatial axis " + std::to_string(i) + " of " + std::to_string(in) + " does not become " + std::to_string(out) +
                         " under this window"};
    }
    return made;
}

/// The window of a transposed convolution from extents x to y: what the result leaves over is cut off at the end, where a negative number
/// says how many places are added. Error: a negative number at the beginning, or as many places added as a stride has.
[[nodiscard]] inline outcome<spatial_window> transposed_window_between(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                                       const std::vector<std::int64_t>& y,
                                                                       const std::vector<std::int64_t>& kernel) {
    if (auto fine = check_window_rank(x, y, kernel); !fine) return fine.failure();
    auto made = read_spatial_window(attributes, kernel);
    if (!made) return made;
    spatial_window& w = *made;
    const std::string_view automatic = attributes.text("auto_pad", "NOTSET");
    const std::vector<std::int64_t> extra = attributes.integers("output_padding", std::vector<std::int64_t>(kernel.size(), 0));
    const bool chosen = attributes.get<std::vector<std::int64_t>>("output_shape") != nullptr;
    if (extra.size() != kernel.size()) return error{"output_padding is not given for " + std::to_string(kernel.size()) + " axes"};
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const std::int64_t full = (x[i + 2] - 1) * w.strides[i] + w.span(i);
        const std::int64_t total = full + extra[i] - y[i + 2];
        if (automatic != "NOTSET" || chosen) w.begin[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
        if (automatic == "VALID") w.begin[i] = 0;
        w.end[i] = full - y[i + 2] - w.begin[i];
        if (w.begin[i] < 0 || w.end[i] + w.strides[i] <= 0)
            return error{"spatial axis " + std::to_string(i) + " has pads of " + std::to_string(w.begin[i]) + " and " +
                         std::to_string(w.end[i]) +
                         ", where the library takes none at the beginning below 0 and at the end fewer places "
                         "more than the stride's " +
                         std::to_string(w.strides[i])};
    }
    return made;
}

}  // namespace inlay::detail

#endif
