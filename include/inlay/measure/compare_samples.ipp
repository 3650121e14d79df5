// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_COMPARE_SAMPLES_IPP
#define INLAY_MEASURE_COMPARE_SAMPLES_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <inlay/measure/compare_samples.hpp>

#include <inlay/measure/sample_text.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/sample/sampled_tensor.hpp>

namespace inlay {

std::size_t stored_place(const std::vector<std::int64_t>& extents, const layout& l, std::int64_t i) {
    if (extents.size() < 2 || l.kind == layout::form::plain) return static_cast<std::size_t>(i);
    const std::int64_t places = extent_product(extents, 2, extents.size()), channels = extents[1];
    const std::int64_t place = i % places, channel = i / places % channels, image = i / places / channels;
    if (l.kind == layout::form::channels_last) return static_cast<std::size_t>((image * places + place) * channels + channel);
    const std::int64_t block = l.block, stored = static_cast<std::int64_t>(l.stored_channels(static_cast<std::size_t>(channels)));
    return static_cast<std::size_t>((image * stored + channel / block * block) * places + place * block + channel % block);
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
    return largest;
}

}  // namespace inlay

#endif
