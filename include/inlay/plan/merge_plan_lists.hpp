// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_MERGE_PLAN_LISTS_HPP
#define INLAY_PLAN_MERGE_PLAN_LISTS_HPP

#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/plan/plan_list.hpp>

namespace inlay {

/// One list of several, which are each about one program, with the same second objective: of all their plans those that no other beats.
/// What differs by rounding alone counts as the same, and of equal plans the first list's stays. Its programs are those of the lists, in
/// their order, and its bounds are about the plans of all. A list without points says by `beyond_costs` what plans of its program cost at
/// the least, and where that is not there, that the program has none.
[[nodiscard]] INLAY_FUNCTION plan_list merge_plan_lists(std::vector<plan_list> lists);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/plan/merge_plan_lists.ipp>
#endif

#endif
