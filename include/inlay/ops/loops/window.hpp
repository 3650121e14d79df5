// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_WINDOW_HPP
#define INLAY_OPS_LOOPS_WINDOW_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>

namespace inlay {

/// How a window moves along one spatial axis: `kernel` taps, `dilation` elements apart, moved by `stride`, over an axis with
/// `before` and `after` elements added. A kernel of -1 is not known.
struct window {
    std::int64_t kernel = 1, stride = 1, dilation = 1, before = 0, after = 0;

    /// From the first tap to past the last. Precondition: the kernel is known.
    [[nodiscard]] std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

/// Where the padding comes from: the attribute `pads`, or `auto_pad`.
enum class padding_mode : std::uint8_t { given, same_upper, same_lower, none };

/// The windows of a convolution or pooling, one per spatial axis.
struct window_set {
    std::vector<window> axes;
    padding_mode mode = padding_mode::given;
    bool ceil = false;  // whether a last window may hang over the end
};

/// Numbers of windows and extents under them stay below this, so that sums and products of two fit 63 bits.
inline constexpr std::int64_t largest_window = (std::int64_t{1} << 31) - 1;

namespace detail {

/// A list attribute that has one entry for each axis, or two: `count` entries from `least` up, or `otherwise` for each where it is absent.
INLAY_FUNCTION outcome<std::vector<std::int64_t>> window_numbers(const call_view& call, std::string_view name, std::size_t count,
                                                                 std::int64_t least, std::int64_t otherwise);

}  // namespace detail

/// The windows that a call's attributes describe over `kernel.size()` spatial axes: `strides`, `dilations`, `pads`, `auto_pad`,
/// `ceil_mode`, and `kernel_shape`, which must agree with what is known of `kernel` (-1: not known).
[[nodiscard]] INLAY_FUNCTION outcome<window_set> windows_of(const call_view& call, std::vector<std::int64_t> kernel);

/// How the quotient of an axis' room by the stride is rounded. They differ if the room is no multiple of the stride, and `down` differs
/// from `towards_zero` only if the window is longer than the padded axis: a pooling then has one window, a convolution none.
enum class window_rounding : std::uint8_t { down, towards_zero, up };

/// Returns how many places a window has along an axis of extent `in`: 0 is a result, less is an error. A window that hangs over the end
/// (`up`) must begin before the added elements at the end do.
[[nodiscard]] INLAY_FUNCTION outcome<extent> windowed_extent(const call_view& call, const window& w, padding_mode mode,
                                                             window_rounding rounding, const extent& in);

/// The window with its padding as numbers, once extents are known: `in` under it, `out` places.
[[nodiscard]] inline window padded_window(window w, padding_mode mode, std::int64_t in, std::int64_t out) {
    if (mode != padding_mode::same_upper && mode != padding_mode::same_lower) return w;
    const std::int64_t total = out == 0 ? 0 : std::max<std::int64_t>((out - 1) * w.stride + w.reach() - in, 0);
    w.before = mode == padding_mode::same_upper ? total / 2 : total - total / 2;
    w.after = total - w.before;
    return w;
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/window.ipp>
#endif

#endif
