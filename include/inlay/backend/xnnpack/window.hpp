// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_WINDOW_HPP
#define INLAY_BACKEND_XNNPACK_WINDOW_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// How a window moves over the rows (axis 0) and columns (axis 1) of an image. Dilations count from 1.
struct xnnpack_window {
    std::array<std::int64_t, 2> kernel{}, stride{}, dilation{}, begin{}, end{};
    std::array<std::int64_t, 2> adjustment{};  // places that a transposed convolution adds at the end

    /// How many places of the input the window spans along an axis.
    [[nodiscard]] std::int64_t span(std::size_t axis) const { return (kernel[axis] - 1) * dilation[axis] + 1; }
    [[nodiscard]] bool has_pads() const { return begin[0] + begin[1] + end[0] + end[1] != 0; }
    [[nodiscard]] bool is_one_place() const { return kernel[0] == 1 && kernel[1] == 1; }
};

/// The number in the type that the library's parameters have. Precondition: it was checked to be in range.
[[nodiscard]] constexpr std::uint32_t xnnpack_number(std::int64_t n) { return static_cast<std::uint32_t>(n); }

/// Kernel, strides, dilations and explicit pads off the attributes of a convolution or pooling over two axes.
[[nodiscard]] inline outcome<xnnpack_window> xnnpack_window_attributes(const attribute_map& attributes,
                                                                       const std::vector<std::int64_t>& kernel) {
    constexpr std::int64_t most = 1 << 24;
    if (kernel.size() != 2) return error{"the window has " + std::to_string(kernel.size()) + " axes; the library takes 2"};
    const auto strides = attributes.integers("strides", {1, 1}), dilations = attributes.integers("dilations", {1, 1}),
               pads = attributes.integers("pads", {0, 0, 0, 0});
    if (strides.size() != 2 || dilations.size() != 2 || pads.size() != 4)
        return error{"strides, dilations or pads are not given for 2 axes"};
    xnnpack_window w;
    for (std::size_t i = 0; i < 2; ++i) {
        w.kernel[i] = kernel[i];
        w.stride[i] = strides[i];
        w.dilation[i] = dilations[i];
        w.begin[i] = pads[i];
        w.end[i] = pads[2 + i];
        const auto sane = [&](std::int64_t n, std::int64_t least) { return n >= least && n < most; };
        if (!sane(w.kernel[i], 1) || !sane(w.stride[i], 1) || !sane(w.dilation[i], 1) || !sane(w.begin[i], 0) || !sane(w.end[i], 0))
            return error{"window " + std::to_string(w.kernel[i]) + ", stride " + std::to_string(w.stride[i]) + ", dilation " +
                         std::to_string(w.dilation[i]) + " or pads " + std::to_string(w.begin[i]) + " and " + std::to_string(w.end[i]) +
                         " of spatial axis " + std::to_string(i) + " are out of range"};
    }
    return w;
}

/// The window of a convolution or pooling from images x to y (extents N C H W), automatic pads resolved. Where `ceiling`, a last place that
/// is only partly inside counts, and the pad at the end is what is needed for it.
[[nodiscard]] inline outcome<xnnpack_window> xnnpack_window_of(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                               const std::vector<std::int64_t>& y, const std::vector<std::int64_t>& kernel,
                                                               bool ceiling) {
    auto made = xnnpack_window_attributes(attributes, kernel);
    if (!made) return made;
    xnnpack_window& w = *made;
    const std::string_view automatic = attributes.text("auto_pad", "NOTSET");
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t in = x[i + 2], out = y[i + 2];
        const std::int64_t needed = (out - 1) * w.stride[i] + w.span(i) - in;
        if (automatic == "VALID") w.begin[i] = w.end[i] = 0;
        if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
            const std::int64_t total = std::max<std::int64_t>(needed, 0);
            w.begin[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
            w.end[i] = total - w.begin[i];
        }
        if (ceiling && needed > w.begin[i] + w.end[i]) w.end[i] = needed - w.begin[i];
        const std::int64_t room = in + w.begin[i] + w.end[i] - w.span(i);
        if (room < 0 || room / w.stride[i] + 1 != out)
            return error{"spatial axis " + std::to_string(i) + " of " + std::to_string(in) + " does not become " + std::to_string(out) +
                         " under this window"};
    }
    return made;
}

/// The window of a transposed convolution from images x to y: pads are what is cut off, the adjustment what is added at the end.
[[nodiscard]] inline outcome<xnnpack_window> xnnpack_transposed_window(const attribute_map& attributes, const std::vector<std::int64_t>& x,
                                                                       const std::vector<std::int64_t>& y,
                                                                       const std::vector<std::int64_t>& kernel) {
    auto made = xnnpack_window_attributes(attributes, kernel);
    if (!made) return made;
    xnnpack_window& w = *made;
    const std::string_view automatic = attributes.text("auto_pad", "NOTSET");
    const std::vector<std::int64_t> extra = attributes.integers("output_padding", {0, 0});
    const bool chosen = attributes.get<std::vector<std::int64_t>>("output_shape") != nullptr;
    if (extra.size() != 2) return error{"output_padding is not given for 2 axes"};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t full = (x[i + 2] - 1) * w.stride[i] + w.span(i);
        const std::int64_t total = full + extra[i] - y[i + 2];
        if (automatic != "NOTSET" || chosen) w.begin[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
        if (automatic == "VALID") w.begin[i] = 0;
        w.end[i] = full - y[i + 2] - w.begin[i];
        if (w.end[i] < 0) {
            w.adjustment[i] = -w.end[i];
            w.end[i] = 0;
        }
        if (w.begin[i] < 0 || w.adjustment[i] >= w.stride[i])
            return error{"spatial axis " + std::to_string(i) + " begins " + std::to_string(w.begin[i]) + " places in and has " +
                         std::to_string(w.adjustment[i]) + " places more at the end, where the library takes fewer than the stride's " +
                         std::to_string(w.stride[i])};
    }
    return made;
}

}  // namespace inlay::detail

#endif
