// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_MATCHED_RULE_HPP
#define INLAY_CANDIDATE_RULES_MATCHED_RULE_HPP

#include <utility>

#include <inlay/candidate/join_composites.hpp>
#include <inlay/candidate/partition_rule.hpp>

namespace inlay {

/// What the pattern table of the back end that the rules are of took, predicates and limits included: where a back end's `partition_rule`
/// begins.
struct matched_rule : partition_rule_tag {
    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        for (ruled_subgraph one : context.owner.matched)
            if (use(std::move(one))) return true;
        return false;
    }
};

}  // namespace inlay

#endif
