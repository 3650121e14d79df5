// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_RESIZE_TAPS_HPP
#define INLAY_OPS_LOOPS_RESIZE_TAPS_HPP

#include <cstdint>
#include <vector>

#include <inlay/core/linkage.hpp>

namespace inlay {

/// How a resized place is turned into one of the original axis.
enum class coordinate_mode : std::uint8_t {
    half_pixel,
    half_pixel_symmetric,
    pytorch_half_pixel,
    align_corners,
    asymmetric,
    tf_crop_and_resize,
    tf_half_pixel_for_nn
};
enum class interpolation : std::uint8_t { nearest, linear, cubic };
enum class nearest_rounding : std::uint8_t { round_prefer_floor, round_prefer_ceil, floor, ceil };

/// The attributes of a Resize that say what it computes.
struct resize_rule {
    coordinate_mode coordinates = coordinate_mode::half_pixel;
    interpolation mode = interpolation::nearest;
    nearest_rounding rounding = nearest_rounding::round_prefer_floor;
    double cubic_coefficient = -0.75;
    bool exclude_outside = false;
    double extrapolation = 0;
    bool antialias = false;  // linear and cubic kernels are stretched where an axis becomes shorter
};

/// One axis of a Resize: extents before and after, the factor, and the part of the axis that is cropped (`tf_crop_and_resize`).
struct resized_axis {
    std::int64_t in = 1, out = 1;
    double scale = 1, crop_begin = 0, crop_end = 1;
    bool keeps = false;     // whether the extent stays, be it known or not
    bool by_scale = false;  // the model gives the factor; `out` is then `in` times the factor, rounded down

    /// Whether each place of the result is the same place of the operand, for every rule.
    [[nodiscard]] bool is_identity() const { return in == out && scale == 1 && crop_begin == 0 && crop_end == 1; }
};

/// The elements of the original axis that make one resized place, with their weights. A place that is `outside` has the extrapolation
/// value instead.
struct resize_tap {
    std::vector<std::int64_t> at{0};  // clamped to the axis
    std::vector<double> weight{1.0};
    std::int64_t first = 0;  // the first element before clamping; the others follow it one by one
    bool outside = false;
};

/// Returns where resized place `x` lies on the original axis. Each step is rounded to float32, so that halves and integers are met where
/// ONNX Runtime meets them.
[[nodiscard]] INLAY_FUNCTION double original_coordinate(const resized_axis& a, coordinate_mode mode, std::int64_t x);

/// Returns the elements that make resized place `x`. Elements beyond the axis are its nearest end's, unless they are excluded.
[[nodiscard]] INLAY_FUNCTION resize_tap resize_tap_of(const resized_axis& a, const resize_rule& rule, std::int64_t x);

/// Returns the taps of all resized places of an axis; of an identity, each place itself. Precondition: `in` is positive if `out` is.
[[nodiscard]] INLAY_FUNCTION std::vector<resize_tap> resize_taps(const resized_axis& a, const resize_rule& rule);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/resize_taps.ipp>
#endif

#endif
