// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_list.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

TEST_CASE("a list has every plan that no other beats in both, and nothing else") {
    std::size_t longest = 0;
    for (std::uint32_t seed = 0; seed < 12; ++seed)
        for (const plan_objective second : {plan_objective::peak, plan_objective::load, plan_objective::energy}) {
            CAPTURE(seed);
            const ir_module m = toys::random_program(seed, 2 + seed % 4);
            covers::flat_meter meter;
            plan_options options;
            options.keep_problem = true;
            const auto fastest = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
            REQUIRE(fastest.has_value());
            const selection_problem& stated = *fastest->stated;
            std::vector<covers::weighed> all = covers::all_of(stated.numbers, covers::amounts_of(second, m, stated));
            // Equal costs are told apart by rounding alone.
            std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
                return a.cost < b.cost - 1e-9 || (a.cost <= b.cost + 1e-9 && a.largest < b.largest);
            });
            std::vector<covers::weighed> best;
            for (const covers::weighed& one : all)
                if (best.empty() || one.largest < best.back().largest - 1e-9) best.push_back(one);
            // No price is known before the list: conversions are asked for on the way.
            struct no_bound {
                double operator()(const region_view&) const { return 0; }
                double operator()(const tensor_type&, const format&, const format&) const { return 0; }
            };
            plan_options asked;
            const covers::counted_energies energies;
            asked.energies = energies;
            const auto made = list_plans(m, toys::list(), meter, no_bound(), second, asked);
            REQUIRE_MESSAGE(made.has_value(), made.failure().message);
            CHECK(made->is_complete);
            REQUIRE(made->points.size() == best.size());
            longest = std::max(longest, best.size());
            for (std::size_t i = 0; i < best.size(); ++i) {
                CHECK(made->points[i].seconds == doctest::Approx(best[i].cost));
                CHECK(made->points[i].second == doctest::Approx(best[i].largest));
                CHECK(made->points[i].is_proved);
                CHECK(made->points[i].is_priced);
                for (const law_check& l : verify(m, made->programs.front().set, made->points[i].cut))
                    CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
            }
        }
    CHECK(longest >= 3);
}

TEST_CASE("a list that ends before all is priced has what its plans come to, and bounds that hold") {
    struct no_bound {
        double operator()(const region_view&) const { return 0; }
        double operator()(const tensor_type&, const format&, const format&) const { return 0; }
    };
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 12);
        covers::flat_meter meter;
        plan_options options;
        options.pricing_rounds = 0;
        const auto made = list_plans(m, toys::list(), meter, no_bound(), plan_objective::load, options);
        const auto whole = list_plans(m, toys::list(), meter, no_bound(), plan_objective::load);
        REQUIRE(made.has_value());
        REQUIRE(whole.has_value());
        const plan_point &first = whole->points.front(), &last = whole->points.back();
        for (const plan_point& point : made->points) {
            CHECK(point.is_priced);
            CHECK(point.seconds_bound <= first.seconds + 1e-9);
            CHECK(point.seconds >= first.seconds - 1e-9);
            CHECK(point.second >= last.second - 1e-9);
            CHECK(point.second_bound <= point.second + 1e-9);
            // What it comes to is what the whole list would have said of it: it is beaten, or there.
            CHECK(std::any_of(whole->points.begin(), whole->points.end(),
                              [&](const plan_point& p) { return p.seconds <= point.seconds + 1e-9 && p.second <= point.second + 1e-9; }));
        }
    }
}

TEST_CASE("a list that is stopped says so, and one that cannot be is an error in a sentence") {
    const ir_module m = toys::random_program(3, 30);
    covers::flat_meter meter;
    std::atomic<bool> stop{true};
    plan_options options;
    options.search.cancel = &stop;
    const auto stopped = list_plans(m, toys::list(), meter, covers::flat_bound(), plan_objective::peak, options);
    if (stopped) {
        CHECK_FALSE(stopped->is_complete);
        CHECK_FALSE(stopped->points.empty());
    } else {
        CHECK(stopped.failure().message.find("stopped") != std::string::npos);
    }
    CHECK_FALSE(list_plans(m, toys::list(), meter, covers::flat_bound(), plan_objective::latency));
    plan_options liking;
    liking.constraints = {{constraint_rule::prefer, {3}, 0, 1, "a liking", {}}};
    const auto refused = list_plans(m, toys::list(), meter, covers::flat_bound(), plan_objective::peak, liking);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message == "a liking is a preference, which has no place where plans are told by their time; leave it out");
    plan_options tight;
    tight.limits = {{plan_amount::peak_bytes, 1, {}, "one byte"}};
    const auto none = list_plans(m, toys::list(), meter, covers::flat_bound(), plan_objective::peak, tight);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message == "no plan keeps to these constraints together: one byte");
}
