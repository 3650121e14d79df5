// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_IMAGE_ORDER_HPP
#define INLAY_BACKEND_CPU_SIMD_IMAGE_ORDER_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/target/format.hpp>

namespace inlay::simd {

/// Three numbers along depth, height and width; a tensor of fewer spatial axes has 1 along the first ones.
using spatial = std::array<std::ptrdiff_t, 3>;

/// The last numbers of a list, `otherwise` before them.
[[nodiscard]] inline spatial spatial_of(const std::vector<std::int64_t>& list, std::ptrdiff_t otherwise, std::size_t skip = 0) {
    spatial made{otherwise, otherwise, otherwise};
    const std::size_t n = list.size() - skip;
    for (std::size_t i = 0; i < n && i < 3; ++i) made[3 - n + i] = static_cast<std::ptrdiff_t>(list[skip + i]);
    return made;
}

/// The layout in blocks of channels that vectors of so many floats work on: a block is a whole number of them, and what libraries have.
[[nodiscard]] inline layout blocks_for(std::size_t lanes) {
    return layout::channels_blocked(static_cast<std::uint8_t>(std::max<std::size_t>(lanes, 8)));
}

/// A number rounded up to a multiple of another one.
[[nodiscard]] constexpr std::ptrdiff_t rounded_up(std::ptrdiff_t n, std::ptrdiff_t to) { return (n + to - 1) / to * to; }

/// How the floats of an image tensor lie: channel c of place p stands at `channel(c) + p[0] * stride[0] + p[1] * stride[1] + p[2] *
/// stride[2]` of its image, `image` floats after the one before.
struct image_order {
    layout order;
    std::ptrdiff_t channels = 0;
    spatial extents{1, 1, 1};
    spatial stride{0, 0, 0};
    std::ptrdiff_t image = 0;

    [[nodiscard]] static image_order of(const layout& order, std::ptrdiff_t channels, const spatial& extents) {
        image_order o{order, channels, extents, {}, 0};
        const std::ptrdiff_t place = order.kind == layout::form::plain           ? 1
                                     : order.kind == layout::form::channels_last ? channels
                                                                                 : order.block;
        o.stride = {extents[1] * extents[2] * place, extents[2] * place, place};
        o.image = o.stored() * extents[0] * extents[1] * extents[2];
        return o;
    }

    [[nodiscard]] std::ptrdiff_t places() const { return extents[0] * extents[1] * extents[2]; }
    [[nodiscard]] std::ptrdiff_t channel(std::ptrdiff_t c) const {
        if (order.kind == layout::form::plain) return c * places();
        if (order.kind == layout::form::channels_last) return c;
        return c / order.block * order.block * places() + c % order.block;
    }
    /// How many channels from c on lie side by side.
    [[nodiscard]] std::ptrdiff_t run(std::ptrdiff_t c) const {
        if (order.kind == layout::form::plain) return 1;
        if (order.kind == layout::form::channels_last) return channels - c;
        return order.block - c % order.block < channels - c ? order.block - c % order.block : channels - c;
    }
    /// Channels that are stored, those that fill the last block included.
    [[nodiscard]] std::ptrdiff_t stored() const { return fills() ? rounded_up(channels, order.block) : channels; }
    /// Whether results are stored with zeros behind the last channel.
    [[nodiscard]] bool fills() const { return order.kind == layout::form::channels_blocked; }
};

}  // namespace inlay::simd

#endif
