// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PARTITION_ALL_COVERS_HPP
#define INLAY_TESTS_PARTITION_ALL_COVERS_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/plan/piece_energies.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_quantities.hpp>
#include <inlay/search/constrained/live_bytes.hpp>
#include <inlay/search/constrained/loads.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/proof/verify_cover.hpp>

#include "../search/all_covers.hpp"

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
    for (inlay::known_cover& known : inlay::all_covers(index)) {
        std::sort(known.chosen.begin(), known.chosen.end());
        const inlay::cover_report report = inlay::verify_cover(given, known.chosen);
        if (!report.fault.empty()) continue;
        const double largest = inlay::largest_of(index, quantities, known.chosen);
        found.push_back({std::move(known.chosen), report.cost, largest});
    }
    return found;
}

/// A joule for each node of the second back end's, two for a candidate of the first, however many nodes it has; a tenth for a conversion.
struct counted_energies {
    [[nodiscard]] std::optional<double> operator()(const inlay::candidate& c) const {
        return c.backend == 0 ? 2.0 : static_cast<double>(c.nodes.size());
    }
    [[nodiscard]] double operator()(const inlay::tensor_type&, const inlay::format&, const inlay::format&) const { return 0.1; }
};

/// What an objective other than latency is the largest of, in a program that two back ends share.
[[nodiscard]] inline std::vector<inlay::quantity> amounts_of(inlay::plan_objective objective, const inlay::ir_module& m,
                                                             const inlay::selection_problem& stated) {
    if (objective == inlay::plan_objective::energy) {
        inlay::quantity joules;
        for (std::size_t k = 0; k < stated.candidate_of.size(); ++k) {
            const inlay::problem_candidate& c = stated.numbers.candidates[k];
            const bool is_free = stated.candidate_of[k] == inlay::selection_problem::none;
            joules.of_candidate.push_back(is_free ? 0 : c.backend == 0 ? 2 : static_cast<double>(c.nodes.size()));
        }
        joules.conversions = inlay::uniform_conversions(stated.numbers.formats, 0.1);
        return {joules};
    }
    if (objective == inlay::plan_objective::peak)
        return inlay::quantities_of(inlay::live_bytes(stated.numbers, inlay::tensor_bytes_of(m, stated)));
    const inlay::backend_id first[] = {0}, second[] = {1};
    return {inlay::load_of(stated.numbers, first), inlay::load_of(stated.numbers, second)};
}

}  // namespace covers

#endif
