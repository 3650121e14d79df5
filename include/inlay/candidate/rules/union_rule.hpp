// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_UNION_RULE_HPP
#define INLAY_CANDIDATE_RULES_UNION_RULE_HPP

#include <inlay/candidate/partition_rule.hpp>

namespace inlay {

/// What several rules propose, one rule after the other. Equal subgraphs stay; who collects them keeps the first.
template <class... Rules>
struct union_rule : partition_rule_tag {
    static_assert((detail::require_rule<Rules>::ok && ...));

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        return (Rules::for_each_candidate(context, use) || ...);
    }
};

}  // namespace inlay

#endif
