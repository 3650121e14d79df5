// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULE_OPTIONS_HPP
#define INLAY_CANDIDATE_RULE_OPTIONS_HPP

#include <cstddef>

namespace inlay {

/// How far partition rules go. Whoever hits a bound says so in a note.
struct rule_options {
    std::size_t matches_per_root = 64;     // of one pattern
    std::size_t candidates = 10'000;       // that one `combine_rule` has, those that it began with aside
    std::size_t combinations = 1'000'000;  // of candidates that one `combine_rule` tries
};

}  // namespace inlay

#endif
