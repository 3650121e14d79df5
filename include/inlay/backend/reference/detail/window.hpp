// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_WINDOW_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_WINDOW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/ops/loops/window.hpp>

namespace inlay::detail::on_eigen {

/// How a window slides along one axis: output o reads the inputs `o stride + t dilation - before` for t in [0, taps) that exist.
struct sliding {
    std::int64_t in = 1, out = 1, taps = 1, stride = 1, dilation = 1, before = 0, after = 0;

    /// The taps of output o that read an input that exists: [first, last).
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> taps_inside(std::int64_t o) const {
        const std::int64_t start = o * stride - before;
        const std::int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
        const std::int64_t last = in - start <= 0 ? 0 : std::min(taps, (in - start + dilation - 1) / dilation);
        return {std::min(first, taps), std::max(last, std::min(first, taps))};
    }
};

/// A window over two axes of planes; one axis is two, the first of extent 1.
struct sliding_window {
    sliding y, x;
};

/// What `windows_of` reads off a call's attributes, with the extents of the window itself (-1: not known).
[[nodiscard]] inline outcome<window_set> windows_at(const call_site& c, const extents& taps) {
    call_view call;
    call.op = c.op;
    call.attributes = c.attributes;
    return windows_of(call, taps);
}

/// Why the window of a convolution or pooling is not a sound one over one or two axes, else empty.
[[nodiscard]] inline std::string refuse_window(const call_site& c) {
    const std::size_t rank = c.in(0).rank();
    if (rank != 3 && rank != 4) return "the operand is of rank " + std::to_string(rank) + "; the kernel takes 3 and 4";
    const auto set = windows_at(c, extents(rank - 2, -1));
    return set ? std::string() : set.failure().message;
}

/// The window of a call over `in` to `out` (extents after batch and channels), with the extents of the window itself. Precondition:
/// one or two axes, and `refuse_window` has nothing against it.
[[nodiscard]] inline sliding_window window_of(const call_site& c, const extents& in, const extents& out, const extents& taps) {
    const auto set = windows_at(c, taps);
    sliding_window made;
    for (std::size_t i = 0; set && i < in.size(); ++i) {
        const window w = padded_window(set->axes[i], set->mode, in[i], out[i]);
        (i + 1 == in.size() ? made.x : made.y) = sliding{in[i], out[i], taps[i], w.stride, w.dilation, w.before, w.after};
    }
    return made;
}

/// A plane laid out so that the taps of sixteen neighbouring outputs are sixteen neighbouring elements, with fill where the window
/// leaves the plane: each row is split by the place within a stride.
class phase_plane {
public:
    explicit phase_plane(const sliding_window& w) : window_(w) {
        const sliding &x = w.x, &y = w.y;
        width_ = (x.out + (x.taps - 1) * x.dilation / x.stride + 2 * lane_count) / lane_count * lane_count;
        rows_ = y.out == 0 ? 0 : (y.out - 1) * y.stride + (y.taps - 1) * y.dilation + 1;
        for (std::int64_t ty = 0; ty < y.taps; ++ty)
            for (std::int64_t tx = 0; tx < x.taps; ++tx)
                tap_.push_back(ty * y.dilation * row_size() + tx * x.dilation % x.stride * width_ + tx * x.dilation / x.stride);
    }

    /// Floats that a plane takes.
    [[nodiscard]] std::int64_t size() const { return rows_ * row_size(); }

    void fill(float* plane, const float* from, float outside) const {
        const sliding &x = window_.x, &y = window_.y;
        for (std::int64_t row = 0; row < rows_; ++row) {
            float* to = plane + row * row_size();
            std::fill(to, to + row_size(), outside);
            if (row < y.before || row - y.before >= y.in) continue;
            for (std::int64_t phase = 0; phase < x.stride; ++phase) {
                // Place j of this phase is the input j stride + phase - before.
                const std::int64_t start = phase - x.before;
                const std::int64_t first = start >= 0 ? 0 : (-start + x.stride - 1) / x.stride;
                const std::int64_t last = std::min(width_, x.in - start <= 0 ? 0 : (x.in - start + x.stride - 1) / x.stride);
                const float* source = from + (row - y.before) * x.in + start;
                float* line = to + phase * width_;
                if (x.stride == 1)
                    for (std::int64_t j = first; j < last; ++j) line[j] = source[j];
                else if (x.stride == 2)
                    for (std::int64_t j = first; j < last; ++j) line[j] = source[2 * j];
                else
                    for (std::int64_t j = first; j < last; ++j) line[j] = source[j * x.stride];
            }
        }
    }

    /// For each block of up to sixteen outputs of a row: starts with `start`, does `all = combine(all, elements under tap t, t)` for
    /// every tap, and calls `finish(row, column, all)`. Four rows are done together, so that one's arithmetic need not wait for another's.
    template <class Combine, class Finish>
    void for_each_block(const float* plane, float start, Combine combine, Finish finish) const {
        const sliding &x = window_.x, &y = window_.y;
        const std::int64_t* const tap = tap_.data();
        const auto taps = static_cast<std::int64_t>(tap_.size());
        const std::int64_t down = y.stride * row_size();
        for (std::int64_t row = 0; row < y.out; row += 4) {
            // Past the end the last row is done again.
            const std::int64_t left = y.out - row;
            const float* const first = plane + row * down;
            const float* const second = first + (left > 1 ? down : 0);
            const float* const third = second + (left > 2 ? down : 0);
            const float* const fourth = third + (left > 3 ? down : 0);
            for (std::int64_t column = 0; column < x.out; column += lane_count) {
                lanes a = lanes::Constant(start), b = a, c = a, d = a;
                for (std::int64_t t = 0; t < taps; ++t) {
                    const std::int64_t at = tap[t] + column;
                    a = combine(a, load(first + at), t);
                    b = combine(b, load(second + at), t);
                    c = combine(c, load(third + at), t);
                    d = combine(d, load(fourth + at), t);
                }
                finish(row, column, a);
                if (left > 1) finish(row + 1, column, b);
                if (left > 2) finish(row + 2, column, c);
                if (left > 3) finish(row + 3, column, d);
            }
        }
    }

private:
    [[nodiscard]] std::int64_t row_size() const { return window_.x.stride * width_; }

    sliding_window window_;
    std::int64_t width_ = 0, rows_ = 0;
    std::vector<std::int64_t> tap_;
};

}  // namespace inlay::detail::on_eigen

#endif
