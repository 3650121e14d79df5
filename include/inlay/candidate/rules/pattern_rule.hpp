// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_PATTERN_RULE_HPP
#define INLAY_CANDIDATE_RULES_PATTERN_RULE_HPP

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/rules/predicate.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/pattern/match/match.hpp>

namespace inlay {

/// Takes every match at a root that has other nodes than those before it.
struct all_matches {
    static constexpr bool stops_at_first = false;
};
/// At most the first match at each root, whatever the predicate says of it.
struct first_only {
    static constexpr bool stops_at_first = true;
};

/// The nodes that a pattern's operators stand on, wherever it matches and the predicate, called as `When{}(context, match)` with a
/// `match_result<P>`, says yes. What may be copied freely (`dataflow::is_inlined`) is left out. Without a name it has the label of the
/// nodes. Of the matches at one root at most `rule_options::matches_per_root` are looked at; a note says where there are more.
template <fixed_string Name, class P, class When = always, class Policy = all_matches>
struct pattern_rule : partition_rule_tag {
    static_assert(pattern<P>,
                  "inlay: the second argument of a pattern_rule is the type of a pattern: `decltype(dsl::op<\"onnx.Relu\">(dsl::any))`");
    static_assert(std::is_empty_v<When>, "inlay: the predicate of a rule captures nothing; it reads the context that it is called with");

    using pattern_type = std::remove_const_t<P>;  // `decltype` of a word, such as `dsl::any_call`, is const

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        const dataflow& flow = context.flow;
        bool enough = false;
        for (node_id root = 0; root < flow.size() && !enough; ++root) {
            std::size_t seen = 0;
            std::vector<node_set> taken;
            for_each_match(pattern_type{}, context.graph, flow.users(), root, [&](match_result<pattern_type>&& found) {
                if (seen++ == context.options.matches_per_root) {
                    context.notes.push_back({rule_note::cause::bounded, std::string(Name.view()), root,
                                             "there are more than " + std::to_string(seen - 1) + " matches at " +
                                                 shown_node(context.graph, root) +
                                                 "; the others were not looked at: raise rule_options::matches_per_root to see them"});
                    return true;
                }
                const node_set nodes = inside(flow, found.nodes);
                if (nodes.empty() || has_item(taken, nodes) || !detail::is_taken(context, Name.view(), root, When{}(context, found)))
                    return Policy::stops_at_first;
                taken.push_back(nodes);
                std::string name = Name.view().empty() ? label_of(flow, nodes) : std::string(Name.view());
                enough = use({subgraph(flow, nodes), std::move(name)});
                return enough || Policy::stops_at_first;
            });
        }
        return enough;
    }

private:
    /// None of them where one belongs to an existing part.
    static node_set inside(const dataflow& flow, const std::vector<node_id>& matched) {
        std::vector<node_id> kept;
        for (const node_id n : matched) {
            if (flow.is_owned(n)) return {};
            if (!flow.is_inlined(n)) kept.push_back(n);
        }
        return node_set(std::move(kept));
    }
};

}  // namespace inlay

#endif
