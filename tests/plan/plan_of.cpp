// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_of.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

#include <inlay/partition/verify.hpp>

using namespace inlay;

namespace {

/// Says that everything takes half a second in a program.
struct even_stage {
    std::size_t programs = 0;

    std::vector<program_timing> operator()(const candidate_set&, std::span<const std::vector<std::size_t>> covers) {
        std::vector<program_timing> told(covers.size());
        const double sample[] = {0.5};
        for (std::size_t i = 0; i < covers.size(); ++i) {
            ++programs;
            for (const std::size_t c : covers[i]) told[i].candidates.emplace_back(c, measurement::of(sample));
        }
        return told;
    }
};

}  // namespace

TEST_CASE("a plan has what its question's optimum is at prices, what all that it rests on costs, and a cut that keeps the laws") {
    const toys::list backends;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 2 + seed % 8);
        plan_options options;
        options.others = {partitioner::eager(), partitioner::exact(), partitioner::single("reference")};
        auto question = planning_problem_of(m, backends, options);
        REQUIRE(question.has_value());
        covers::flat_meter meter;
        covers::flat_bound bound;
        no_program_meter none;
        const auto made = plan_of(*std::move(question), meter, bound, none);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        CHECK(made->chosen.status == selection_status::optimal);
        // Who decides does so once.
        REQUIRE(made->others.size() == 2);
        CHECK(made->others[0].name == "eager");
        CHECK(made->rehearsals == 0);
        double sum = 0;
        for (const std::size_t c : made->chosen.chosen) sum += made->prices[c].median;
        for (const conversion& c : made->cut.conversions) sum += made->conversions.at(c).median;
        CHECK(sum == doctest::Approx(*made->chosen.seconds));
        CHECK(made->prices.size() == made->set.candidates.size());
        for (const law_check& l : verify(m, made->set, made->cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
    }
}

TEST_CASE("programs are run until the optimum has been in one, as often as the options say at most") {
    const toys::list backends;
    const ir_module m = toys::random_program(7, 12);
    for (const std::size_t most : {0u, 1u, 8u}) {
        plan_options options;
        options.rehearsals = most;
        auto question = planning_problem_of(m, backends, options);
        REQUIRE(question.has_value());
        covers::flat_meter meter;
        covers::flat_bound bound;
        even_stage stage;
        const auto made = plan_of(*std::move(question), meter, bound, stage);
        REQUIRE(made.has_value());
        CHECK(made->rehearsals <= most);
        CHECK((stage.programs == 0) == (most == 0));
        if (most != 8) continue;
        for (const std::size_t c : made->chosen.chosen) CHECK(made->prices[c].median == doctest::Approx(0.5));
    }
}

TEST_CASE("why there is no plan is the reason of the contender that was to be chosen") {
    const toys::list backends;
    const ir_module m = toys::random_program(2, 5);
    plan_options options;
    options.limits = {{plan_amount::seconds, 0.1, {}, "little time"}};
    selection_status ended = selection_status::optimal;
    options.ended = &ended;
    auto question = planning_problem_of(m, backends, options);
    REQUIRE(question.has_value());
    covers::flat_meter meter;
    covers::flat_bound bound;
    no_program_meter none;
    const auto made = plan_of(*std::move(question), meter, bound, none);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message == "no plan keeps to these constraints together: little time");
    CHECK(ended == selection_status::infeasible);
}
