// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_SOFTMAX_HPP
#define INLAY_BACKEND_REFERENCE_SOFTMAX_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>

namespace inlay::detail::on_eigen {

/// One row of n neighbouring elements.
template <bool Logarithm>
void softmax_row(float* out, const float* x, std::int64_t n) {
    // A NaN may be lost in the largest; it comes back in the sum.
    const float top = Eigen::Map<const Eigen::ArrayXf>(x, n).maxCoeff();
    map_lanes(n, out, x, [top](const lanes& v) { return lanes((v - top).exp()); });
    const float sum = Eigen::Map<const Eigen::ArrayXf>(out, n).sum();
    if constexpr (Logarithm)
        map_lanes(n, out, x, [less = top + std::log(sum)](const lanes& v) { return lanes(v - less); });
    else
        map_lanes(n, out, out, [share = 1.0f / sum](const lanes& v) { return lanes(v * share); });
}

/// Up to sixteen neighbouring columns of n elements, `step` apart.
template <bool Logarithm>
void softmax_columns(float* out, const float* x, std::int64_t n, std::int64_t step, std::int64_t columns) {
    const auto read = [columns](const float* from) { return columns == lane_count ? load(from) : load_part(from, columns); };
    const auto write = [columns](float* to, const lanes& v) {
        if (columns == lane_count)
            store(to, v);
        else
            store_part(to, v, columns);
    };
    lanes top = lanes::Constant(-std::numeric_limits<float>::infinity()), sum = lanes::Zero();
    for (std::int64_t i = 0; i < n; ++i) top = larger(top, read(x + i * step));
    for (std::int64_t i = 0; i < n; ++i) {
        const lanes e = (read(x + i * step) - top).exp();
        sum += e;
        if constexpr (!Logarithm) write(out + i * step, e);
    }
    const lanes last = Logarithm ? lanes(top + sum.log()) : lanes(1.0f / sum);
    for (std::int64_t i = 0; i < n; ++i) {
        if constexpr (Logarithm)
            write(out + i * step, read(x + i * step) - last);
        else
            write(out + i * step, read(out + i * step) * last);
    }
}

[[nodiscard]] inline std::string refuse_softmax(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    return is_axis(read<softmax_attributes>(*c.attributes).axis, c.in(0).rank()) ? std::string() : "the axis lies outside of the rank";
}
template <bool Logarithm>
[[nodiscard]] kernel make_softmax(const call_site& c) {
    const extents& shape = c.in(0).shape;
    const std::size_t axis = axis_of(read<softmax_attributes>(*c.attributes).axis, shape.size());
    const std::int64_t outer = product(shape, 0, axis), n = shape[axis], inner = product(shape, axis + 1, shape.size());
    if (outer * n * inner == 0) return kernel_of([](const run_arguments&) {});
    if (inner == 1)
        return kernel_of([=](const run_arguments& a) {
            in_chunks(a.executor, outer, grain_of(4 * n), [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t r = begin; r < end; ++r) softmax_row<Logarithm>(result<float>(a) + r * n, input<float>(a, 0) + r * n, n);
            });
        });
    const std::int64_t strips = (inner + lane_count - 1) / lane_count;
    return kernel_of([=](const run_arguments& a) {
        in_chunks(a.executor, outer * strips, grain_of(4 * n * lane_count), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t s = begin; s < end; ++s) {
                const std::int64_t column = s % strips * lane_count, at = s / strips * n * inner + column;
                softmax_columns<Logarithm>(result<float>(a) + at, input<float>(a, 0) + at, n, inner, std::min(lane_count, inner - column));
            }
        });
    });
}

/// Softmax and its logarithm along one axis, of float32.
inline constexpr operator_entry softmax_operators[] = {
    {"onnx.Softmax", refuse_softmax, make_softmax<false>},
    {"onnx.LogSoftmax", refuse_softmax, make_softmax<true>},
};

}  // namespace inlay::detail::on_eigen

#endif
