// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_WINDOWS_HPP
#define INLAY_LOOPS_LOWER_WINDOWS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/ops/loops/window.hpp>

namespace inlay::detail {

/// The windows of a convolution or pooling with their padding as numbers.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<window>> lowered_windows(const lowered_call& c, std::vector<std::int64_t> kernel);

/// Where taps of a window over x stand, and the bounds of its spatial axes that they must keep to.
struct window_place {
    std::vector<affine> at;
    std::vector<affine_bound> bounds;
};
[[nodiscard]] INLAY_FUNCTION window_place tap_of(const lowered_tensor& x, const std::vector<window>& windows, affine batch, affine channel,
                                                 const std::vector<affine>& at, const std::vector<affine>& taps, std::size_t first_tap);

/// Sums over windows of a convolution: of `product(x's indices, w's indices)` over channels and taps, those beside the image left out.
template <class Product>
[[nodiscard]] lowered_tensor window_sums(const lowered_call& c, const lowered_tensor& x, const lowered_tensor& w,
                                         const std::vector<window>& windows, std::int64_t groups, element_type element, Product&& product) {
    const std::int64_t channels = w.extents[1], filters = w.extents[0] / groups;
    // Where channels of input and result both follow from one axis, it is the result's; else the group is an axis of its own.
    const bool is_plain = groups == 1 || filters == 1;
    std::vector<std::int64_t> over{channels}, places = c.extents;
    for (const window& one : windows) over.push_back(one.kernel);
    if (!is_plain) {
        places[1] = groups;
        places.insert(places.begin() + 2, filters);
    }
    const expression_id nothing = c.nest.number(0, element);
    const lowered_tensor sum = c.nest.reduced(
        places, element, over, scalar_function::add, nothing, [&](const std::vector<affine>& at, const std::vector<affine>& k) {
            const affine group = groups == 1 ? affine() : at[1], filter = is_plain ? at[1] : at[1] * filters + at[2];
            std::vector<affine> place{at[0], affine()};
            place.insert(place.end(), at.begin() + (is_plain ? 2 : 3), at.end());
            const window_place tap = tap_of(x, windows, at[0], group * channels + k[0], place, k, 1);
            std::vector<affine> weight{filter};
            weight.insert(weight.end(), k.begin(), k.end());
            return c.build().within(tap.bounds, product(tap.at, weight), c.nest.number(0, element));
        });
    return is_plain ? sum : c.nest.viewed(sum, c.extents);
}

/// How calls of operators over windows are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> window_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/windows.ipp>
#endif

#endif
