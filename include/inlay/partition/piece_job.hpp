// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PIECE_JOB_HPP
#define INLAY_PARTITION_PIECE_JOB_HPP

#include <optional>
#include <vector>

#include <inlay/candidate/region.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/partition/plan.hpp>

namespace inlay {

/// A piece of a cut as a meter prices it: a candidate's region on its back end, or a conversion. Refers to the graph.
struct piece_job {
    std::optional<region> body;  // what the job's view refers to
    pricing_job job;
};

/// Makes the jobs of one graph's pieces. Refers to the graph.
template <attributed_graph G>
class piece_jobs {
public:
    explicit piece_jobs(const G& g) : g_(&g), users_(g), results_(results_of(g)) {}

    [[nodiscard]] piece_job operator()(const candidate& c) const {
        piece_job made;
        made.body.emplace(*g_, users_, results_, c.nodes);
        made.job = pricing_job::of(c.backend, made.body->view(c.formats.inputs, c.formats.results));
        return made;
    }
    [[nodiscard]] piece_job operator()(const conversion& c) const {
        return {std::nullopt, pricing_job::of(static_cast<const node_type&>(g_->type(c.tensor)).of_tensor, c.from, c.to)};
    }
    /// The pieces of a plan's choice: its candidates in their order, then the conversions of its cut.
    [[nodiscard]] std::vector<piece_job> operator()(const plan& p) const {
        std::vector<piece_job> all;
        all.reserve(p.chosen.chosen.size() + p.cut.conversions.size());
        for (const std::size_t number : p.chosen.chosen) all.push_back((*this)(p.set.candidates[number]));
        for (const conversion& c : p.cut.conversions) all.push_back((*this)(c));
        return all;
    }

private:
    const G* g_;
    user_lists users_;
    std::vector<node_id> results_;
};

}  // namespace inlay

#endif
