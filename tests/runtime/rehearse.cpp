// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/rehearse.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/pipeline.hpp>

#include "toy_plan.hpp"

using namespace inlay;

TEST_CASE("every piece of every cover is timed inside its program") {
    const ir_module m = toys::random_program(5, 12);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    for (const contender& c : made.others)
        if (c.seconds) covers.push_back(c.chosen);
    REQUIRE(covers.size() > 1);
    rehearse_options few;
    few.least_runs = few.most_runs = 3;
    few.bytes_between = 4096;
    const auto told = rehearse(m, backends, made.set, covers, {}, few, [] { return false; });
    REQUIRE(told.size() == covers.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
        CHECK(told[i].failure.empty());
        std::vector<std::size_t> timed;
        for (const auto& [number, seconds] : told[i].candidates) {
            timed.push_back(number);
            CHECK(seconds.samples == 3);
            CHECK(seconds.median >= seconds.minimum);
        }
        std::sort(timed.begin(), timed.end());
        CHECK(timed == covers[i]);
        CHECK(told[i].conversions.size() == partition(m, made.set, covers[i]).conversions.size());
    }
}

TEST_CASE("stopped before the first run, it tells nothing and is not wrong") {
    const ir_module m = toys::random_program(5, 12);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    const std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    const auto told = rehearse(m, backends, made.set, covers, {}, {}, [] { return true; });
    REQUIRE(told.size() == 1);
    CHECK(told[0].candidates.empty());
}

TEST_CASE("a program that cannot be made has the reason") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, b.constant(tensor::scalar(1.0f))}, {}, toys::image(), "plus_one");
    });
    const backend_list<toys::rows> backends;  // which cannot emit an addition
    const candidate_set set = enumerate(m, backends);
    REQUIRE(set.candidates.size() == 1);
    const std::vector<std::vector<std::size_t>> covers{{0}};
    const auto told = rehearse(m, backends, set, covers, {}, {}, [] { return false; });
    CHECK(told[0].candidates.empty());
    CHECK(told[0].failure.find("plus_one") != std::string::npos);
}
