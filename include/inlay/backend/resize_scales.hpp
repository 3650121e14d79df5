// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_RESIZE_SCALES_HPP
#define INLAY_BACKEND_RESIZE_SCALES_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// Whether the scales of an `onnx.Resize` from extents x to y, where they are given, are the ratios of the extents: the operator divides
/// coordinates by its scales, libraries divide by the ratios. Error: scales that are no float32 constant, or lead to a part of a place.
[[nodiscard]] inline outcome<void> check_resize_scales(const region_view& r, const region_value& call, const std::vector<std::int64_t>& x,
                                                       const std::vector<std::int64_t>& y) {
    if (!r.has_operand(call, 2)) return {};
    const tensor* scales = float_constant(r, call.operands[2]);
    if (scales == nullptr) return error{"the scales of Resize are no float32 constant"};
    if (scales->count() == 0) return {};
    if (scales->count() != x.size()) return error{"Resize has scales for " + std::to_string(scales->count()) + " axes"};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = static_cast<double>(x[i]) * static_cast<double>(scales->as<float>()[i]);
        if (!(std::abs(exact - static_cast<double>(y[i])) <= 1e-4))
            return error{"Resize scales axis " + std::to_string(i) + " to " + std::to_string(exact) + " and cuts it to " +
                         std::to_string(y[i])};
    }
    return {};
}

}  // namespace inlay::detail

#endif
