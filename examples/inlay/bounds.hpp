// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_BOUNDS_HPP
#define INLAY_EXAMPLES_INLAY_BOUNDS_HPP

#include <optional>
#include <span>
#include <vector>

#include <inlay/cost/meter.hpp>
#include <inlay/cost/roofline.hpp>

namespace tool {

/// Peaks that no machine of today exceeds.
[[nodiscard]] inlay::machine_peaks highest_peaks(double threads);

/// Lower bounds of prices: what the work of a region, or of a conversion, takes at these peaks; without peaks, 0.
struct lower_bounds {
    std::optional<inlay::machine_peaks> peaks;

    [[nodiscard]] double operator()(const inlay::region_view& r) const;
    [[nodiscard]] double operator()(const inlay::tensor_type& type, const inlay::format& from, const inlay::format& to) const;
};

/// Prices by the roofline model of an ordinary core: for plans without measuring (`--costs model`). A model of `meter`.
struct model_meter {
    double threads = 1;

    [[nodiscard]] std::vector<inlay::measurement> price(std::span<const inlay::pricing_job> jobs) const;
};

}  // namespace tool

#endif
