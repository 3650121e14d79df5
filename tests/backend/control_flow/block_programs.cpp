// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/control_flow/block_programs.hpp>

#include <thread>

#include <doctest/doctest.h>

#include "looped.hpp"

using namespace looped;

TEST_CASE("runs of one body that go on at once have memory of their own, which later runs take over") {
    list backends;
    const lifted_control c = lifted(branch());
    const block_plans plans = planned(c, backends);
    const block_programs& blocks = control_flow_of(backends).blocks;
    REQUIRE(blocks.size() == 2);
    CHECK(blocks.seconds(0) == doctest::Approx(2e-6));
    CHECK(blocks.code(0).inputs().size() == 2);
    const void* first = nullptr;
    {
        auto one = blocks.begin(1), other = blocks.begin(1);
        REQUIRE(one.has_value());
        REQUIRE(other.has_value());
        first = one->inputs()[0].data();
        CHECK(first != other->inputs()[0].data());
    }
    auto again = blocks.begin(1), more = blocks.begin(1);
    REQUIRE(again.has_value());
    REQUIRE(more.has_value());
    CHECK((again->inputs()[0].data() == first || more->inputs()[0].data() == first));
    CHECK(plans.bodies.size() == 2);
}

TEST_CASE("a body that is planned alone has a price, and does not run") {
    list backends;
    const lifted_control c = lifted(branch());
    toys::no_meter meter;
    const auto plans = plan_blocks(c, backends, meter, no_bound(), {}, bodies_are::planned);
    REQUIRE(plans.has_value());
    const block_programs& blocks = control_flow_of(backends).blocks;
    CHECK(blocks.seconds(0) == doctest::Approx(2e-6));
    CHECK_FALSE(blocks.is_linked(0));
    const auto code = link(c.program, backends, plans->main.set, plans->main.cut);
    REQUIRE_FALSE(code.has_value());
    CHECK(code.failure().message.find("body 0 was planned to leave, and is not linked") != std::string::npos);
}

TEST_CASE("several threads run one program with a branch at once") {
    list backends;
    const ir_module m = branch();
    const lifted_control c = lifted(m);
    const inlay::program code = linked(c, backends);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                const auto f = static_cast<float>(i + static_cast<int>(t));
                const std::vector<tensor> inputs{truth(i % 2 == 0), values({f, 1, 0}), values({f, -f, 2})};
                const auto meant = interpret(m, inputs);
                const auto found = code.run(inputs);
                wrong[t] += !meant || !found || (*meant)[0].content() != (*found)[0].content() ? 1 : 0;
            }
        });
    for (std::thread& t : threads) t.join();
    for (const int w : wrong) CHECK(w == 0);
}
