// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/control_flow/control_call.hpp>

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "looped.hpp"

using namespace looped;

namespace {

/// The first branch or loop of a program.
detail::control_call first_of(const lifted_control& c) {
    list backends;
    const block_plans plans = planned(c, backends);
    for (const part& p : plans.main.cut.parts)
        for (const std::size_t number : p.composites)
            if (const candidate& one = plans.main.set.candidates[number]; one.backend == 0) return detail::control_call::of(one.view());
    FAIL("there is no control flow");
    return {};
}

}  // namespace

TEST_CASE("a loop is read with what it carries, stacks and leaves out") {
    const detail::control_call c = first_of(lifted(loop(5, {})));
    CHECK(c.op == detail::control_call::form::loop);
    CHECK(c.bodies == std::vector<std::size_t>{0});
    CHECK(c.carried == 1);
    CHECK(c.operands[0].is_there);
    CHECK_FALSE(c.operands[1].is_there);
    CHECK(c.stacked_rows() == 5);
    CHECK(first_of(lifted(loop({}, 9.0f))).stacked_rows() == -1);
}

TEST_CASE("a scan is read with its axes and directions") {
    const detail::control_call c = first_of(lifted(scan()));
    CHECK(c.op == detail::control_call::form::scan);
    CHECK(c.scanned_rows() == 4);
    REQUIRE(c.slices_in.size() == 1);
    CHECK(c.slices_in[0].axis == 1);
    CHECK(c.slices_in[0].backwards);
    REQUIRE(c.slices_out.size() == 1);
    CHECK(c.slices_out[0].axis == 1);
}

TEST_CASE("a branch is read with both sides") {
    const detail::control_call c = first_of(lifted(branch()));
    CHECK(c.op == detail::control_call::form::branch);
    CHECK(c.bodies == std::vector<std::size_t>{0, 1});
    CHECK(c.operands.size() == 3);
}
