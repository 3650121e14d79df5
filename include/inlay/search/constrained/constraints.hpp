// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_CONSTRAINTS_HPP
#define INLAY_SEARCH_CONSTRAINED_CONSTRAINTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// What a constraint says of its nodes.
enum class constraint_rule : std::uint8_t {
    /// They are covered by that back end.
    pin,
    /// They are not covered by that back end.
    forbid,
    /// They had better be covered by that back end: for each that is not, `worth` is added to what the selection costs.
    prefer,
    /// They are covered by one back end, whichever.
    colocate,
    /// No two of them are covered by the same back end.
    separate,
    /// They are one part of the cover, exactly they, by that back end.
    keep,
    /// No part of that back end has more than `most` of them. With `amounts`: no candidate of it is chosen whose amount is above `most`.
    part_limit,
    /// They are covered by that back end, by parts that cover nothing else.
    within,
};

/// The word for a rule.
[[nodiscard]] constexpr const char* name_of(constraint_rule rule) {
    switch (rule) {
        case constraint_rule::pin:
            return "pin";
        case constraint_rule::forbid:
            return "forbid";
        case constraint_rule::prefer:
            return "prefer";
        case constraint_rule::colocate:
            return "colocate";
        case constraint_rule::separate:
            return "separate";
        case constraint_rule::keep:
            return "keep";
        case constraint_rule::part_limit:
            return "part_limit";
        default:
            return "within";
    }
}

/// One thing that a selection has to keep to, or had better.
struct constraint {
    constraint_rule rule = constraint_rule::pin;
    /// Distinct nodes of the problem. Of part_limit they may be missing: then all are meant.
    std::vector<node_id> nodes;
    /// Of pin, forbid, prefer, keep, part_limit and within: a label of `problem_candidate::backend`.
    backend_id backend = 0;
    /// Of prefer: finite, at least 0, in the problem's unit.
    double worth = 0;
    /// Of part_limit: the most nodes, or the most of `amounts`; a number of at least 0.
    double most = 0;
    /// Of part_limit: what each candidate of the problem comes to, finite, at least 0; empty: its nodes are counted. With nodes and
    /// amounts, candidates that cover at least one of the nodes are meant.
    std::vector<double> amounts{};

    friend bool operator==(const constraint&, const constraint&) = default;
};

/// Whether constraints speak of a problem that `check` accepts: nodes that there are, each once, preferences of a finite worth, limits and
/// amounts that are numbers of at least 0. The error names the first that does not.
[[nodiscard]] inline outcome<void> check(const std::vector<constraint>& constraints, const problem& given) {
    std::vector<std::size_t> seen(given.nodes, 0);
    double worth = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const constraint& one = constraints[i];
        const std::string here = "constraints[" + std::to_string(i) + "]";
        if (one.nodes.empty() && one.rule != constraint_rule::part_limit)
            return error{here + " has no nodes, and would say nothing; give it some."};
        for (const node_id v : one.nodes) {
            if (v >= given.nodes)
                return error{here + " names node " + std::to_string(v) + ", but there are " + std::to_string(given.nodes) +
                             " nodes, counted from 0; name one of them."};
            if (seen[v] == i + 1) return error{here + " names node " + std::to_string(v) + " twice; name it once."};
            seen[v] = i + 1;
        }
        if (one.rule == constraint_rule::prefer && !(one.worth >= 0 && one.worth < impossible))
            return error{here + " is worth no number of at least 0; give it one."};
        if (one.rule == constraint_rule::prefer) worth += one.worth * static_cast<double>(one.nodes.size());
        if (!(worth <= largest_total))
            return error{"the preferences up to " + here +
                         " may be worth more than 1e300 together, so that totals would leave the range of double; choose a larger unit."};
        if (one.rule != constraint_rule::part_limit) continue;
        if (!(one.most >= 0)) return error{here + " allows for no number of at least 0; give it one."};
        if (!one.amounts.empty() && one.amounts.size() != given.candidates.size())
            return error{here + " has " + std::to_string(one.amounts.size()) + " amounts, but there are " +
                         std::to_string(given.candidates.size()) + " candidates; give one for each, or none."};
        for (std::size_t c = 0; c < one.amounts.size(); ++c)
            if (!(one.amounts[c] >= 0 && one.amounts[c] < impossible))
                return error{here + " has amount " + std::to_string(c) + " that is no finite number of at least 0; give one."};
    }
    return {};
}

/// Whether a constraint says by itself that a candidate may not be chosen: pin, forbid, keep, part_limit and within are nothing but this.
/// `index` is of the problem that the constraint speaks of.
[[nodiscard]] inline bool rules_out(const constraint& one, const problem_index& index, candidate_index c) {
    const auto members = index.members(c);
    const backend_id backend = index.of().candidates[c].backend;
    const auto of_it = static_cast<std::size_t>(
        std::count_if(one.nodes.begin(), one.nodes.end(), [&](node_id v) { return problem_index::has(members, v); }));
    switch (one.rule) {
        case constraint_rule::pin:
            return of_it != 0 && backend != one.backend;
        case constraint_rule::forbid:
            return of_it != 0 && backend == one.backend;
        case constraint_rule::keep:
            return of_it != 0 && (backend != one.backend || of_it != one.nodes.size() || of_it != members.size());
        case constraint_rule::within:
            return of_it != 0 && (backend != one.backend || of_it != members.size());
        case constraint_rule::part_limit:
            if (backend != one.backend || (!one.nodes.empty() && of_it == 0)) return false;
            return (one.amounts.empty() ? static_cast<double>(one.nodes.empty() ? members.size() : of_it) : one.amounts[c]) > one.most;
        default:
            return false;
    }
}

}  // namespace inlay

#endif
