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

#include <inlay/graph/attribute.hpp>

namespace inlay {

double original_coordinate(const resized_axis& a, coordinate_mode mode, std::int64_t x) {
    const auto place = static_cast<double>(x), in = static_cast<double>(a.in), out = static_cast<double>(a.out);
    switch (mode) {
        case coordinate_mode::half_pixel:
            return (place + 0.5) / a.scale - 0.5;
        case coordinate_mode::half_pixel_symmetric: {
            const double adjustment = out / (a.scale * in);
            return in / 2 * (1 - adjustment) + (place + 0.5) / a.scale - 0.5;
        }
        case coordinate_mode::pytorch_half_pixel:
            return a.out > 1 ? (place + 0.5) / a.scale - 0.5 : 0.0;
        case coordinate_mode::align_corners:
            // ONNX's own expectations take the resized length before it is rounded down.
            return a.out > 1 ? place * (in - 1) / (a.scale * in - 1) : 0.0;
        case coordinate_mode::asymmetric:
            return place / a.scale;
        case coordinate_mode::tf_half_pixel_for_nn:
            return (place + 0.5) / a.scale;
        case coordinate_mode::tf_crop_and_resize:
            if (a.out > 1) return a.crop_begin * (in - 1) + place * (a.crop_end - a.crop_begin) * (in - 1) / (out - 1);
            return 0.5 * (a.crop_begin + a.crop_end) * (in - 1);
    }
    return place;
}

resize_tap resize_tap_of(const resized_axis& a, const resize_rule& rule, std::int64_t x) {
    resize_tap tap;
    double c = original_coordinate(a, rule.coordinates, x);
    const auto last = static_cast<double>(a.in - 1);
    tap.outside = rule.coordinates == coordinate_mode::tf_crop_and_resize && !(c >= 0 && c <= last);
    // Beyond one step outside nothing changes any more; this also keeps what follows within the integers. NaN goes to the beginning.
    c = c > -4 ? std::min(c, last + 4) : -4;
    const auto inside = [&](double at) { return static_cast<std::int64_t>(std::clamp(at, 0.0, last)); };
    const double below = std::floor(c), ratio = c - below;
    switch (rule.mode) {
        case interpolation::nearest:
            switch (rule.rounding) {
                case nearest_rounding::round_prefer_floor:
                    tap.at[0] = inside(std::ceil(c - 0.5));
                    break;
                case nearest_rounding::round_prefer_ceil:
                    tap.at[0] = inside(std::floor(c + 0.5));
                    break;
                case nearest_rounding::floor:
                    tap.at[0] = inside(below);
                    break;
                case nearest_rounding::ceil:
                    tap.at[0] = inside(std::ceil(c));
                    break;
            }
            break;
        case interpolation::linear:
            tap.count = 2;
            tap.at[0] = inside(below);
            tap.at[1] = inside(below + 1);
            tap.weight[0] = 1 - ratio;
            tap.weight[1] = ratio;
            break;
        case interpolation::cubic: {
            // R. Keys, Cubic convolution interpolation for digital image processing, 1981: the kernel of parameter a.
            const double k = rule.cubic_coefficient;
            const auto near = [&](double d) { return ((k + 2) * d - (k + 3)) * d * d + 1; };
            const auto far = [&](double d) { return ((k * d - 5 * k) * d + 8 * k) * d - 4 * k; };
            const double weights[4] = {far(1 + ratio), near(ratio), near(1 - ratio), far(2 - ratio)};
            double sum = 0;
            tap.count = 4;
            for (int i = 0; i < 4; ++i) {
                const double at = below - 1 + i;
                tap.at[i] = inside(at);
                tap.weight[i] = rule.exclude_outside && (at < 0 || at > last) ? 0 : weights[i];
                sum += tap.weight[i];
            }
            if (rule.exclude_outside && sum != 0)
                for (double& w : tap.weight) w /= sum;
            break;
        }
    }
    return tap;
}

std::vector<resize_tap> resize_taps(const resized_axis& a, const resize_rule& rule) {
    std::vector<resize_tap> taps;
    taps.reserve(static_cast<std::size_t>(a.out));
    for (std::int64_t x = 0; x < a.out; ++x) taps.push_back(resize_tap_of(a, rule, x));
    return taps;
}

}  // namespace inlay

#endif
