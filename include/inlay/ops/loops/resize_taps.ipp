// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_RESIZE_TAPS_IPP
#define INLAY_OPS_LOOPS_RESIZE_TAPS_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/ops/loops/resize_taps.hpp>

#include <inlay/core/in_force.hpp>

namespace inlay {

double original_coordinate(const resized_axis& a, coordinate_mode mode, std::int64_t x) {
    // A step in double, rounded to float32, is the step in float32; no compiler may fuse it with the next one.
    const auto rounded = [](double v) { return in_force<"ops.resize.in-float">() ? static_cast<double>(static_cast<float>(v)) : v; };
    const double place = rounded(static_cast<double>(x)), in = rounded(static_cast<double>(a.in)),
                 out = rounded(static_cast<double>(a.out)), scale = rounded(a.scale), last = rounded(in - 1);
    const auto centred = [&] { return rounded(rounded(rounded(place + 0.5) / scale) - 0.5); };
    switch (mode) {
        case coordinate_mode::half_pixel:
            return centred();
        case coordinate_mode::half_pixel_symmetric: {
            const double adjustment = rounded(out / rounded(scale * in));
            const double offset = rounded(rounded(in / 2) * rounded(1 - adjustment));
            return rounded(offset + (place + 0.5) / scale - 0.5);
        }
        case coordinate_mode::pytorch_half_pixel:
            return a.out > 1 ? centred() : 0.0;
        case coordinate_mode::align_corners: {
            // ONNX's own expectations take the resized length before it is rounded down.
            const double length = a.by_scale ? rounded(scale * in) : out;
            return a.out > 1 ? rounded(rounded(place * last) / rounded(length - 1)) : 0.0;
        }
        case coordinate_mode::asymmetric:
            return rounded(place / scale);
        case coordinate_mode::tf_half_pixel_for_nn:
            return rounded(rounded(place + 0.5) / scale);
        case coordinate_mode::tf_crop_and_resize: {
            const double begin = rounded(a.crop_begin), end = rounded(a.crop_end);
            if (a.out <= 1) return rounded(0.5 * rounded(begin + end) * last);
            const double along = rounded(rounded(rounded(place * rounded(end - begin)) * last) / rounded(out - 1));
            return rounded(rounded(begin * last) + along);
        }
    }
    return place;
}

namespace detail {

/// The kernel of linear or cubic interpolation at a distance.
/// Cubic: R. Keys, Cubic convolution interpolation for digital image processing, 1981, with parameter a.
inline double resize_kernel(const resize_rule& rule, double distance) {
    const double d = std::abs(distance), k = rule.cubic_coefficient;
    if (rule.mode == interpolation::linear) return std::max(1 - d, 0.0);
    if (d <= 1) return ((k + 2) * d - (k + 3)) * d * d + 1;
    return d < 2 ? ((k * d - 5 * k) * d + 8 * k) * d - 4 * k : 0.0;
}

}  // namespace detail

resize_tap resize_tap_of(const resized_axis& a, const resize_rule& rule, std::int64_t x) {
    resize_tap tap;
    double c = original_coordinate(a, rule.coordinates, x);
    const auto last = static_cast<double>(a.in - 1);
    tap.outside = rule.coordinates == coordinate_mode::tf_crop_and_resize && !(c >= 0 && c <= last);
    // Farther outside nothing changes any more; this also keeps what follows within the integers. NaN goes to the beginning.
    const double beyond = last + 4;
    c = c > -beyond ? std::min(c, last + beyond) : -beyond;
    const auto inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, a.in - 1); };
    if (rule.mode == interpolation::nearest) {
        // What float32 leaves of a half still counts as a half.
        constexpr double half = 0.5, near = 1e-6;
        const double below = std::floor(c), part = c - below;
        const double nearest = rule.rounding == nearest_rounding::round_prefer_floor  ? (part <= half + near ? below : below + 1)
                               : rule.rounding == nearest_rounding::round_prefer_ceil ? (part < half - near ? below : below + 1)
                               : rule.rounding == nearest_rounding::floor             ? below
                                                                                      : std::ceil(c);
        tap.first = static_cast<std::int64_t>(nearest);
        tap.at[0] = inside(tap.first);
        return tap;
    }
    // Where an axis becomes shorter, antialiasing stretches the kernel by the inverse of the scale.
    const double shrink = rule.antialias && in_force<"ops.resize.antialias">() ? std::min(a.scale, 1.0) : 1.0;
    const auto reach = static_cast<std::int64_t>(std::ceil((rule.mode == interpolation::linear ? 1 : 2) / shrink));
    tap.first = static_cast<std::int64_t>(std::floor(c)) - reach + 1;
    tap.at.resize(static_cast<std::size_t>(2 * reach));
    tap.weight.resize(tap.at.size());
    double all = 0, kept = 0;
    for (std::size_t i = 0; i < tap.at.size(); ++i) {
        const std::int64_t at = tap.first + static_cast<std::int64_t>(i);
        const double weight = detail::resize_kernel(rule, shrink * (static_cast<double>(at) - c));
        tap.at[i] = inside(at);
        tap.weight[i] = rule.exclude_outside && tap.at[i] != at ? 0 : weight;
        all += weight;
        kept += tap.weight[i];
    }
    // Kernels that are not stretched have weights of sum 1.
    const double sum = rule.exclude_outside && kept != 0 ? kept : rule.antialias && all != 0 ? all : 1.0;
    if (sum != 1)
        for (double& w : tap.weight) w /= sum;
    return tap;
}

std::vector<resize_tap> resize_taps(const resized_axis& a, const resize_rule& rule) {
    std::vector<resize_tap> taps;
    taps.reserve(static_cast<std::size_t>(a.out));
    for (std::int64_t x = 0; x < a.out; ++x) {
        if (!a.is_identity()) {
            taps.push_back(resize_tap_of(a, rule, x));
            continue;
        }
        taps.emplace_back();
        taps.back().at[0] = taps.back().first = x;
    }
    return taps;
}

}  // namespace inlay

#endif
