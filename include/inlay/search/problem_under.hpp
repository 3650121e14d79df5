// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROBLEM_UNDER_HPP
#define INLAY_SEARCH_PROBLEM_UNDER_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// A problem in which preferences that are not kept cost what they are worth: candidates of other back ends are dearer by that for each
/// node.
[[nodiscard]] INLAY_FUNCTION problem with_preferences(const problem& given, std::span<const constraint> constraints);

/// Per candidate, 0 where a constraint rules it out by itself.
[[nodiscard]] INLAY_FUNCTION std::vector<std::uint8_t> admitted_by(const problem_index& index, std::span<const constraint> constraints);

/// The plain problem that constraints make of one: preferences make candidates dearer, pins, forbids, keeps and part limits take candidates
/// away. Its covers are those that keep to these constraints, at the cost that `select_constrained` gives. Colocations and separations are
/// left out: with them it has more covers, and its lower bounds hold all the same. `number`, where given, gets for each candidate what it
/// was numbered before. Every node must be in some candidate; in what is made, it need not.
[[nodiscard]] INLAY_FUNCTION problem problem_under(const problem& given, std::span<const constraint> constraints,
                                                   std::vector<candidate_index>* number = nullptr);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/problem_under.ipp>
#endif

#endif
