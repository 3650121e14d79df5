// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_ONLY_VALID_RULE_HPP
#define INLAY_CANDIDATE_RULES_ONLY_VALID_RULE_HPP

#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/subgraph_limits.hpp>

namespace inlay {

/// What a rule proposes and is valid within the limits (`validity_of`).
template <class Rule, subgraph_limits Most>
struct only_valid_rule : partition_rule_tag {
    static_assert(detail::require_rule<Rule>::ok);

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        auto pass = [&](ruled_subgraph&& c) { return validity_of(context.flow, c.part, Most) && use(std::move(c)); };
        return Rule::for_each_candidate(context, candidate_use(pass));
    }
};

}  // namespace inlay

#endif
