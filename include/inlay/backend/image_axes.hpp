// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_IMAGE_AXES_HPP
#define INLAY_BACKEND_IMAGE_AXES_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/loops/window.hpp>

namespace inlay::detail {

/// The axes of an image under a window; a row alone has one place along y.
struct image_axes {
    tap_axis y, x;
};

/// The window of a convolution or pooling over operand 0, axis by axis; extents of `kernel` that are -1 are those of the call's
/// attributes. The error says what is wrong with the attributes, or that the image has not one or two axes.
[[nodiscard]] inline outcome<image_axes> image_axes_of(const region_view& r, const region_value& call, std::vector<std::int64_t> kernel) {
    if (!call.type->is_tensor()) return error{"a call of several outputs is no layer"};
    const std::vector<std::int64_t> in = static_shape(r.type(call.operands[0])), out = static_shape(call.type->of_tensor);
    if (in.size() != 3 && in.size() != 4) return error{"only windows of one or two axes are computed"};
    return with_call_view(r, call, [&](const call_view& seen) -> outcome<image_axes> {
        const auto windows = windows_of(seen, std::move(kernel));
        if (!windows) return windows.failure();
        std::vector<tap_axis> axes;
        for (std::size_t i = 0; i + 2 < in.size(); ++i) {
            const window w = padded_window(windows->axes[i], windows->mode, in[2 + i], out[2 + i]);
            axes.push_back({in[2 + i], out[2 + i], w.kernel, w.stride, w.dilation, w.before});
        }
        return image_axes{axes.size() == 2 ? axes[0] : tap_axis{}, axes.back()};
    });
}

}  // namespace inlay::detail

#endif
