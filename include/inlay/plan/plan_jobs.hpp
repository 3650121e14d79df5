// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_JOBS_HPP
#define INLAY_PLAN_PLAN_JOBS_HPP

#include <cstddef>
#include <vector>

#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/plan.hpp>

namespace inlay {

/// A conversion of a cut as a meter prices it; one between memories is none that a meter can price.
template <attributed_graph G>
[[nodiscard]] pricing_job job_of(const G& g, const conversion& c) {
    return pricing_job::of(static_cast<const node_type&>(g.type(c.tensor)).of_tensor, c.from, c.to);
}

/// The pieces of a plan's choice as a meter prices them: its candidates in their order, then the conversions of its cut. The plan must
/// outlive them.
template <attributed_graph G>
[[nodiscard]] std::vector<pricing_job> jobs_of(const G& g, const plan& p) {
    std::vector<pricing_job> all;
    all.reserve(p.chosen.chosen.size() + p.cut.conversions.size());
    for (const std::size_t number : p.chosen.chosen) all.push_back(pricing_job::of(p.set.candidates[number]));
    for (const conversion& c : p.cut.conversions) all.push_back(job_of(g, c));
    return all;
}

}  // namespace inlay

#endif
