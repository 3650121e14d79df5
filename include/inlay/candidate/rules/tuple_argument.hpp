// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_TUPLE_ARGUMENT_HPP
#define INLAY_CANDIDATE_RULES_TUPLE_ARGUMENT_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/candidate/rules/combine_pool.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// Joins one that reads a tuple with the tuple and one maker for each of its fields; reader and makers are at most injective. All choices
/// of makers are tried that have no node in common with each other, the tuple and the reader; one maker may give several fields, a field
/// that stands twice in the tuple needs one maker, and one that the reader makes itself (which the tuple then makes convex) none.
struct tuple_argument : combiner_tag {
    static void grow(combine_pool& pool, std::size_t fresh) {
        if (pool[fresh].kind() > op_kind::injective) return;
        const dataflow& flow = pool.flow();
        const node_set inputs = pool[fresh].inputs(), exits = pool[fresh].exits();
        for (const node_id t : inputs)
            if (is_tuple(flow, t)) choice(pool, fresh, t).go_on();
        std::vector<node_id> tuples;
        for (const node_id n : exits)
            for (const node_id t : flow.users()[n])
                if (is_tuple(flow, t)) tuples.push_back(t);
        sort_unique(tuples);
        for (const node_id t : tuples) {
            const std::vector<std::size_t> readers = pool.with_input(t);
            for (const std::size_t reader : readers) {
                if (reader == fresh || pool[reader].kind() > op_kind::injective) continue;
                choice with_fresh(pool, reader, t);
                if (with_fresh.take(fresh)) with_fresh.go_on();
            }
        }
    }

private:
    static bool is_tuple(const dataflow& flow, node_id n) { return flow.kind(n) == node_kind::tuple && flow.arity(n) != 0; }

    /// Makers being chosen for the fields of a tuple.
    class choice {
    public:
        choice(combine_pool& pool, std::size_t reader, node_id tuple)
            : pool_(pool), tuple_(tuple), taken_(pool[reader].nodes()), members_{reader} {
            taken_.add(tuple);
            const std::span<const node_id> fields = pool.flow().operands(tuple);
            for (const node_id f : fields) fields_.push_back(f);
            sort_unique(fields_);
        }
        /// Whether it has no node in common with what was chosen before; it is chosen then.
        bool take(std::size_t maker) {
            if (!disjoint(taken_, pool_[maker].nodes())) return false;
            taken_ = taken_ | pool_[maker].nodes();
            members_.push_back(maker);
            return true;
        }
        /// Chooses makers for the fields that have none yet, in all ways.
        void go_on() {
            if (!pool_.may_go_on()) return;
            for (const node_id f : fields_) {
                if (taken_.has(f)) continue;
                const std::vector<std::size_t> makers = pool_.with_exit(f);
                for (const std::size_t m : makers) {
                    pool_.count_try();
                    const node_set before = taken_;
                    if (pool_[m].kind() > op_kind::injective || !take(m)) continue;
                    go_on();
                    taken_ = before;
                    members_.pop_back();
                }
                return;
            }
            pool_.add_union(members_, {tuple_});
        }

    private:
        combine_pool& pool_;
        node_id tuple_;
        node_set taken_;
        std::vector<std::size_t> members_;
        std::vector<node_id> fields_;
    };
};

}  // namespace inlay

#endif
