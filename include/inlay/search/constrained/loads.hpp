// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LOADS_HPP
#define INLAY_SEARCH_CONSTRAINED_LOADS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

namespace detail {

/// Prices as amounts: an impossible conversion is never paid, and counts nothing.
[[nodiscard]] inline std::vector<double> finite_prices(std::vector<double> prices) {
    for (double& price : prices)
        if (!std::isfinite(price)) price = 0;
    return prices;
}

}  // namespace detail

/// The cost itself as a quantity: every cover comes to what `cover_cost` says. A limit on it bounds the latency.
[[nodiscard]] inline quantity cost_as_quantity(const problem& given) {
    quantity made;
    for (const problem_candidate& c : given.candidates) made.of_candidate.push_back(c.cost);
    made.conversions = detail::finite_prices(given.conversions);
    for (const node_conversions& own : given.conversions_of) made.conversions_of.push_back({own.node, detail::finite_prices(own.prices)});
    return made;
}

/// The load of a device that some back ends run on: the costs of their candidates.
///
/// A conversion is done by the device whose format it turns a tensor into: `formats` are those that this device makes, and a conversion
/// into one of them counts with its price. With devices whose formats are disjoint and together all, the loads add up to the cost.
[[nodiscard]] inline quantity load_of(const problem& given, std::span<const backend_id> backends,
                                      std::span<const format_index> formats = {}) {
    const auto has = [](const auto& list, auto one) { return std::find(list.begin(), list.end(), one) != list.end(); };
    quantity made;
    for (const problem_candidate& c : given.candidates) made.of_candidate.push_back(has(backends, c.backend) ? c.cost : 0);
    if (formats.empty()) return made;
    const auto into = [&](const std::vector<double>& prices) {
        std::vector<double> amounts = detail::finite_prices(prices);
        for (std::size_t i = 0; i < amounts.size(); ++i)
            if (!has(formats, static_cast<format_index>(i % given.formats))) amounts[i] = 0;
        return amounts;
    };
    made.conversions = into(given.conversions);
    for (const node_conversions& own : given.conversions_of) made.conversions_of.push_back({own.node, into(own.prices)});
    return made;
}

}  // namespace inlay

#endif
