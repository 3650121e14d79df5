// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_DECISION_KEY_HPP
#define INLAY_PLAN_DECISION_KEY_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/candidate/content_key.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/plan/plan_record.hpp>
#include <inlay/plan/recorded_plan.hpp>

namespace inlay {

/// The key under which a decided plan is kept: of the graph, names included since plans go by them, of the back ends that took part, and of
/// `asked`, which stands for all else that the decision was asked with (partitioner, constraints, machine, threads). Weights count by type
/// alone, as they do in prices. It says nothing of prices: what was decided is as good as the prices of that day. Linear in the graph.
template <attributed_graph G, class Names = plan_names>
[[nodiscard]] digest decision_key(const G& g, std::span<const recorded_target> targets, const digest& asked, const Names& names = {}) {
    digest_builder b;
    b.add("decision").add(asked).add(std::uint64_t{targets.size()});
    for (const recorded_target& t : targets) b.add(t.target).add(t.version);
    b.add(static_cast<std::uint64_t>(g.size()));
    for (node_id n = 0; n < g.size(); ++n) {
        b.add(static_cast<std::uint64_t>(kind_of(g, n))).add(static_cast<std::uint64_t>(block_of(g, n)));
        b.add(g.op(n)).add(names(g, n)).add(content_of(g.attributes(n)));
        detail::feed_key(b, g.type(n));
        const tensor* const value = g.constant(n);
        const bool by_value = value != nullptr && value_matters(*value);
        b.add(static_cast<std::uint64_t>(by_value));
        if (by_value) b.add(value->content());
        b.add(static_cast<std::uint64_t>(g.arity(n)));
        for (std::size_t i = 0; i < g.arity(n); ++i) b.add(static_cast<std::uint64_t>(g.operand(n, i)));
        if constexpr (functional_graph<G>) b.add(static_cast<std::uint64_t>(g.field(n))).add(g.symbol(n));
    }
    const auto results = results_of(g);
    b.add(static_cast<std::uint64_t>(results.size()));
    for (const node_id n : results) b.add(static_cast<std::uint64_t>(n));
    return b.finish();
}

}  // namespace inlay

#endif
