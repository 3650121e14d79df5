// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_PLACE_QUESTION_HPP
#define INLAY_PLACEMENT_PLACE_QUESTION_HPP

#include <cstdint>
#include <vector>

#include <inlay/core/id.hpp>

namespace inlay {

/// What a program leaves open of its places, once all is told that it says: classes of values that are in one place, each with the places
/// that it may be in, and borders, at which a value is copied where two classes are apart. `Where` is what a lattice has for a place.
/// An answer names a place of each class by its number; the program is then planned on as if it had said so.
template <class Where>
struct place_question {
    struct value_class {
        std::vector<node_id> calls;  // of operators, which run there
        std::vector<Where> places;   // one at least; one where nothing is open
    };
    struct border {
        std::uint32_t from = 0, to = 0;  // classes
        node_id value = no_node;         // that is copied where these are apart
    };

    std::vector<value_class> classes;
    std::vector<border> borders;
};

}  // namespace inlay

#endif
