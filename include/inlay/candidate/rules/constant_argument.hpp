// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_CONSTANT_ARGUMENT_HPP
#define INLAY_CANDIDATE_RULES_CONSTANT_ARGUMENT_HPP

#include <cstddef>
#include <utility>
#include <vector>

#include <inlay/candidate/rules/combine_pool.hpp>

namespace inlay {

/// Joins one with all constants among its inputs at once.
struct constant_argument : combiner_tag {
    static void grow(combine_pool& pool, std::size_t fresh) {
        std::vector<node_id> constants;
        for (const node_id n : pool[fresh].inputs())
            if (pool.flow().kind(n) == node_kind::constant) constants.push_back(n);
        if (!constants.empty()) pool.add_union({&fresh, 1}, node_set(std::move(constants)));
    }
};

}  // namespace inlay

#endif
