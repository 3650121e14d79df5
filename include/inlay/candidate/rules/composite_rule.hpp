// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_COMPOSITE_RULE_HPP
#define INLAY_CANDIDATE_RULES_COMPOSITE_RULE_HPP

#include <string>
#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/core/fixed_string.hpp>

namespace inlay {

/// What a rule proposes, each as one composite of that name: one thing that a back end does as a whole.
template <fixed_string Name, class Rule>
struct composite_rule : partition_rule_tag {
    static_assert(detail::require_rule<Rule>::ok);

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        auto wrap = [&](ruled_subgraph&& c) {
            c.part = named(context.flow, c.part, nested_part::role::composite, std::string(Name.view()));
            c.rule = nested_name(Name.view(), c.rule);
            return use(std::move(c));
        };
        return Rule::for_each_candidate(context, candidate_use(wrap));
    }
};

}  // namespace inlay

#endif
