// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_NORMALIZATION_HPP
#define INLAY_BACKEND_REFERENCE_NORMALIZATION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/loops/channel_window.hpp>

namespace inlay::detail::on_eigen {

/// Scale and shift per channel that a batch normalisation stands for: `scale / sqrt(variance + epsilon)`, `bias - mean scale'`.
inline void batch_normalization_affine(std::size_t channels, const float* scale, const float* bias, const float* mean,
                                       const float* variance, float epsilon, float* out_scale, float* out_shift) {
    for (std::size_t i = 0; i < channels; ++i) {
        out_scale[i] = scale[i] / std::sqrt(variance[i] + epsilon);
        out_shift[i] = bias[i] - mean[i] * out_scale[i];
    }
}

[[nodiscard]] inline std::string refuse_batch_normalization(const call_site& c) {
    if (c.results.size() > 1 || read<batch_normalization_attributes>(*c.attributes).training_mode)
        return "the normalisation is in training mode";
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    return c.in(0).rank() < 2 ? "the operand has no channels" : std::string();
}
[[nodiscard]] inline kernel make_batch_normalization(const call_site& c) {
    const extents& shape = c.in(0).shape;
    const std::int64_t channels = shape[1], planes = shape[0] * channels, size = product(shape, 2, shape.size());
    const auto epsilon = static_cast<float>(read<batch_normalization_attributes>(*c.attributes).epsilon);
    return kernel_of(
        [=](const run_arguments& a) {
            auto* scale = reinterpret_cast<float*>(a.workspace);
            float* shift = scale + channels;
            batch_normalization_affine(static_cast<std::size_t>(channels), input<float>(a, 1), input<float>(a, 2), input<float>(a, 3),
                                       input<float>(a, 4), epsilon, scale, shift);
            in_chunks(a.executor, planes, grain_of(size), [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t p = begin; p < end; ++p)
                    map_lanes(size, result<float>(a) + p * size, input<float>(a, 0) + p * size,
                              [s = scale[p % channels], t = shift[p % channels]](const lanes& v) { return lanes(v * s + t); });
            });
        },
        2 * static_cast<std::size_t>(channels) * sizeof(float));
}

/// Mean and inverse deviation of n elements; the squares are summed around the mean.
struct row_moments {
    float mean = 0, inverse_deviation = 1;

    row_moments(const float* x, std::int64_t n, float epsilon) {
        const Eigen::Map<const Eigen::ArrayXf> row(x, n);
        mean = n == 0 ? 0.0f : row.sum() / static_cast<float>(n);
        const float variance = n == 0 ? 0.0f : (row - mean).square().sum() / static_cast<float>(n);
        inverse_deviation = 1.0f / std::sqrt(variance + epsilon);
    }
};

/// Rows of n elements normalised, then times `scale` plus `bias` (null for none), which go along the row.
inline void normalize_rows(const executor_ref& executor, std::int64_t rows, std::int64_t n, float epsilon, float* out, const float* x,
                           const float* scale, const float* bias) {
    in_chunks(executor, rows, grain_of(2 * n), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            const row_moments m(x + r * n, n, epsilon);
            const auto normal = [m](const lanes& v) { return lanes((v - m.mean) * m.inverse_deviation); };
            float* to = out + r * n;
            if (scale != nullptr)
                map_lanes(n, to, x + r * n, scale, [normal](const lanes& v, const lanes& s) { return lanes(normal(v) * s); });
            else
                map_lanes(n, to, x + r * n, normal);
            if (bias != nullptr) map_lanes(n, to, to, bias, [](const lanes& v, const lanes& b) { return lanes(v + b); });
        }
    });
}

[[nodiscard]] inline std::string refuse_layer_normalization(const call_site& c) {
    if (c.results.size() > 1) return "the mean or the deviation is wanted; the kernel gives none";
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    const std::int64_t axis = read<layer_normalization_attributes>(*c.attributes).axis;
    if (!is_axis(axis, c.in(0).rank())) return "the axis lies outside of the rank";
    const axis_set row = axis_set::range(axis_of(axis, c.in(0).rank()), c.in(0).rank());
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        if (i == 2 && !c.has(2)) continue;
        const auto beside = broadcast_operand::of(c.in(i).shape, c.in(0).shape);
        if (!beside || !beside->is_one_for_each_of(row)) return "scale or bias is stretched; the kernel takes one per element of a row";
    }
    return {};
}
[[nodiscard]] inline kernel make_layer_normalization(const call_site& c) {
    const extents& shape = c.in(0).shape;
    const std::size_t axis = axis_of(read<layer_normalization_attributes>(*c.attributes).axis, shape.size());
    const std::int64_t rows = product(shape, 0, axis), n = product(shape, axis, shape.size());
    const auto epsilon = static_cast<float>(read<layer_normalization_attributes>(*c.attributes).epsilon);
    return kernel_of([=, has_bias = c.has(2)](const run_arguments& a) {
        normalize_rows(a.executor, rows, n, epsilon, result<float>(a), input<float>(a, 0), input<float>(a, 1),
                       has_bias ? input<float>(a, 2) : nullptr);
    });
}

[[nodiscard]] inline kernel make_instance_normalization(const call_site& c) {
    const extents& shape = c.in(0).shape;
    const std::int64_t channels = shape[1], planes = shape[0] * channels, size = product(shape, 2, shape.size());
    const auto epsilon = static_cast<float>(read<instance_normalization_attributes>(*c.attributes).epsilon);
    return kernel_of([=](const run_arguments& a) {
        in_chunks(a.executor, planes, grain_of(2 * size), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                const row_moments m(input<float>(a, 0) + p * size, size, epsilon);
                const float scale = input<float>(a, 1)[p % channels] * m.inverse_deviation, shift = input<float>(a, 2)[p % channels];
                map_lanes(size, result<float>(a) + p * size, input<float>(a, 0) + p * size,
                          [=](const lanes& v) { return lanes((v - m.mean) * scale + shift); });
            }
        });
    });
}

/// `x / (bias + alpha / size * sum of squares over `size` neighbouring channels) ^ beta`, pixels side by side in lanes.
[[nodiscard]] inline kernel make_local_response(const call_site& c) {
    const extents& shape = c.in(0).shape;
    const std::int64_t batch = shape[0], channels = shape[1], plane = product(shape, 2, shape.size());
    const std::int64_t size = read<lrn_attributes>(*c.attributes).size;
    const channel_window window = channel_window::of(size, channels);
    const auto share = static_cast<float>(read<lrn_attributes>(*c.attributes).alpha / static_cast<double>(size));
    const auto beta = static_cast<float>(read<lrn_attributes>(*c.attributes).beta),
               bias = static_cast<float>(read<lrn_attributes>(*c.attributes).bias);
    return kernel_of([=](const run_arguments& a) {
        const auto damp = [=](const lanes& squares) {
            const lanes t = squares * share + bias;
            // Three quarters, the usual exponent, is two square roots.
            if (beta == 0.75f) {
                const lanes root = t.sqrt();
                return lanes(1.0f / (root * root.sqrt()));
            }
            return lanes((t.log() * -beta).exp());
        };
        in_chunks(a.executor, batch * channels, grain_of(plane * window.taps()), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                const std::int64_t channel = p % channels, first = std::max<std::int64_t>(0, channel - window.before),
                                   last = std::min(channels - 1, channel + window.after);
                const float* image = input<float>(a, 0) + (p - channel) * plane;
                float* out = result<float>(a) + p * plane;
                for (std::int64_t i = 0; i < plane; i += lane_count) {
                    const std::int64_t n = std::min(lane_count, plane - i);
                    const auto read = [&](std::int64_t from) {
                        return n == lane_count ? load(image + from * plane + i) : load_part(image + from * plane + i, n);
                    };
                    lanes squares = lanes::Zero();
                    for (std::int64_t k = first; k <= last; ++k) {
                        const lanes v = read(k);
                        squares += v * v;
                    }
                    const lanes done = read(channel) * damp(squares);
                    if (n == lane_count)
                        store(out + i, done);
                    else
                        store_part(out + i, done, n);
                }
            }
        });
    });
}

[[nodiscard]] inline std::string refuse_planes(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    return c.in(0).rank() < 2 ? "the operand has no channels" : std::string();
}

/// Normalisations of float32.
inline constexpr operator_entry normalization_operators[] = {
    {"onnx.BatchNormalization", refuse_batch_normalization, make_batch_normalization},
    {"onnx.LayerNormalization", refuse_layer_normalization, make_layer_normalization},
    {"onnx.InstanceNormalization", refuse_planes, make_instance_normalization},
    {"onnx.LRN", refuse_planes, make_local_response},
};

}  // namespace inlay::detail::on_eigen

#endif
