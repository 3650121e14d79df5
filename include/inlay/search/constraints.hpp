// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINTS_HPP
#define INLAY_SEARCH_CONSTRAINTS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/search/problem.hpp>

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
};

/// The word for a rule.
[[nodiscard]] constexpr const char* name_of(constraint_rule rule) {
    switch (rule) {
        case constraint_rule::pin: return "pin";
        case constraint_rule::forbid: return "forbid";
        case constraint_rule::prefer: return "prefer";
        case constraint_rule::colocate: return "colocate";
        default: return "separate";
    }
}

/// One thing that a selection has to keep to, or had better.
struct constraint {
    constraint_rule rule = constraint_rule::pin;
    /// Distinct nodes of the problem.
    std::vector<node_id> nodes;
    /// Of pin, forbid and prefer: a label of `problem_candidate::backend`.
    backend_id backend = 0;
    /// Of prefer: finite, at least 0, in the problem's unit.
    double worth = 0;

    friend bool operator==(const constraint&, const constraint&) = default;
};

/// Whether constraints speak of a problem that `check` accepts: nodes that there are, each once, and preferences of a finite worth. The error
/// names the first that does not.
[[nodiscard]] inline outcome<void> check(const std::vector<constraint>& constraints, const problem& given) {
    std::vector<std::size_t> seen(given.nodes, 0);
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const constraint& one = constraints[i];
        const std::string here = "constraints[" + std::to_string(i) + "]";
        if (one.nodes.empty()) return error{here + " has no nodes, and would say nothing; give it some."};
        for (const node_id v : one.nodes) {
            if (v >= given.nodes)
                return error{here + " names node " + std::to_string(v) + ", but there are " + std::to_string(given.nodes) + " nodes, counted from 0; name one of them."};
            if (seen[v] == i + 1) return error{here + " names node " + std::to_string(v) + " twice; name it once."};
            seen[v] = i + 1;
        }
        if (one.rule == constraint_rule::prefer && !(one.worth >= 0 && one.worth < impossible))
            return error{here + " is worth no number of at least 0; give it one."};
    }
    return {};
}

}  // namespace inlay

#endif
