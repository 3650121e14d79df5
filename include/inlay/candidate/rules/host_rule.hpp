// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_HOST_RULE_HPP
#define INLAY_CANDIDATE_RULES_HOST_RULE_HPP

#include <type_traits>
#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/rules/predicate.hpp>

namespace inlay {

/// Each node by itself that needs no kernel, for free: inputs, constants, tuples, projections, control flow, calls of functions; of the
/// calls of operators those for which the predicate, called as `NeedsNone{}(context, n)`, says yes, such as reading a shape. Its name is
/// `host`.
template <class NeedsNone = no_one>
struct host_rule : partition_rule_tag {
    static_assert(std::is_empty_v<NeedsNone>,
                  "inlay: the predicate of a rule captures nothing; it reads the context that it is called with");

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        const dataflow& flow = context.flow;
        for (node_id n = 0; n < flow.size(); ++n) {
            if (flow.is_owned(n)) continue;
            if (flow.kind(n) == node_kind::call && !detail::is_taken(context, "host", n, NeedsNone{}(context, n))) continue;
            if (use({subgraph(flow, {n}), "host", true})) return true;
        }
        return false;
    }
};

}  // namespace inlay

#endif
