// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/merge_plan_lists.ipp>
#include <inlay/plan/plan_list_of.ipp>
#include <inlay/plan/plan_of.ipp>
#include <inlay/plan/select_under_constraints.ipp>
#include <inlay/plan/solve_once.ipp>
#include <inlay/plan/stated_constraints.ipp>
