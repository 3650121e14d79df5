// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda_cxx/launched_nest.hpp>

#include <array>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"

using namespace inlay;

TEST_CASE("each argument of a launch comes from where the run has it") {
    const loop_nest n = nests::parsed(R"(nest n {
        input x: float32[8]
        input w: float32[8]
        output y: float32[8]
        scratch s: float32[8] { scratch t: float32[8] {
            for b < 2 block_x { for u < 4 thread_x { s[4*b + u] = x[4*b + u] } }
            for c < 8 thread_y { t[c] = s[c] }
            for d < 8 block_y { y[d] = t[d] * w[d] }
        } }
    })");
    const auto text = to_cuda(n);
    REQUIRE(text);
    const auto launches = detail::ready_launches(n, *text, 1);
    REQUIRE(launches.size() == 3);
    using from = detail::launch_argument::from;
    const auto is = [](const detail::launch_argument& a, from source, std::size_t at) { return a.source == source && a.at == at; };
    CHECK(launches[0].grid == std::array<unsigned, 3>{2, 1, 1});
    CHECK(launches[0].block == std::array<unsigned, 3>{4, 1, 1});
    REQUIRE(launches[0].arguments.size() == 2);
    CHECK(is(launches[0].arguments[0], from::input, 0));
    CHECK(is(launches[0].arguments[1], from::workspace, 0));
    CHECK(launches[1].block == std::array<unsigned, 3>{1, 8, 1});
    REQUIRE(launches[2].arguments.size() == 3);
    CHECK(is(launches[2].arguments[0], from::constant, 0));
    CHECK(is(launches[2].arguments[1], from::result, 0));
    CHECK(is(launches[2].arguments[2], from::workspace, 256));
}
