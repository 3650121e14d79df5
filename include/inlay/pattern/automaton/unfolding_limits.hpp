// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_UNFOLDING_LIMITS_HPP
#define INLAY_PATTERN_AUTOMATON_UNFOLDING_LIMITS_HPP

#include <cstdint>

namespace inlay {

/// How much of patterns is unfolded; what is beyond that is taken to hold everywhere, and a matcher has to look.
struct unfolding_limits {
    std::uint32_t depth = 100;        // of terms inside terms
    std::uint32_t repetitions = 16;   // of a repetition, one by one; without an upper bound, it is a loop from its least number on
    std::uint32_t visits = 1u << 16;  // of terms, for one pattern
    std::uint32_t children = 6;       // of an unordered node, `any` not counted
};

}  // namespace inlay

#endif
