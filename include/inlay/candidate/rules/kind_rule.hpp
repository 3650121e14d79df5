// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_KIND_RULE_HPP
#define INLAY_CANDIDATE_RULES_KIND_RULE_HPP

#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// Each call by itself whose operator's kind is at most this one. Its name is the operator's.
template <op_kind Most = op_kind::anchor>
struct kind_rule : partition_rule_tag {
    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        const dataflow& flow = context.flow;
        for (node_id n = 0; n < flow.size(); ++n)
            if (flow.kind(n) == node_kind::call && flow.kind_of_op(n) <= Most && !flow.is_owned(n))
                if (use({subgraph(flow, {n}), std::string(flow.op(n))})) return true;
        return false;
    }
};

}  // namespace inlay

#endif
