// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_COMPARE_SAMPLES_IPP
#define INLAY_MEASURE_COMPARE_SAMPLES_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <inlay/measure/compare_samples.hpp>

#include <inlay/cost/statistics.hpp>
#include <inlay/measure/sample_text.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/sample/sampled_tensor.hpp>

namespace inlay {

namespace detail {

/// Where a channel of an image's place is, in elements, in blocks of channels; `stored` channels are there in all.
[[nodiscard]] inline std::int64_t place_in_blocks(std::int64_t image, std::int64_t channel, std::int64_t place, std::int64_t places,
                                                  std::int64_t stored, std::int64_t block) {
    return (image * stored + channel / block * block) * places + place * block + channel % block;
}

/// An element behind the last channel that is not 0, in a tensor in blocks of channels: of all there are, or of the first,
/// the last and one in each of a thousand stretches. Returns nullopt if there is none.
[[nodiscard]] inline std::optional<double> filled_padding(const void* found, const format& f, const std::vector<std::int64_t>& extents) {
    if (extents.size() < 2 || f.order.kind == layout::form::plain || f.order.kind == layout::form::channels_last) return std::nullopt;
    const std::int64_t block = f.order.block, channels = extents[1], places = extent_product(extents, 2, extents.size());
    const auto stored = static_cast<std::int64_t>(f.order.stored_channels(static_cast<std::size_t>(channels)));
    const std::int64_t padding = stored - channels, all = extents[0] * places * padding, some = std::min<std::int64_t>(all, 1000);
    splitmix random{static_cast<std::uint64_t>(all)};
    for (std::int64_t k = 0; k < some; ++k) {
        const std::int64_t begin = all / some * k + all % some * k / some, end = all / some * (k + 1) + all % some * (k + 1) / some;
        std::int64_t i = begin + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end - begin));
        if (k == 0) i = 0;
        if (k + 1 == some) i = all - 1;
        const std::int64_t channel = channels + i % padding, place = i / padding % places, image = i / padding / places;
        const std::int64_t at = place_in_blocks(image, channel, place, places, stored, block);
        const double v = element_as_double(static_cast<const std::byte*>(found), f.element, at);
        if (!(v == 0)) return v;
    }
    return std::nullopt;
}

}  // namespace detail

std::size_t stored_place(const std::vector<std::int64_t>& extents, const layout& l, std::int64_t i) {
    if (extents.size() < 2 || l.kind == layout::form::plain) return static_cast<std::size_t>(i);
    const std::int64_t places = extent_product(extents, 2, extents.size()), channels = extents[1];
    const std::int64_t place = i % places, channel = i / places % channels, image = i / places / channels;
    if (l.kind == layout::form::channels_last) return static_cast<std::size_t>((image * places + place) * channels + channel);
    const std::int64_t block = l.block, stored = static_cast<std::int64_t>(l.stored_channels(static_cast<std::size_t>(channels)));
    return static_cast<std::size_t>(detail::place_in_blocks(image, channel, place, places, stored, block));
}

outcome<double> compare_samples(const expected_samples& expected, const void* found, const format& f,
                                const std::vector<std::int64_t>& extents, std::size_t result) {
    double largest = 0;
    const bool is_float = is_floating(f.element);
    const double least = least_normal_of(f.element), most = largest_of(f.element);
    for (std::size_t k = 0; k < expected.places.size(); ++k) {
        const double wanted = expected.values[k], allowed = expected.errors[k] + least;
        if (wanted != wanted || !(allowed < std::numeric_limits<double>::infinity())) continue;
        const double v = element_as_double(static_cast<const std::byte*>(found), f.element,
                                           static_cast<std::int64_t>(stored_place(extents, f.order, expected.places[k])));
        if (v == wanted) continue;
        // Beyond the range of the type, or so near to its end that rounding may lead there.
        if (is_float && std::abs(wanted) + allowed > 0.99 * most && (std::signbit(v) == std::signbit(wanted)) && std::abs(v) > 0.98 * most)
            continue;
        const double off = std::abs(v - wanted);
        if (!(off <= allowed))
            return error{"it gives " + sampled_number(v) + " at result " + std::to_string(result) +
                         place_text(extents, expected.places[k]) + ", expected " + sampled_number(wanted) +
                         (allowed > least ? " within " + sampled_number(allowed) : std::string())};
        largest = std::max(largest, allowed > 0 ? off / allowed : 0);
    }
    if (const auto at = detail::filled_padding(found, f, extents))
        return error{"it gives " + sampled_number(*at) + " behind the last channel of result " + std::to_string(result) + ", expected 0"};
    return largest;
}

}  // namespace inlay

#endif
