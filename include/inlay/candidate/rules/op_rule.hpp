// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_OP_RULE_HPP
#define INLAY_CANDIDATE_RULES_OP_RULE_HPP

#include <type_traits>
#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/rules/predicate.hpp>
#include <inlay/core/fixed_string.hpp>

namespace inlay {

/// Each call by itself for which the predicate, called as `When{}(context, n)`, says yes.
template <fixed_string Name, class When>
struct op_rule : partition_rule_tag {
    static_assert(std::is_empty_v<When>, "inlay: the predicate of a rule captures nothing; it reads the context that it is called with");

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        const dataflow& flow = context.flow;
        for (node_id n = 0; n < flow.size(); ++n) {
            if (flow.kind(n) != node_kind::call || flow.is_owned(n)) continue;
            if (!detail::is_taken(context, Name.view(), n, When{}(context, n))) continue;
            if (use({subgraph(flow, {n}), std::string(Name.view())})) return true;
        }
        return false;
    }
};

}  // namespace inlay

#endif
