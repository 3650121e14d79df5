// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_BOUNDS_HPP
#define INLAY_EXAMPLES_INLAY_BOUNDS_HPP

#include <span>
#include <vector>

#include <inlay/cost/meter.hpp>
#include <inlay/cost/roofline.hpp>

namespace tool {

/// Lower bounds of prices: what the work of a region, or of a conversion, takes at peaks that no machine of today exceeds.
struct lower_bounds {
    double threads = 1;

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
