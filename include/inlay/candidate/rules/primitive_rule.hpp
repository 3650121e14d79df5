// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_PRIMITIVE_RULE_HPP
#define INLAY_CANDIDATE_RULES_PRIMITIVE_RULE_HPP

#include <string>
#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/core/fixed_string.hpp>

namespace inlay {

/// What a rule proposes, each compiled as one by the owner of that name; without a name by whoever compiles the rest.
template <class Rule, fixed_string Owner = "">
struct primitive_rule : partition_rule_tag {
    static_assert(detail::require_rule<Rule>::ok);

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        auto wrap = [&](ruled_subgraph&& c) {
            c.part = named(context.flow, c.part, nested_part::role::primitive, std::string(Owner.view()));
            c.rule = nested_name(Owner.view(), c.rule);
            return use(std::move(c));
        };
        return Rule::for_each_candidate(context, candidate_use(wrap));
    }
};

}  // namespace inlay

#endif
