// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_SOLVER_FILES_HPP
#define INLAY_BENCHMARKS_SEARCH_SOLVER_FILES_HPP

#include <optional>
#include <string>
#include <vector>

#include <inlay/search/problem_index.hpp>

namespace bench {

/// Candidates of which not all may be chosen.
using no_good = std::vector<inlay::candidate_index>;

/// The tables of a file for a weighted constraint solver may have so many entries in all.
inline constexpr double most_wcsp_entries = 2e7;

/// How many table entries `wcsp_text` would have.
[[nodiscard]] double wcsp_entries(const inlay::problem_index& index);

/// A problem as a weighted constraint network (toulbar2's WCSP), in grains of `price_grain`. Variable v says which of the candidates
/// that cover node v is chosen; a candidate pays in equal shares at its nodes. Where several nodes read a tensor and conversions
/// are shared, one more variable, of sets of formats, stands for the tensor. Cycles between parts are left to `forbidden`.
/// Costs of `top` and more are forbidden. For problems without `in_of` and
/// `out_of` whose candidates are connected or have two nodes.
[[nodiscard]] std::string wcsp_text(const inlay::problem_index& index, const std::vector<no_good>& forbidden, double top);

/// The candidates that a solution of `wcsp_text` means: the value numbers of all variables, in order. None where it is no such thing.
[[nodiscard]] std::optional<std::vector<inlay::candidate_index>> wcsp_choice(const inlay::problem_index& index,
                                                                             const std::string& solution);

/// A problem as a mixed integer program (CPLEX LP format): a binary for each candidate, each node covered once; conversions are flows
/// from the format in which a tensor is given to the one in which it is wanted, or, shared, conversions bought for a tensor. Both
/// need no integrality of their own.
[[nodiscard]] std::string lp_text(const inlay::problem_index& index, const std::vector<no_good>& forbidden);

/// The candidates that a solution file of CBC for `lp_text` names; none where it has no solution.
[[nodiscard]] std::optional<std::vector<inlay::candidate_index>> lp_choice(const std::string& solution);

}  // namespace bench

#endif
