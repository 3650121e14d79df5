// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_CONSTANTS_POLICY_HPP
#define INLAY_CANDIDATE_CONSTANTS_POLICY_HPP

#include <cstdint>

namespace inlay {

/// How the constants of a region come to the code that is emitted for it. Patterns, predicates, formats and prices know them in any case.
enum class constants_policy : std::uint8_t {
    embed,    // they stand in the region: code is made for these values, which it may pack or fold
    lift,     // they are inputs behind the region's own, row-major: code is made without their values and reads them at every run
    external  // the same, and whoever runs the code keeps them: a program holds each once, and code that is alike is made once
};

/// The policy of a back end: its static member `constants`; without one, `embed`.
template <class B>
[[nodiscard]] consteval constants_policy constants_policy_of() {
    if constexpr (requires { constants_policy(B::constants); })
        return B::constants;
    else
        return constants_policy::embed;
}

}  // namespace inlay

#endif
