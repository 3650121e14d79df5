// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_WINDOW_HPP
#define INLAY_BACKEND_ONEDNN_WINDOW_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/onednn/memory.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// How a window moves over the spatial axes, one number per axis. Dilations count from 0, as the library has them.
struct onednn_window {
    dnnl::memory::dims kernel, strides, dilations, begin, end;

    [[nodiscard]] bool is_three_by_three() const {
        const auto all = [](const dnnl::memory::dims& d, std::int64_t n) {
            return std::all_of(d.begin(), d.end(), [&](std::int64_t x) { return x == n; });
        };
        return kernel.size() == 2 && all(kernel, 3) && all(strides, 1) && all(dilations, 0);
    }
    /// How many places of the input the window spans along an axis.
    [[nodiscard]] std::int64_t span(std::size_t axis) const { return (kernel[axis] - 1) * (dilations[axis] + 1) + 1; }
};

/// Strides and dilations from the attributes of a convolution or pooling; pads where they are given.
[[nodiscard]] inline outcome<onednn_window> onednn_window_attributes(const attribute_map& attributes,
                                                                     const std::vector<std::int64_t>& kernel) {
    constexpr std::int64_t most = 1 << 24;
    const std::size_t axes = kernel.size();
    onednn_window w;
    w.kernel = kernel;
    w.strides = attributes.integers("strides", std::vector<std::int64_t>(axes, 1));
    w.dilations = attributes.integers("dilations", std::vector<std::int64_t>(axes, 1));
    const std::vector<std::int64_t> pads = attributes.integers("pads", std::vector<std::int64_t>(2 * axes, 0));
    if (w.strides.size() != axes || w.dilations.size() != axes || pads.size() != 2 * axes)
        return error{"strides, dilations or pads are not given for " + std::to_string(axes) + " axes"};
    for (std::size_t i = 0; i < axes; ++i) {
        const auto sane = [&](std::int64_t n, std::int64_t least) { return n >= least && n < most; };
        if (!sane(kernel[i], 1) || !sane(w.strides[i], 1) || !sane(w.dilations[i], 1) || !sane(pads[i], 0) || !sane(pads[axes + i], 0))
            return error{"window, stride, dilation or pads of axis " + std::to_string(i) + " are out of range"};
        w.dilations[i] -= 1;
    }
    w.begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
    w.end.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
    return w;
}

/// The window of a convolution or pooling from x to y, its automatic pads resolved. Where `ceiling`, a last place that is only partly
/// inside counts, and the pad at the end is what the library needs for it.
[[nodiscard]] inline outcome<onednn_window> onednn_window_of(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                             const std::vector<std::int64_t>& y, const std::vector<std::int64_t>& kernel,
                                                             bool ceiling) {
    auto made = onednn_window_attributes(attributes, kernel);
    if (!made) return made;
    onednn_window& w = *made;
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

/// The window of a transposed convolution: what the output's extent leaves over is taken from the pad at the end.
[[nodiscard]] inline outcome<onednn_window> onednn_transposed_window(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                                     const std::vector<std::int64_t>& y,
                                                                     const std::vector<std::int64_t>& kernel) {
    auto made = onednn_window_attributes(attributes, kernel);
    if (!made) return made;
    onednn_window& w = *made;
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
                         std::to_string(w.end[i]) + ", which the library does not take"};
    }
    return made;
}

/// Scale and shift per channel of a batch normalisation with constant statistics: `y = scale * x + shift`.
[[nodiscard]] inline bool onednn_statistics(const region_view& r, const region_value& call, std::size_t channels,
                                            std::vector<double>& scale, std::vector<double>& shift) {
    if (call.operands.size() != 5 || call.attributes->integer("training_mode", 0) != 0 || !call.type->is_tensor()) return false;
    const float* rows[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const region_value& v = r[call.operands[i + 1]];
        if (v.kind != region_value::role::constant || v.value == nullptr || v.value->element() != element_type::float32 ||
            v.value->count() != channels)
            return false;
        rows[i] = v.value->as<float>().data();
    }
    const double epsilon = call.attributes->number("epsilon", 1e-5);
    scale.resize(channels);
    shift.resize(channels);
    for (std::size_t i = 0; i < channels; ++i) {
        const double factor = static_cast<double>(rows[0][i]) / std::sqrt(static_cast<double>(rows[3][i]) + epsilon);
        scale[i] = factor;
        shift[i] = static_cast<double>(rows[1][i]) - static_cast<double>(rows[2][i]) * factor;
    }
    return true;
}

}  // namespace inlay::detail

#endif
