// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_TRANSPOSED_CONVOLUTION_HPP
#define INLAY_BACKEND_REFERENCE_TRANSPOSED_CONVOLUTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/matrix_product.hpp>
#include <inlay/backend/reference/detail/window.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>

namespace inlay::detail::on_eigen {

/// ConvTranspose: for a few output channels at a time, the product of their weights (tap x input channel) with the input's pixels, whose
/// rows are then added where the taps put them. The sliding window is that of the convolution it transposes: from the output (`in`) to the
/// input (`out`).
class transposed_convolution {
public:
    explicit transposed_convolution(const call_site& c) : buffers_(c.threads), has_bias_(c.has(2)) {
        const extents &x = c.in(0).shape, &w = c.in(1).shape, &y = c.out().shape;
        batch_ = x[0];
        groups_ = read<conv_transpose_attributes>(*c.attributes).group;
        in_channels_ = x[1] / groups_;
        out_channels_ = w[1];
        window_ = window_of(c, extents(y.begin() + 2, y.end()), extents(x.begin() + 2, x.end()), extents(w.begin() + 2, w.end()));
        taps_ = window_.y.taps * window_.x.taps;
        // Weights stand as input channel x output channel x tap; a channel's product wants its taps first.
        const auto given = c.in(1).value.as<float>();
        weights_.resize(given.size());
        for (std::int64_t g = 0; g < groups_; ++g)
            for (std::int64_t i = 0; i < in_channels_; ++i)
                for (std::int64_t o = 0; o < out_channels_; ++o)
                    for (std::int64_t t = 0; t < taps_; ++t)
                        weights_[static_cast<std::size_t>(((g * out_channels_ + o) * taps_ + t) * in_channels_ + i)] =
                            given[static_cast<std::size_t>(((g * in_channels_ + i) * out_channels_ + o) * taps_ + t)];
        pixels_ = window_.y.out * window_.x.out;
        // Enough rows for a product of matrices to be worth its name.
        block_ = std::clamp<std::int64_t>(32 / std::max<std::int64_t>(1, taps_), 1, std::max<std::int64_t>(1, out_channels_));
        tile_ = std::min(pixels_, std::max<std::int64_t>(window_.x.out, 64 * 1024 / (block_ * taps_) / window_.x.out * window_.x.out));
    }

    [[nodiscard]] std::size_t workspace() const { return buffers_ * static_cast<std::size_t>(block_ * taps_ * tile_) * sizeof(float); }

    void operator()(const run_arguments& a) const {
        const std::int64_t out_plane = window_.y.in * window_.x.in, blocks = (out_channels_ + block_ - 1) / block_;
        const auto grain = grain_of(block_ * pixels_ * taps_ * in_channels_ / 4);
        in_numbered_chunks(a.executor, batch_ * groups_ * blocks, grain, [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
            float* products = reinterpret_cast<float*>(a.workspace) + static_cast<std::int64_t>(piece) * block_ * taps_ * tile_;
            for (std::int64_t task = begin; task < end; ++task) {
                const std::int64_t plane = task / blocks, group = plane % groups_, first = task % blocks * block_;
                const std::int64_t count = std::min(block_, out_channels_ - first), channel = group * out_channels_ + first;
                const float* in = input<float>(a, 0) + plane * in_channels_ * pixels_;
                float* out = result<float>(a) + (plane / groups_ * groups_ * out_channels_ + channel) * out_plane;
                for (std::int64_t i = 0; i < count; ++i)
                    std::fill(out + i * out_plane, out + (i + 1) * out_plane, has_bias_ ? input<float>(a, 2)[channel + i] : 0.0f);
                for (std::int64_t from = 0; from < pixels_; from += tile_) {
                    const std::int64_t n = std::min(tile_, pixels_ - from);
                    multiply(products, n, {weights_.data() + channel * taps_ * in_channels_, in_channels_}, {in + from, pixels_},
                             count * taps_, n, in_channels_);
                    for (std::int64_t i = 0; i < count; ++i)
                        scatter(products + i * taps_ * n, out + i * out_plane, from / window_.x.out, n / window_.x.out);
                }
            }
        });
    }

private:
    /// Adds the products of whole rows of input pixels to the output.
    void scatter(const float* products, float* out, std::int64_t first_row, std::int64_t rows) const {
        const sliding &y = window_.y, &x = window_.x;
        for (std::int64_t ty = 0; ty < y.taps; ++ty)
            for (std::int64_t tx = 0; tx < x.taps; ++tx, products += rows * x.out) {
                const std::int64_t shift = tx * x.dilation - x.before;
                const std::int64_t left = shift >= 0 ? 0 : (-shift + x.stride - 1) / x.stride;
                const std::int64_t right = std::min(x.out, x.in - shift <= 0 ? 0 : (x.in - shift + x.stride - 1) / x.stride);
                for (std::int64_t r = 0; r < rows; ++r) {
                    const std::int64_t at = (first_row + r) * y.stride + ty * y.dilation - y.before;
                    if (at < 0 || at >= y.in) continue;
                    float* line = out + at * x.in + shift;
                    const float* from = products + r * x.out;
                    if (x.stride == 1)
                        for (std::int64_t i = left; i < right; ++i) line[i] += from[i];
                    else if (x.stride == 2)
                        for (std::int64_t i = left; i < right; ++i) line[2 * i] += from[i];
                    else
                        for (std::int64_t i = left; i < right; ++i) line[i * x.stride] += from[i];
                }
            }
    }

    std::size_t buffers_;
    bool has_bias_;
    std::int64_t batch_ = 1, groups_ = 1, in_channels_ = 1, out_channels_ = 1, taps_ = 1, pixels_ = 1, tile_ = 1, block_ = 1;
    sliding_window window_;
    std::vector<float> weights_;
};

[[nodiscard]] inline std::string refuse_transposed_convolution(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    if (!c.known(1)) return "the weights are not known before the run";
    if (read<conv_transpose_attributes>(*c.attributes).output_shape) return "the output shape is given; the kernel takes pads";
    if (read<conv_transpose_attributes>(*c.attributes).auto_pad != "NOTSET" &&
        read<conv_transpose_attributes>(*c.attributes).auto_pad != "VALID")
        return "the padding is by rule; the kernel takes pads";
    if (auto why = refuse_window(c); !why.empty()) return why;
    const extents &x = c.in(0).shape, &w = c.in(1).shape;
    const std::int64_t groups = read<conv_transpose_attributes>(*c.attributes).group;
    if (groups < 1 || w.size() != x.size() || w[0] % groups != 0 || w[0] != x[1]) return "operand, weights and groups do not fit";
    return {};
}
[[nodiscard]] inline kernel make_transposed_convolution(const call_site& c) {
    transposed_convolution t(c);
    const std::size_t workspace = t.workspace();
    return kernel_of(std::move(t), workspace);
}

/// Transposed convolutions of float32 over one or two axes.
inline constexpr operator_entry transposed_convolution_operators[] = {
    {"onnx.ConvTranspose", refuse_transposed_convolution, make_transposed_convolution}};

}  // namespace inlay::detail::on_eigen

#endif
