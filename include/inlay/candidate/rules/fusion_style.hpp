// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_FUSION_STYLE_HPP
#define INLAY_CANDIDATE_RULES_FUSION_STYLE_HPP

#include <cstddef>

#include <inlay/candidate/rules/by_kind.hpp>
#include <inlay/candidate/rules/combine_rule.hpp>
#include <inlay/candidate/rules/tuple_argument.hpp>
#include <inlay/candidate/rules/tuple_projection.hpp>

namespace inlay {

// How the proposals of a back end's rule are joined, as `Style<Rule, MaxDepth>`.

/// Not at all.
template <class Rule, std::size_t>
using no_fusion = Rule;

/// As an operator fuser does: what follows an anchor or lies before a reduction element by element, and injective chains.
template <class Rule, std::size_t MaxDepth>
using tvm_fusion = combine_rule<Rule, MaxDepth, by_kind<op_kind::anchor, op_kind::broadcast>,
                                by_kind<op_kind::broadcast, op_kind::reduction>, by_kind<op_kind::injective, op_kind::injective>>;

/// The same, and injective chains through tuples.
template <class Rule, std::size_t MaxDepth>
using tvm_tuple_fusion =
    combine_rule<Rule, MaxDepth, by_kind<op_kind::anchor, op_kind::broadcast>, by_kind<op_kind::broadcast, op_kind::reduction>,
                 by_kind<op_kind::injective, op_kind::injective>, tuple_argument, tuple_projection>;

/// Whatever touches, up to anchors.
template <class Rule, std::size_t MaxDepth>
using arbitrary_fusion = combine_rule<Rule, MaxDepth, by_kind<op_kind::anchor, op_kind::anchor>>;

}  // namespace inlay

#endif
