// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_IN_FORCE_HPP
#define INLAY_CORE_IN_FORCE_HPP

#include <inlay/core/fixed_string.hpp>

#if defined INLAY_SWITCHES && !defined INLAY_SWITCHED_OFF
#include <cstdlib>
#include <type_traits>
#endif

namespace inlay {

#if defined INLAY_SWITCHES && !defined INLAY_SWITCHED_OFF
namespace detail {

/// Returns whether the environment variable INLAY_SWITCHED_OFF names another rule, or none; read at the first call.
template <fixed_string Rule>
[[nodiscard]] inline bool is_in_force_now() {
    static const bool in_force = [] {
        const char* const off = std::getenv("INLAY_SWITCHED_OFF");
        return off == nullptr || Rule.view() != off;
    }();
    return in_force;
}

}  // namespace detail
#endif

/// Returns whether a rule of docs/rules.md, named by its id, holds. It always does, at no cost, in a program that people use.
///
/// Tests switch one rule off by its name, to see that the rule's test fails without it. Where a program defines `INLAY_SWITCHED_OFF` as an
/// id in quotes, that rule is off when the program is compiled. Where it defines `INLAY_SWITCHES` alone, the environment variable
/// `INLAY_SWITCHED_OFF` names the rule that is off while the program runs; constant expressions keep all rules.
template <fixed_string Rule>
[[nodiscard]] constexpr bool in_force() noexcept {
#if defined INLAY_SWITCHED_OFF
    return Rule.view() != INLAY_SWITCHED_OFF;
#elif defined INLAY_SWITCHES
    return std::is_constant_evaluated() || detail::is_in_force_now<Rule>();
#else
    return true;
#endif
}

}  // namespace inlay

#endif
