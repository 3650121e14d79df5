// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_PARTITION_RULES_HPP
#define INLAY_CANDIDATE_PARTITION_RULES_HPP

// All partition rules and all combiners; a header of `candidate/rules/` has one of them.

#include <inlay/candidate/rules/by_kind.hpp>
#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/composite_rule.hpp>
#include <inlay/candidate/rules/constant_argument.hpp>
#include <inlay/candidate/rules/fusion_style.hpp>
#include <inlay/candidate/rules/host_rule.hpp>
#include <inlay/candidate/rules/kind_rule.hpp>
#include <inlay/candidate/rules/matched_rule.hpp>
#include <inlay/candidate/rules/only_valid_rule.hpp>
#include <inlay/candidate/rules/op_rule.hpp>
#include <inlay/candidate/rules/pattern_rule.hpp>
#include <inlay/candidate/rules/primitive_rule.hpp>
#include <inlay/candidate/rules/tuple_argument.hpp>
#include <inlay/candidate/rules/tuple_projection.hpp>
#include <inlay/candidate/rules/union_rule.hpp>

#endif
