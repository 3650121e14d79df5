// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PARTITION_ALL_COVERS_HPP
#define INLAY_TESTS_PARTITION_ALL_COVERS_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/quantity.hpp>
#include <inlay/search/verify_cover.hpp>

namespace covers {

/// Prices conversions at a fifth of a second; bounds that are the prices themselves, and nothing for regions.
struct flat_meter {
    [[nodiscard]] std::vector<inlay::measurement> price(std::span<const inlay::pricing_job> jobs) const {
        const double sample[] = {0.2};
        return std::vector<inlay::measurement>(jobs.size(), inlay::measurement::of(sample));
    }
};
struct flat_bound {
    double operator()(const inlay::region_view&) const { return 0; }
    double operator()(const inlay::tensor_type&, const inlay::format&, const inlay::format&) const { return 0.2; }
};

/// A cover, its cost, and the largest of some quantities that it comes to.
struct weighed {
    std::vector<inlay::candidate_index> chosen;
    double cost = 0;
    double largest = 0;
};

/// Every cover of a small problem, found by trying.
[[nodiscard]] inline std::vector<weighed> all_of(const inlay::problem& given, std::span<const inlay::quantity> quantities) {
    const inlay::problem_index index(given);
    std::vector<weighed> found;
    std::vector<inlay::candidate_index> chosen;
    std::vector<char> covered(given.nodes, 0);
    const auto go = [&](const auto& again) -> void {
        const auto open = std::find(covered.begin(), covered.end(), 0);
        if (open == covered.end()) {
            std::vector<inlay::candidate_index> sorted = chosen;
            std::sort(sorted.begin(), sorted.end());
            const inlay::cover_report report = inlay::verify_cover(given, sorted);
            if (!report.fault.empty()) return;
            weighed one{sorted, report.cost, 0};
            for (const inlay::quantity& q : quantities) one.largest = std::max(one.largest, inlay::quantity_of(index, q, sorted).value());
            found.push_back(std::move(one));
            return;
        }
        for (const inlay::candidate_index c : index.covering(static_cast<inlay::node_id>(open - covered.begin()))) {
            const auto members = index.members(c);
            if (std::any_of(members.begin(), members.end(), [&](inlay::node_id v) { return covered[v] != 0; })) continue;
            for (const inlay::node_id v : members) covered[v] = 1;
            chosen.push_back(c);
            again(again);
            chosen.pop_back();
            for (const inlay::node_id v : members) covered[v] = 0;
        }
    };
    go(go);
    return found;
}

}  // namespace covers

#endif
