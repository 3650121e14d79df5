// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_RANDOM_VALUES_HPP
#define INLAY_MEASURE_RANDOM_VALUES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <inlay/cost/statistics.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// After how many values the random ones repeat. It divides no usual row, so that rows differ.
inline constexpr std::size_t random_period = 65521;

/// Fills memory with `count` values of an element type on which kernels run at their usual speed: ordinary numbers of both signs about
/// `scale` (between half of it and one and a half, all positive, where `positive`); 8-bit integers of any value; zeros for wider
/// integers, since they may index something of unknown size; truth values of both kinds. They come again after `random_period`, since no
/// kernel's speed depends on that. Deterministic for a seed.
inline void fill_random(void* memory, element_type element, std::size_t count, double scale, bool positive, std::uint64_t seed) {
    if (count > random_period) {
        fill_random(memory, element, random_period, scale, positive, seed);
        const std::size_t bytes = count * size_of(element), period = random_period * size_of(element);
        auto* to = static_cast<std::byte*>(memory);
        for (std::size_t at = period; at < bytes; at += period) std::memcpy(to + at, to, std::min(period, bytes - at));
        return;
    }
    detail::splitmix random{seed};
    auto* bytes = static_cast<std::byte*>(memory);
    // The sum of four uniform numbers is near enough to normal; its variance is 1/3.
    const auto number = [&] {
        if (positive) return scale * (0.5 + random.unit());
        return scale * std::sqrt(3.0) * (random.unit() + random.unit() + random.unit() + random.unit() - 2);
    };
    const auto put = [&](std::size_t i, auto value) { std::memcpy(bytes + i * sizeof value, &value, sizeof value); };
    switch (element) {
        case element_type::float32:
            for (std::size_t i = 0; i < count; ++i) put(i, static_cast<float>(number()));
            break;
        case element_type::float64:
            for (std::size_t i = 0; i < count; ++i) put(i, number());
            break;
        // Sixteen-bit floats from their bits: an exponent of -3 to 0, any mantissa.
        case element_type::float16:
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t r = random();
                put(i, static_cast<std::uint16_t>((positive ? 0 : (r & 1) << 15) | (12 + (r >> 1) % 4) << 10 | (r >> 8 & 0x3FF)));
            }
            break;
        case element_type::bfloat16:
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t r = random();
                put(i, static_cast<std::uint16_t>((positive ? 0 : (r & 1) << 15) | (124 + (r >> 1) % 4) << 7 | (r >> 8 & 0x7F)));
            }
            break;
        case element_type::int8:
        case element_type::uint8:
            for (std::size_t i = 0; i < count; ++i) put(i, static_cast<std::uint8_t>(random() >> 56));
            break;
        case element_type::boolean:
            for (std::size_t i = 0; i < count; ++i) put(i, static_cast<std::uint8_t>(random() >> 63));
            break;
        default:
            std::memset(memory, 0, count * size_of(element));
    }
}

/// Weights made up for a type, for measuring: of variance 2 / fan-in (He et al., ICCV 2015), so that sums keep their size through many
/// layers; vectors are positive, since a variance may be among them. Not `ok()` where there is no memory for it.
[[nodiscard]] inline tensor random_weights(element_type element, std::vector<std::int64_t> extents, std::uint64_t seed) {
    tensor t(element, std::move(extents));
    if (!t.ok() || t.count() == 0) return t;
    const bool vector = t.rank() < 2;
    const double fan_in = vector ? 1 : static_cast<double>(t.count()) / static_cast<double>(t.extents()[0]);
    fill_random(t.data(), element, t.count(), vector ? 1.0 : std::sqrt(2 / fan_in), vector, seed);
    return t;
}

}  // namespace inlay

#endif
