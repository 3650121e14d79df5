// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_SPATIAL_WINDOW_HPP
#define INLAY_BACKEND_SPATIAL_WINDOW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/loops/window.hpp>

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
    /// What some of the results along an axis of so many inputs read: where that begins, how much it is, and which pads it has.
    struct part {
        std::int64_t first, count, begin, end;
    };
    [[nodiscard]] part read_by(std::size_t axis, std::int64_t from, std::int64_t past, std::int64_t inputs) const {
        const std::int64_t lowest = from * strides[axis] - begin[axis], highest = (past - 1) * strides[axis] + span(axis) - begin[axis];
        const std::int64_t first = std::clamp<std::int64_t>(lowest, 0, inputs), last = std::clamp(highest, first, inputs);
        return {first, last - first, first - lowest, highest - last};
    }
    [[nodiscard]] bool is_one_place() const {
        return std::all_of(kernel.begin(), kernel.end(), [](std::int64_t n) { return n == 1; });
    }
    [[nodiscard]] bool has_pads() const {
        const auto some = [](std::int64_t n) { return n != 0; };
        return std::any_of(begin.begin(), begin.end(), some) || std::any_of(end.begin(), end.end(), some);
    }
};

/// What `windows_of` reads off the attributes of a convolution or pooling, within what libraries take. Error: numbers that are not given
/// for every axis, or are out of range.
[[nodiscard]] inline outcome<window_set> library_windows(const attribute_map& attributes, const std::vector<std::int64_t>& kernel) {
    constexpr std::int64_t most = 1 << 24;
    call_view call;
    call.op = "the window";
    call.attributes = &attributes;
    auto set = windows_of(call, kernel);
    if (!set) return set;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const window& w = set->axes[i];
        if (w.kernel < 1 || w.kernel >= most || w.stride >= most || w.dilation >= most || w.before >= most || w.after >= most)
            return error{"window " + std::to_string(w.kernel) + ", stride " + std::to_string(w.stride) + ", dilation " +
                         std::to_string(w.dilation) + " or pads " + std::to_string(w.before) + " and " + std::to_string(w.after) +
                         " of spatial axis " + std::to_string(i) + " are out of range"};
    }
    return set;
}

/// A set of windows, its pads as they are given, axis by axis.
[[nodiscard]] inline spatial_window spatial_window_of(const window_set& set) {
    spatial_window made;
    for (const window& w : set.axes) {
        made.kernel.push_back(w.kernel);
        made.strides.push_back(w.stride);
        made.dilations.push_back(w.dilation);
        made.begin.push_back(w.before);
        made.end.push_back(w.after);
    }
    return made;
}

/// Strides, dilations and explicit pads off the attributes of a convolution or pooling. Error: as `library_windows`.
[[nodiscard]] inline outcome<spatial_window> read_spatial_window(const attribute_map& attributes, const std::vector<std::int64_t>& kernel) {
    const auto set = library_windows(attributes, kernel);
    if (!set) return set.failure();
    return spatial_window_of(*set);
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
    auto set = library_windows(attributes, kernel);
    if (!set) return set.failure();
    for (std::size_t i = 0; i < kernel.size(); ++i) set->axes[i] = padded_window(set->axes[i], set->mode, x[i + 2], y[i + 2]);
    spatial_window w = spatial_window_of(*set);
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const std::int64_t in = x[i + 2], out = y[i + 2];
        const std::int64_t needed = (out - 1) * w.strides[i] + w.span(i) - in;
        if (ceiling && needed > w.begin[i] + w.end[i]) w.end[i] = needed - w.begin[i];
        const std::int64_t room = in + w.begin[i] + w.end[i] - w.span(i);
        if (room < 0 || room / w.strides[i] + 1 != out)
            return error{"spatial axis " + std::to_string(i) + " of " + std::to_string(in) + " does not become " + std::to_string(out) +
                         " under this window"};
    }
    return w;
}

/// The window of a transposed convolution from extents x to y: what the result leaves over is cut off at the end, where a negative number
/// says how many places are added. Error: a negative number at the beginning, or as many places added as a stride has.
[[nodiscard]] inline outcome<spatial_window> transposed_window_between(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                                       const std::vector<std::int64_t>& y,
                                                                       const std::vector<std::int64_t>& kernel) {
    if (auto fine = check_window_rank(x, y, kernel); !fine) return fine.failure();
    const auto set = library_windows(attributes, kernel);
    if (!set) return set.failure();
    spatial_window w = spatial_window_of(*set);
    const conv_transpose_attributes given = read<conv_transpose_attributes>(attributes);
    const axis_numbers<0> extra = given.output_padding;
    if (!extra.given.empty() && extra.given.size() != kernel.size())
        return error{"output_padding is not given for " + std::to_string(kernel.size()) + " axes"};
    // The pads at the beginning follow from the result's extents.
    const bool chosen = set->mode != padding_mode::given || given.output_shape.has_value();
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const std::int64_t full = (x[i + 2] - 1) * w.strides[i] + w.span(i);
        const std::int64_t total = full + extra[i] - y[i + 2];
        if (chosen) w.begin[i] = set->mode == padding_mode::same_upper ? total / 2 : total - total / 2;
        if (set->mode == padding_mode::none) w.begin[i] = 0;
        w.end[i] = full - y[i + 2] - w.begin[i];
        if (w.begin[i] < 0 || w.end[i] + w.strides[i] <= 0)
            return error{"spatial axis " + std::to_string(i) + " has pads of " + std::to_string(w.begin[i]) + " and " +
                         std::to_string(w.end[i]) +
                         ", where the library takes none at the beginning below 0 and at the end fewer places "
                         "more than the stride's " +
                         std::to_string(w.strides[i])};
    }
    return w;
}

}  // namespace inlay::detail

#endif
