// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_CONVOLUTION_HPP
#define INLAY_BACKEND_REFERENCE_CONVOLUTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/epilogue.hpp>
#include <inlay/backend/reference/detail/matrix_product.hpp>
#include <inlay/backend/reference/detail/window.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>

namespace inlay::detail::on_eigen {

/// The sizes of a convolution, and its weights where they are known before the run.
struct convolution {
    std::int64_t batch = 1, groups = 1, in_channels = 1, out_channels = 1;  // channels per group
    sliding_window window;
    std::vector<float> weights, bias;  // empty: they are operands of the run
    bool has_bias = false;
    epilogue steps;

    [[nodiscard]] std::int64_t taps() const { return window.y.taps * window.x.taps; }
    [[nodiscard]] std::int64_t in_plane() const { return window.y.in * window.x.in; }
    [[nodiscard]] std::int64_t out_plane() const { return window.y.out * window.x.out; }
    [[nodiscard]] bool is_depthwise() const { return in_channels == 1 && taps() > 1; }
    [[nodiscard]] bool is_pointwise() const {
        const auto still = [](const sliding& s) { return s.taps == 1 && s.stride == 1 && s.before == 0 && s.out == s.in; };
        return still(window.x) && still(window.y);
    }

    [[nodiscard]] const float* weights_of(const run_arguments& a) const { return weights.empty() ? input<float>(a, 1) : weights.data(); }
    [[nodiscard]] const float* bias_of(const run_arguments& a) const {
        return !bias.empty() ? bias.data() : has_bias ? input<float>(a, 2) : nullptr;
    }
    void finish(const run_arguments& a, float* row, std::int64_t n, std::int64_t channel, std::int64_t place, const float* add) const {
        if (add != nullptr) map_lanes(n, row, row, [b = add[channel]](const lanes& v) { return lanes(v + b); });
        finish_in_channel(steps, a, row, n, channel, place);
    }
};

/// The convolution of a call. Where the weights are constants and the epilogue starts with an affine step (a batch normalisation), that
/// step goes into weights and bias.
[[nodiscard]] inline convolution convolution_of(const call_site& c, epilogue steps) {
    convolution v;
    const extents &x = c.in(0).shape, &w = c.in(1).shape, &y = c.out().shape;
    v.batch = x[0];
    v.groups = read<conv_attributes>(*c.attributes).group;
    v.in_channels = w[1];
    v.out_channels = w[0] / v.groups;
    v.window = window_of(c, extents(x.begin() + 2, x.end()), extents(y.begin() + 2, y.end()), extents(w.begin() + 2, w.end()));
    v.has_bias = c.has(2);
    const auto channels = static_cast<std::size_t>(w[0]);
    if (c.known(1) && (!c.has(2) || c.known(2))) {
        const auto given = c.in(1).value.as<float>();
        v.weights.assign(given.begin(), given.end());
        v.bias.assign(channels, 0.0f);
        if (c.has(2)) std::copy_n(c.in(2).value.as<float>().begin(), channels, v.bias.begin());
        while (!steps.empty() && steps.front().kind == epilogue_step::form::affine) {
            const std::size_t per_channel = v.weights.size() / channels;
            for (std::size_t i = 0; i < v.weights.size(); ++i) v.weights[i] *= steps.front().scale[i / per_channel];
            for (std::size_t i = 0; i < channels; ++i) v.bias[i] = v.bias[i] * steps.front().scale[i] + steps.front().shift[i];
            steps.erase(steps.begin());
        }
    }
    v.steps = std::move(steps);
    return v;
}

/// Convolution as matrix products over tiles of output pixels: the tile's inputs are gathered into a matrix of (channel, tap) x pixel that
/// stays in the second cache, unless a window of one element makes the input that matrix already.
class product_convolution {
public:
    product_convolution(convolution v, std::size_t threads) : v_(std::move(v)) {
        depth_ = v_.in_channels * v_.taps();
        pixels_ = v_.out_plane();
        constexpr std::int64_t cached = 96 * 1024, shortest = 96, step = 48;
        tile_ = std::max(shortest, cached / std::max<std::int64_t>(1, depth_ + v_.out_channels) / step * step);
        tile_ = std::min(tile_, pixels_);
        gathers_ = !v_.is_pointwise();
        buffers_ = gathers_ ? static_cast<std::int64_t>(threads) : 0;
    }

    [[nodiscard]] std::size_t workspace() const { return static_cast<std::size_t>(buffers_ * depth_ * tile_) * sizeof(float); }

    void operator()(const run_arguments& a) const {
        if (pixels_ == 0 || v_.batch == 0) return;
        const auto threads = static_cast<std::int64_t>(a.executor.threads());
        const std::int64_t planes = v_.batch * v_.groups;
        std::int64_t tiles = (pixels_ + tile_ - 1) / tile_, cuts = 1;
        // Work for every thread: more tiles while they stay long, else the output channels are shared out.
        if (planes * tiles % threads != 0) {
            const std::int64_t more = (tiles + threads - 1) / threads * threads;
            if (pixels_ / more >= 64)
                tiles = more;
            else if (v_.out_channels >= 16 * threads)
                cuts = threads;
        }
        const std::int64_t tile = (pixels_ + tiles - 1) / tiles, tasks = planes * tiles * cuts;
        const double work = 2.0 * static_cast<double>(depth_) * static_cast<double>(tile) * static_cast<double>(v_.out_channels / cuts + 1);
        in_numbered_chunks(a.executor, tasks, static_cast<std::int64_t>(200000.0 / work) + 1,
                           [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
                               float* gathered =
                                   gathers_ ? reinterpret_cast<float*>(a.workspace) + static_cast<std::int64_t>(piece) * depth_ * tile_
                                            : nullptr;
                               for (std::int64_t task = begin; task < end; ++task) {
                                   const std::int64_t cut = task % cuts, t = task / cuts % tiles, plane = task / cuts / tiles;
                                   const std::int64_t from = t * tile, to = std::min(pixels_, from + tile);
                                   if (from < to) run_tile(a, gathered, plane / v_.groups, plane % v_.groups, from, to, cut, cuts);
                               }
                           });
    }

private:
    void run_tile(const run_arguments& a, float* gathered, std::int64_t image, std::int64_t group, std::int64_t from, std::int64_t to,
                  std::int64_t cut, std::int64_t cuts) const {
        const float* in = input<float>(a, 0) + (image * v_.groups + group) * v_.in_channels * v_.in_plane();
        const std::int64_t first = v_.out_channels * cut / cuts, last = v_.out_channels * (cut + 1) / cuts;
        matrix_place right{in + from, v_.in_plane()};
        if (gathers_) {
            gather(in, gathered, from, to);
            right = {gathered, to - from};
        }
        const std::int64_t channel = group * v_.out_channels + first;
        const std::int64_t place = (image * v_.groups * v_.out_channels + channel) * pixels_ + from;
        float* out = result<float>(a) + place;
        multiply(out, pixels_, {v_.weights_of(a) + channel * depth_, depth_}, right, last - first, to - from, depth_);
        const float* bias = v_.bias_of(a);
        for (std::int64_t i = 0; i < last - first; ++i) v_.finish(a, out + i * pixels_, to - from, channel + i, place + i * pixels_, bias);
    }

    void gather(const float* in, float* to, std::int64_t from, std::int64_t until) const {
        const sliding &y = v_.window.y, &x = v_.window.x;
        for (std::int64_t channel = 0; channel < v_.in_channels; ++channel)
            for (std::int64_t ty = 0; ty < y.taps; ++ty)
                for (std::int64_t tx = 0; tx < x.taps; ++tx) {
                    const float* plane = in + channel * v_.in_plane();
                    // The outputs whose tap is inside sideways: [left, right).
                    const std::int64_t shift = tx * x.dilation - x.before;
                    const std::int64_t left = shift >= 0 ? 0 : (-shift + x.stride - 1) / x.stride;
                    const std::int64_t right = x.in - shift <= 0 ? 0 : (x.in - shift + x.stride - 1) / x.stride;
                    for (std::int64_t pixel = from; pixel < until;) {
                        const std::int64_t oy = pixel / x.out, ox = pixel % x.out;
                        const std::int64_t n = std::min(until - pixel, x.out - ox);
                        const std::int64_t iy = oy * y.stride + ty * y.dilation - y.before;
                        if (iy < 0 || iy >= y.in) {
                            std::fill(to, to + n, 0.0f);
                        } else {
                            const std::int64_t begin = std::clamp<std::int64_t>(left - ox, 0, n),
                                               end = std::clamp<std::int64_t>(right - ox, begin, n);
                            std::fill(to, to + begin, 0.0f);
                            const float* row = plane + iy * x.in + ox * x.stride + shift;
                            if (x.stride == 1)
                                std::memcpy(to + begin, row + begin, static_cast<std::size_t>(end - begin) * sizeof(float));
                            else if (x.stride == 2)
                                for (std::int64_t i = begin; i < end; ++i) to[i] = row[2 * i];
                            else
                                for (std::int64_t i = begin; i < end; ++i) to[i] = row[i * x.stride];
                            std::fill(to + end, to + n, 0.0f);
                        }
                        to += n;
                        pixel += n;
                    }
                }
    }

    convolution v_;
    std::int64_t depth_ = 0, pixels_ = 0, tile_ = 0, buffers_ = 0;
    bool gathers_ = true;
};

/// Convolution with one input channel per group, plane by plane: sixteen outputs of four rows at a time.
class depthwise_convolution {
public:
    depthwise_convolution(convolution v, std::size_t threads) : v_(std::move(v)), plane_(v_.window), buffers_(threads) {}

    [[nodiscard]] std::size_t workspace() const { return buffers_ * static_cast<std::size_t>(plane_.size()) * sizeof(float); }

    void operator()(const run_arguments& a) const {
        const std::int64_t planes = v_.batch * v_.groups;
        in_numbered_chunks(a.executor, planes, grain_of(v_.out_plane() * v_.taps() / 4),
                           [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
                               float* plane = reinterpret_cast<float*>(a.workspace) + static_cast<std::int64_t>(piece) * plane_.size();
                               for (std::int64_t p = begin; p < end; ++p) {
                                   plane_.fill(plane, input<float>(a, 0) + p * v_.in_plane(), 0.0f);
                                   for (std::int64_t m = 0; m < v_.out_channels; ++m)
                                       run_plane(a, plane, p / v_.groups, p % v_.groups * v_.out_channels + m);
                               }
                           });
    }

private:
    void run_plane(const run_arguments& a, const float* plane, std::int64_t image, std::int64_t channel) const {
        const float* weights = v_.weights_of(a) + channel * v_.taps();
        const float* bias = v_.bias_of(a);
        const float start = bias == nullptr ? 0.0f : bias[channel];
        const std::int64_t place = (image * v_.groups * v_.out_channels + channel) * v_.out_plane();
        float* out = result<float>(a) + place;
        plane_.for_each_block(
            plane, start, [weights](const lanes& sum, const lanes& v, std::int64_t t) { return lanes(sum + weights[t] * v); },
            [out, columns = v_.window.x.out](std::int64_t row, std::int64_t column, const lanes& sum) {
                float* to = out + row * columns + column;
                if (columns - column >= lane_count)
                    store(to, sum);
                else
                    store_part(to, sum, columns - column);
            });
        finish_in_channel(v_.steps, a, out, v_.out_plane(), channel, place);
    }

    convolution v_;
    phase_plane plane_;
    std::size_t buffers_;
};

[[nodiscard]] inline std::string refuse_convolution(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    if (auto why = refuse_window(c); !why.empty()) return why;
    const extents &x = c.in(0).shape, &w = c.in(1).shape;
    const std::int64_t groups = read<conv_attributes>(*c.attributes).group;
    if (groups < 1 || w.size() != x.size() || w[0] % groups != 0 || w[1] * groups != x[1]) return "operand, weights and groups do not fit";
    return {};
}

[[nodiscard]] inline kernel make_convolution_with(const call_site& c, epilogue steps) {
    convolution v = convolution_of(c, std::move(steps));
    if (v.is_depthwise()) {
        depthwise_convolution d(std::move(v), c.threads);
        const std::size_t workspace = d.workspace();
        return kernel_of(std::move(d), workspace);
    }
    product_convolution p(std::move(v), c.threads);
    const std::size_t workspace = p.workspace();
    return kernel_of(std::move(p), workspace);
}
[[nodiscard]] inline kernel make_convolution(const call_site& c) { return make_convolution_with(c, {}); }

/// Convolutions of float32 over one or two axes.
inline constexpr operator_entry convolution_operators[] = {{"onnx.Conv", refuse_convolution, make_convolution}};

}  // namespace inlay::detail::on_eigen

#endif
