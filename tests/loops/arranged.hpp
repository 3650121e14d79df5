// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_ARRANGED_HPP
#define INLAY_TESTS_LOOPS_ARRANGED_HPP

#include <string>

#include <doctest/doctest.h>

#include "nests.hpp"

#include <inlay/loops/nest/nest_text.hpp>

namespace inlay::nests {

/// What a phase makes of the nest of a text.
template <class Phase>
[[nodiscard]] loop_nest arranged(Phase&& phase, const std::string& before) {
    return phase(parsed(before));
}

/// Holds what a phase makes of the nest of a text to another text.
template <class Phase>
void check_arranged(Phase&& phase, const std::string& before, const std::string& after) {
    CHECK(to_text(arranged(phase, before)) == after);
}

/// That a phase leaves the nest of a text as it is.
template <class Phase>
void check_left(Phase&& phase, const std::string& text) {
    CHECK(arranged(phase, text) == parsed(text));
}

}  // namespace inlay::nests

#endif
