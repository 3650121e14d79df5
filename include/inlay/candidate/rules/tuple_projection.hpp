// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_TUPLE_PROJECTION_HPP
#define INLAY_CANDIDATE_RULES_TUPLE_PROJECTION_HPP

#include <cstddef>

#include <inlay/candidate/rules/combine_pool.hpp>

namespace inlay {

/// Joins one of any kind with a projection that reads from it; with each such by itself.
struct tuple_projection : combiner_tag {
    static void grow(combine_pool& pool, std::size_t fresh) {
        const node_set outputs = pool[fresh].outputs();
        for (const node_id n : outputs)
            if (pool.flow().kind(n) == node_kind::projection) pool.add_union({&fresh, 1}, {n});
    }
};

}  // namespace inlay

#endif
