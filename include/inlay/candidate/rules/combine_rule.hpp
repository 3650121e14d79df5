// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_COMBINE_RULE_HPP
#define INLAY_CANDIDATE_RULES_COMBINE_RULE_HPP

#include <cstddef>
#include <utility>
#include <vector>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/rules/combine_pool.hpp>

namespace inlay {

namespace detail {

template <class C>
struct require_combiner {
    static_assert(combiner<C>,
                  "inlay: what stands here is no combiner; give combine_rule such as `by_kind<op_kind::anchor, op_kind::broadcast>`");
    static constexpr bool ok = true;
};

/// Joins until there is nothing new: each candidate is taken up once, in the order in which they came about, and joined with those before
/// it.
template <class... Combiners>
void combine(combine_pool& pool) {
    for (std::size_t fresh = 0; fresh < pool.size() && pool.may_go_on(); ++fresh) {
        pool.take_up(fresh);
        (Combiners::grow(pool, fresh), ...);
    }
}

}  // namespace detail

/// What a rule proposes, and all that comes of it by joining again and again. Of equal subgraphs the first stays. Deeper ones than
/// `MaxDepth` (0: any depth), such as lie in several blocks, and such as have nodes of an existing part, are not made; what else may be
/// wrong with a union can come right in a larger one, so put an `only_valid_rule` around this. Its names are those that were joined, with
/// `+` between. Up to `rule_options::candidates` unions are made, and up to `rule_options::combinations` tried; a note says where that was
/// not all.
template <class Rule, std::size_t MaxDepth, class... Combiners>
struct combine_rule : partition_rule_tag {
    static_assert(detail::require_rule<Rule>::ok);
    static_assert((detail::require_combiner<Combiners>::ok && ...));

    template <class Context>
    static bool for_each_candidate(const Context& context, const candidate_use& use) {
        combine_pool pool(context.flow, MaxDepth, context.options);
        auto begin = [&](ruled_subgraph&& c) {
            pool.begin_with(std::move(c));
            return false;
        };
        Rule::for_each_candidate(context, candidate_use(begin));
        detail::combine<Combiners...>(pool);
        if (!pool.may_go_on()) context.notes.push_back({rule_note::cause::bounded, "combine", no_node, pool.bound_that_was_hit()});
        for (ruled_subgraph& c : std::move(pool).finish())
            if (use(std::move(c))) return true;
        return false;
    }
};

}  // namespace inlay

#endif
