// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLAN_QUANTITIES_HPP
#define INLAY_PLAN_PLAN_QUANTITIES_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/partition/part_size.hpp>
#include <inlay/plan/piece_energies.hpp>
#include <inlay/plan/plan_limit.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/planning_problem.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/live_bytes.hpp>
#include <inlay/search/constrained/loads.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// The bytes of the constants that candidates of these back ends read: each constant of the graph counts once, however many chosen
/// candidates read it, with its row-major size.
template <typed_graph G>
[[nodiscard]] quantity constant_bytes(const G& g, const candidate_set& set, const selection_problem& stated,
                                      std::span<const backend_id> backends) {
    std::map<node_id, std::vector<candidate_index>> readers;
    for (std::size_t k = 0; k < stated.candidate_of.size(); ++k) {
        if (stated.candidate_of[k] == selection_problem::none) continue;
        const candidate& c = set.candidates[stated.candidate_of[k]];
        if (std::find(backends.begin(), backends.end(), c.backend) == backends.end()) continue;
        for (const node_id n : c.nodes)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const node_id from = g.operand(n, i);
                if (kind_of(g, from) != node_kind::constant) continue;
                std::vector<candidate_index>& users = readers[from];
                if (users.empty() || users.back() != k) users.push_back(static_cast<candidate_index>(k));
            }
    }
    quantity made;
    for (auto& [from, users] : readers) made.shared.push_back({plain_bytes(g.type(from)), std::move(users)});
    return made;
}

/// The bytes of the tensors of a stated problem, each in each format: those of inputs and of what is computed, none for sinks. Results
/// live until the end.
template <typed_graph G>
[[nodiscard]] tensor_bytes tensor_bytes_of(const G& g, const selection_problem& stated) {
    tensor_bytes made;
    const std::size_t formats = stated.numbers.formats;
    made.of_node.assign(stated.numbers.nodes * formats, 0);
    // A sink comes after the node whose result it takes.
    std::vector<char> is_known(g.size(), 0);
    std::vector<node_id> number(g.size(), no_node);
    for (node_id v = 0; v < stated.numbers.nodes; ++v) {
        const node_id n = stated.node_of[v];
        if (std::exchange(is_known[n], 1) != 0) {
            made.results.push_back(number[n]);
            continue;
        }
        number[n] = v;
        const node_type& type = g.type(n);
        for (std::size_t f = 0; f < formats; ++f) {
            double& bytes = made.of_node[v * formats + f];
            bytes = type.is_tensor() && type.of_tensor.is_static() && f < stated.formats.size()
                        ? static_cast<double>(stored_bytes(static_shape(type.of_tensor), stated.formats[f]))
                        : plain_bytes(type);
        }
    }
    return made;
}

/// What `plan_options::energies` say of each candidate of a question that is about this objective; empty where it is not energy, or where
/// they say nothing. Asked once for a question, and once for all candidates of equal content, as prices are: an accelerator looks for its
/// schedule to answer.
[[nodiscard]] inline std::vector<std::optional<double>> joules_of(const planning_problem& question, plan_objective objective) {
    std::vector<std::optional<double>> made;
    const piece_energies& energies = question.options.energies;
    if (objective != plan_objective::energy || !energies) return made;
    std::map<digest, std::optional<double>> known;
    for (const candidate& c : question.set.candidates) {
        const auto [at, is_new] = known.try_emplace(question.backends.content(pricing_job::of(c)));
        if (is_new) at->second = energies(c);
        made.push_back(at->second);
    }
    return made;
}

/// The joules of a stated question's candidates, as the question has them, and of its conversions. The error tells a back end that states
/// none.
[[nodiscard]] inline outcome<quantity> energy_of(const planning_problem& question, const selection_problem& stated) {
    const piece_energies& energies = question.options.energies;
    if (!energies) return error{"the objective energy needs to know what pieces take; set `plan_options::energies`"};
    quantity made;
    made.of_candidate.assign(stated.candidate_of.size(), 0);
    for (std::size_t k = 0; k < stated.candidate_of.size(); ++k) {
        if (stated.candidate_of[k] == selection_problem::none) continue;
        const std::optional<double>& joules = question.joules[stated.candidate_of[k]];
        if (!joules)
            return error{"nobody says what energy back end '" +
                         std::string(question.backends.kind(question.set.candidates[stated.candidate_of[k]].backend)) +
                         "' takes; leave it out, or choose another objective"};
        made.of_candidate[k] = *joules;
    }
    const std::size_t formats = stated.formats.size();
    for (const node_conversions& own : stated.numbers.conversions_of) {
        node_conversions table{own.node, std::vector<double>(own.prices.size(), 0)};
        const node_type& type = question.graph.type(stated.node_of[own.node]);
        for (std::size_t f = 0; f < formats; ++f)
            for (std::size_t t = 0; t < formats; ++t)
                if (f != t) table.prices[f * formats + t] = energies(type.of_tensor, stated.formats[f], stated.formats[t]);
        made.conversions_of.push_back(std::move(table));
    }
    return made;
}

/// The amounts of which the largest is what an objective is about: the bytes at each position that matters, or the load of each of these
/// back ends; none for latency, which is the price itself, nor for energy.
template <typed_graph G>
[[nodiscard]] std::vector<quantity> amounts_of(const G& g, const selection_problem& stated, plan_objective objective,
                                               std::span<const std::size_t> backends) {
    std::vector<quantity> made;
    if (objective == plan_objective::peak) return quantities_of(live_bytes(stated.numbers, tensor_bytes_of(g, stated)));
    if (objective != plan_objective::load) return made;
    for (const std::size_t b : backends) {
        const backend_id one[] = {static_cast<backend_id>(b)};
        made.push_back(load_of(stated.numbers, one));
    }
    return made;
}

/// Those of a question, energy included; the error is `energy_of`'s.
[[nodiscard]] inline outcome<std::vector<quantity>> amounts_of(const planning_problem& question, const selection_problem& stated,
                                                               plan_objective objective) {
    if (objective != plan_objective::energy) return amounts_of(question.graph, stated, objective, question.backends.chosen());
    auto joules = energy_of(question, stated);
    if (!joules) return joules.failure();
    return std::vector<quantity>{*std::move(joules)};
}

/// What a limit on a plan says of the stated problem: one limit, or for the peak one for each position that matters, all with the text as
/// name.
template <typed_graph G>
[[nodiscard]] std::vector<limit> limits_of(const G& g, const candidate_set& set, const selection_problem& stated, const plan_limit& one) {
    std::vector<limit> made;
    switch (one.of) {
        case plan_amount::seconds:
            made.push_back({cost_as_quantity(stated.numbers), one.most, one.text});
            break;
        case plan_amount::load:
            made.push_back({load_of(stated.numbers, one.backends), one.most, one.text});
            break;
        case plan_amount::constant_bytes:
            made.push_back({constant_bytes(g, set, stated, one.backends), one.most, one.text});
            break;
        case plan_amount::peak_bytes:
            for (quantity& q : amounts_of(g, stated, plan_objective::peak, {})) made.push_back({std::move(q), one.most, one.text});
    }
    return made;
}

}  // namespace inlay

#endif
