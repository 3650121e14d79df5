// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_PRICE_HPP
#define INLAY_COST_PRICE_HPP

#include <concepts>
#include <optional>

#include <inlay/candidate/region_view.hpp>

namespace inlay {

/// It prices a region with `price(region)`: seconds per run where it knows them itself (a cycle model, a table), nothing where the
/// region is to be measured.
template <class B>
concept has_price = requires(const B& b, const region_view& r) {
    { b.price(r) } -> std::convertible_to<std::optional<double>>;
};

}  // namespace inlay

#endif
