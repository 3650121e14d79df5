// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CANDIDATE_RULES_CLOSURE_HPP
#define INLAY_TESTS_CANDIDATE_RULES_CLOSURE_HPP

#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "../lettered_graph.hpp"

/// What combining comes to, by trying everything again and again until nothing is new. Slow and short.
struct closure {
    using list = std::vector<inlay::node_id>;

    const inlay::dataflow& flow;
    std::size_t max_depth = 0;
    std::vector<std::pair<inlay::op_kind, inlay::op_kind>> pairs{};  // of kinds: upstream, downstream
    bool tuple_arguments = false, tuple_projections = false, constant_arguments = false;
    bool skips_old_upstream = false;  // the mistake: a pair with an old upstream is not looked at, even if its downstream is new

    [[nodiscard]] std::set<list> of(const std::vector<inlay::ruled_subgraph>& begun_with) const {
        std::vector<inlay::subgraph> all;
        std::set<list> seen;
        const auto add = [&](std::vector<inlay::subgraph>& to, const inlay::node_set& nodes, bool is_checked) {
            inlay::subgraph s(flow, nodes);
            if (is_checked && max_depth != 0 && s.depth() > max_depth) return;
            if (seen.insert(nodes.list()).second) to.push_back(std::move(s));
        };
        for (const inlay::ruled_subgraph& c : begun_with) add(all, c.part.nodes(), false);
        std::size_t first_new = 0;
        while (first_new < all.size()) {
            std::vector<inlay::subgraph> fresh;
            const auto join = [&](const inlay::node_set& nodes) { add(fresh, nodes, true); };
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t j = 0; j < all.size(); ++j) {
                    if (i == j || (skips_old_upstream && i < first_new) || !touching(flow, all[i], all[j])) continue;
                    for (const auto& [up, down] : pairs)
                        if (all[i].kind() <= up && all[j].kind() <= down) join(all[i].nodes() | all[j].nodes());
                }
            for (const inlay::subgraph& s : all) {
                inlay::node_set constants;
                for (const inlay::node_id n : s.inputs())
                    if (flow.kind(n) == inlay::node_kind::constant) constants.add(n);
                if (constant_arguments) join(s.nodes() | constants);
                for (const inlay::node_id n : s.outputs())
                    if (tuple_projections && flow.kind(n) == inlay::node_kind::projection) join(s.nodes() | inlay::node_set{n});
                for (const inlay::node_id t : s.inputs())
                    if (tuple_arguments && flow.kind(t) == inlay::node_kind::tuple && s.kind() <= inlay::op_kind::injective)
                        each_choice(s, all, t, 0, {}, [&](const std::vector<std::size_t>& makers) {
                            inlay::node_set nodes = s.nodes() | inlay::node_set{t};
                            for (const std::size_t m : makers) {
                                if (!disjoint(nodes, all[m].nodes())) return;
                                nodes = nodes | all[m].nodes();
                            }
                            join(nodes);
                        });
            }
            first_new = all.size();
            for (inlay::subgraph& s : fresh) all.push_back(std::move(s));
        }
        return seen;
    }

private:
    using use_choice = std::function<void(const std::vector<std::size_t>&)>;

    /// Each way to give every field of a tuple that its reader does not make itself a maker, the same maker once.
    void each_choice(const inlay::subgraph& reader, const std::vector<inlay::subgraph>& all, inlay::node_id tuple, std::size_t field,
                     std::vector<std::size_t> makers, const use_choice& use) const {
        if (field == flow.arity(tuple)) return use(makers);
        if (reader.nodes().has(flow.operand(tuple, field))) return each_choice(reader, all, tuple, field + 1, std::move(makers), use);
        for (std::size_t m = 0; m < all.size(); ++m) {
            if (all[m].kind() > inlay::op_kind::injective || !all[m].exits().has(flow.operand(tuple, field))) continue;
            std::vector<std::size_t> more = makers;
            if (std::find(more.begin(), more.end(), m) == more.end()) more.push_back(m);
            each_choice(reader, all, tuple, field + 1, std::move(more), use);
        }
    }
};

#endif
