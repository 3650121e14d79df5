// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_PHASES_HPP
#define INLAY_TESTS_LOOPS_PHASES_HPP

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/nest/nest_text.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/run/run_phases.hpp>

namespace inlay::nests {

/// Holds what a nest computes on threads, phase after phase, to what it computes round after round, to the last bit.
inline void check_phases(const loop_nest& n, const std::vector<tensor>& inputs) {
    const auto meant = run_nest(n, inputs);
    REQUIRE(meant);
    const auto got = run_phases(n, inputs);
    if (!got) FAIL(got.failure().message << "\n" << to_text(n));
    REQUIRE(got->size() == meant->size());
    for (std::size_t i = 0; i < got->size(); ++i) {
        const tensor &a = (*got)[i], &b = (*meant)[i];
        CHECK(a.type() == b.type());
        CHECK((a.bytes() == 0 || std::memcmp(a.data(), b.data(), a.bytes()) == 0));
    }
}

}  // namespace inlay::nests

#endif
