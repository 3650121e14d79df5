// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/control_flow/backend.hpp>

#include <doctest/doctest.h>

#include "looped.hpp"

using namespace looped;

TEST_CASE("a branch costs the mean of its sides, a loop its body times its trips") {
    list backends;
    const lifted_control b = lifted(branch());
    CHECK(*planned(b, backends).main.chosen.seconds == doctest::Approx(1.5e-6 + 1e-6));
    const lifted_control l = lifted(loop(5, {}));
    CHECK(*planned(l, backends).main.chosen.seconds == doctest::Approx(5 * 2e-6));
}

TEST_CASE("what is not planned is not taken, and says so") {
    const lifted_control c = lifted(branch());
    backend_list<cpu, control_flow> backends;
    toys::no_meter meter;
    const auto made = make_plan(c.program, backends, meter, no_bound());
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message.find("plan the program with `plan_blocks`") != std::string::npos);
}
