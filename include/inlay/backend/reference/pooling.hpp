// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_POOLING_HPP
#define INLAY_BACKEND_REFERENCE_POOLING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/backend/reference/detail/window.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>

namespace inlay::detail::on_eigen {

/// The largest or the mean of each window of a plane, sixteen outputs at a time.
class window_pooling {
public:
    window_pooling(const call_site& c, bool largest) : largest_(largest), plane_(window(c)), window_(window(c)), buffers_(c.threads) {
        planes_ = c.in(0).shape[0] * c.in(0).shape[1];
        const auto how = read<average_pool_attributes>(*c.attributes);
        const bool count_padding = how.count_include_pad, ceil = how.ceil_mode;
        if (largest) return;
        // How many elements a mean is over is the product of a count per axis.
        counts_x_ = counts(window_.x, count_padding, ceil);
        counts_y_ = counts(window_.y, count_padding, ceil);
        counts_x_.resize(counts_x_.size() + 2 * static_cast<std::size_t>(lane_count), 1.0f);
    }

    [[nodiscard]] std::size_t workspace() const { return buffers_ * static_cast<std::size_t>(plane_.size()) * sizeof(float); }

    void operator()(const run_arguments& a) const {
        const sliding &y = window_.y, &x = window_.x;
        in_numbered_chunks(a.executor, planes_, grain_of(y.out * x.out * y.taps * x.taps / 4),
                           [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
                               float* plane = reinterpret_cast<float*>(a.workspace) + static_cast<std::int64_t>(piece) * plane_.size();
                               for (std::int64_t p = begin; p < end; ++p) {
                                   plane_.fill(plane, input<float>(a, 0) + p * y.in * x.in,
                                               largest_ ? -std::numeric_limits<float>::infinity() : 0.0f);
                                   float* out = result<float>(a) + p * y.out * x.out;
                                   if (largest_)
                                       run_plane(plane, out, -std::numeric_limits<float>::infinity(),
                                                 [](const lanes& u, const lanes& v) { return larger(u, v); });
                                   else
                                       run_plane(plane, out, 0.0f, [](const lanes& u, const lanes& v) { return lanes(u + v); });
                               }
                           });
    }

    static sliding_window window(const call_site& c) {
        const extents &x = c.in(0).shape, &y = c.out().shape;
        const auto kernel = read<max_pool_attributes>(*c.attributes).kernel_shape;
        return window_of(c, extents(x.begin() + 2, x.end()), extents(y.begin() + 2, y.end()), extents(kernel.begin(), kernel.end()));
    }

private:
    static std::vector<float> counts(const sliding& s, bool padding, bool ceil) {
        std::vector<float> inverse;
        for (std::int64_t o = 0; o < s.out; ++o) {
            const auto [first, last] = s.taps_inside(o);
            std::int64_t count = last - first;
            if (padding) {
                // A window that reaches beyond the padding, as rounding the output up makes it, counts only what is padded.
                count = 0;
                for (std::int64_t t = 0; t < s.taps; ++t) {
                    const std::int64_t at = o * s.stride + t * s.dilation - s.before;
                    count += !ceil || at < s.in + s.after ? 1 : 0;
                }
            }
            inverse.push_back(static_cast<float>(count));
        }
        return inverse;
    }

    template <class Combine>
    void run_plane(const float* plane, float* out, float start, Combine combine) const {
        const std::int64_t columns = window_.x.out;
        plane_.for_each_block(
            plane, start, [combine](const lanes& all, const lanes& v, std::int64_t) { return combine(all, v); },
            [&](std::int64_t row, std::int64_t column, const lanes& all) {
                const lanes done =
                    largest_ ? all : lanes(all / (counts_y_[static_cast<std::size_t>(row)] * load(counts_x_.data() + column)));
                store_part(out + row * columns + column, done, std::min(lane_count, columns - column));
            });
    }

    bool largest_;
    phase_plane plane_;
    sliding_window window_;
    std::size_t buffers_;
    std::int64_t planes_ = 0;
    std::vector<float> counts_x_, counts_y_;
};

[[nodiscard]] inline std::string refuse_pooling(const call_site& c) {
    if (c.results.size() > 1) return "the places of the largest elements are wanted; the kernel gives none";
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    if (read<max_pool_attributes>(*c.attributes).kernel_shape.empty()) return "the extents of the window are not given";
    return refuse_window(c);
}
template <bool Largest>
[[nodiscard]] kernel make_pooling(const call_site& c) {
    window_pooling p(c, Largest);
    const std::size_t workspace = p.workspace();
    return kernel_of(std::move(p), workspace);
}

[[nodiscard]] inline std::string refuse_global_pooling(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    return c.in(0).rank() < 2 ? "the operand has no channels" : std::string();
}
template <bool Largest>
[[nodiscard]] kernel make_global_pooling(const call_site& c) {
    const std::int64_t planes = product(c.in(0).shape, 0, 2), size = product(c.in(0).shape, 2, c.in(0).rank());
    return kernel_of([=](const run_arguments& a) {
        in_chunks(a.executor, planes, grain_of(size), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                const Eigen::Map<const Eigen::ArrayXf> plane(input<float>(a, 0) + p * size, size);
                if constexpr (Largest)
                    result<float>(a)[p] = size == 0 ? -std::numeric_limits<float>::infinity() : plane.maxCoeff();
                else
                    result<float>(a)[p] = plane.sum() / static_cast<float>(size);
            }
        });
    });
}

/// Pooling of float32 over one or two axes, and over whole planes.
inline constexpr operator_entry pooling_operators[] = {
    {"onnx.MaxPool", refuse_pooling, make_pooling<true>},
    {"onnx.AveragePool", refuse_pooling, make_pooling<false>},
    {"onnx.GlobalMaxPool", refuse_global_pooling, make_global_pooling<true>},
    {"onnx.GlobalAveragePool", refuse_global_pooling, make_global_pooling<false>},
};

}  // namespace inlay::detail::on_eigen

#endif
