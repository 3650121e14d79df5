// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_BY_KIND_HPP
#define INLAY_CANDIDATE_RULES_BY_KIND_HPP

#include <cstddef>
#include <vector>

#include <inlay/candidate/rules/combine_pool.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// Joins two that touch, the one upstream of at most the one kind, the one downstream of at most the other.
template <op_kind Up, op_kind Down>
struct by_kind : combiner_tag {
    static void grow(combine_pool& pool, std::size_t fresh) {
        if (pool[fresh].kind() <= Up) {
            std::vector<std::size_t> readers;
            for (const node_id n : pool[fresh].outputs())
                for (const std::size_t j : pool.with_entry(n))
                    if (pool[j].kind() <= Down) readers.push_back(j);
            sort_unique(readers);
            for (const std::size_t j : readers) join(pool, fresh, j);
        }
        if (pool[fresh].kind() <= Down) {
            std::vector<std::size_t> makers;
            for (const node_id n : pool[fresh].entries())
                for (const node_id from : pool.flow().operands(n))
                    for (const std::size_t i : pool.with_exit(from))
                        if (pool[i].kind() <= Up) makers.push_back(i);
            sort_unique(makers);
            for (const std::size_t i : makers) join(pool, i, fresh);
        }
    }

private:
    static void join(combine_pool& pool, std::size_t up, std::size_t down) {
        if (!pool.may_go_on()) return;
        const std::size_t both[] = {up, down};
        if (touching(pool.flow(), pool[up], pool[down]))
            pool.add_union(both);
        else
            pool.count_try();
    }
};

}  // namespace inlay

#endif
