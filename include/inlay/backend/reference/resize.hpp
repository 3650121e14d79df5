// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_RESIZE_HPP
#define INLAY_BACKEND_REFERENCE_RESIZE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/resize_taps.hpp>
#include <inlay/ops/onnx/resize.hpp>

namespace inlay::detail::on_eigen {

/// Where the outputs along one axis come from: for each, the lower of two inputs, the upper, and the upper's weight.
struct resize_axis {
    std::vector<std::int64_t> lower, upper;
    std::vector<float> weight;
};

/// The scale of an axis as the call gives it: a number, or the quotient of the extents.
[[nodiscard]] inline double resize_scale(const call_site& c, std::size_t axis) {
    if (c.known(2) && c.in(2).value.count() == c.in(0).rank()) return static_cast<double>(c.in(2).value.as<float>()[axis]);
    return static_cast<double>(c.out().shape[axis]) / static_cast<double>(c.in(0).shape[axis]);
}

[[nodiscard]] inline resize_axis resize_axis_of(const call_site& c, std::size_t axis) {
    call_view call;
    call.op = c.op;
    call.attributes = c.attributes;
    const auto rule = resize_rule_of(call);
    resized_axis a;
    a.in = c.in(0).shape[axis];
    a.out = c.out().shape[axis];
    a.scale = resize_scale(c, axis);
    a.by_scale = c.known(2) && c.in(2).value.count() == c.in(0).rank();
    resize_axis r;
    if (!rule) return r;
    for (const resize_tap& tap : resize_taps(a, *rule)) {
        r.lower.push_back(tap.at.front());
        r.upper.push_back(tap.at.back());
        r.weight.push_back(tap.at.size() == 1 ? 0.0f : static_cast<float>(tap.weight.back()));
    }
    return r;
}

[[nodiscard]] inline std::string refuse_resize(const call_site& c) {
    if (auto why = refuse_unless(c.in(0), element_type::float32, "the operand"); !why.empty()) return why;
    const std::string_view mode = read<resize_attributes>(*c.attributes).mode,
                           rule = read<resize_attributes>(*c.attributes).coordinate_transformation_mode;
    if (mode != "nearest" && mode != "linear") return "the mode is " + std::string(mode) + "; the kernel takes nearest and linear";
    if (rule != "half_pixel" && rule != "asymmetric" && rule != "align_corners" && rule != "pytorch_half_pixel")
        return "the coordinates are " + std::string(rule) +
               "; the kernel takes half_pixel, pytorch_half_pixel, asymmetric and align_corners";
    if (read<resize_attributes>(*c.attributes).antialias) return "the result is to be smoothed (antialias)";
    if (read<resize_attributes>(*c.attributes).axes) return "axes are named; the kernel takes a scale or size for each";
    if (read<resize_attributes>(*c.attributes).keep_aspect_ratio_policy != "stretch") return "the aspect ratio is to be kept";
    if ((c.has(2) && !c.known(2)) || (c.has(2) && c.in(2).element != element_type::float32))
        return "the scales are not known before the run";
    const std::size_t rank = c.in(0).rank();
    if (rank < 2 || c.out().rank() != rank) return "the rank is below 2";
    if (c.in(0).count() == 0) return "the operand is empty";
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if (c.in(0).shape[i] != c.out().shape[i] || resize_scale(c, i) != 1.0) return "more than the last two axes are resized";
    return {};
}

[[nodiscard]] inline kernel make_resize(const call_site& c) {
    const bool nearest = read<resize_attributes>(*c.attributes).mode == "nearest";
    const extents &from = c.in(0).shape, &to = c.out().shape;
    const std::size_t rank = from.size();
    const std::int64_t planes = product(from, 0, rank - 2), in_y = from[rank - 2], in_x = from[rank - 1], out_y = to[rank - 2],
                       out_x = to[rank - 1];
    resize_axis y = resize_axis_of(c, rank - 2), x = resize_axis_of(c, rank - 1);
    bool doubles = out_x == 2 * in_x;
    for (std::int64_t i = 0; doubles && i < out_x; ++i) doubles = x.lower[static_cast<std::size_t>(i)] == i / 2;
    if (nearest)
        return kernel_of([=, y = std::move(y), x = std::move(x)](const run_arguments& a) {
            in_chunks(a.executor, planes * out_y, grain_of(out_x), [&](std::int64_t begin, std::int64_t end) {
                const float* before = nullptr;
                for (std::int64_t r = begin; r < end; ++r) {
                    const float* row = input<float>(a, 0) + (r / out_y * in_y + y.lower[static_cast<std::size_t>(r % out_y)]) * in_x;
                    float* out = result<float>(a) + r * out_x;
                    if (row == before) {
                        std::memcpy(out, out - out_x, static_cast<std::size_t>(out_x) * sizeof(float));
                    } else if (doubles) {
                        for (std::int64_t i = 0; i < in_x; ++i) out[2 * i] = out[2 * i + 1] = row[i];
                    } else {
                        const std::int64_t* at = x.lower.data();
                        for (std::int64_t i = 0; i < out_x; ++i) out[i] = row[at[i]];
                    }
                    before = row;
                }
            });
        });
    const std::int64_t line = (in_x + lane_count - 1) / lane_count * lane_count;
    return kernel_of(
        [=, y = std::move(y), x = std::move(x)](const run_arguments& a) {
            in_numbered_chunks(
                a.executor, planes * out_y, grain_of(2 * (in_x + out_x)), [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
                    float* blend = reinterpret_cast<float*>(a.workspace) + static_cast<std::int64_t>(piece) * line;
                    for (std::int64_t r = begin; r < end; ++r) {
                        const auto k = static_cast<std::size_t>(r % out_y);
                        const float* plane = input<float>(a, 0) + r / out_y * in_y * in_x;
                        map_lanes(in_x, blend, plane + y.lower[k] * in_x, plane + y.upper[k] * in_x,
                                  [w = y.weight[k]](const lanes& low, const lanes& high) { return lanes(low + w * (high - low)); });
                        float* out = result<float>(a) + r * out_x;
                        const std::int64_t *lower = x.lower.data(), *upper = x.upper.data();
                        const float* weight = x.weight.data();
                        for (std::int64_t i = 0; i < out_x; ++i) out[i] = blend[lower[i]] + weight[i] * (blend[upper[i]] - blend[lower[i]]);
                    }
                });
        },
        c.threads * static_cast<std::size_t>(line) * sizeof(float));
}

/// Resizing of the last two axes of float32: the nearest element, or between two along each axis.
inline constexpr operator_entry resize_operators[] = {{"onnx.Resize", refuse_resize, make_resize}};

}  // namespace inlay::detail::on_eigen

#endif
