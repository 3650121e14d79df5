// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/merge_plan_lists.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/problem.hpp>

using namespace inlay;

namespace {

/// All plans of a program, each as its seconds and what it comes to in the second objective.
using program_plans = std::vector<std::pair<double, double>>;

program_plans random_plans(std::mt19937& random, std::size_t most) {
    program_plans all(random() % (most + 1));
    for (auto& [seconds, second] : all) {
        seconds = static_cast<double>(1 + random() % 12);
        second = static_cast<double>(random() % 12);
    }
    return all;
}

program_plans unbeaten(program_plans all) {
    std::sort(all.begin(), all.end());
    program_plans best;
    for (const auto& one : all)
        if (best.empty() || one.second < best.back().second) best.push_back(one);
    return best;
}

plan_point point_of(double seconds, double second) {
    plan_point p;
    p.seconds = p.seconds_bound = seconds;
    p.second = p.second_bound = second;
    p.is_proved = p.is_priced = true;
    return p;
}

/// A list of some plans of a program, with bounds that hold; `is_open`: as a search that was stopped gives it.
plan_list list_of(const program_plans& all, bool is_open, std::mt19937& random) {
    plan_list list;
    list.programs.emplace_back();
    const auto lowered = [&](double bound) { return is_open && random() % 2 == 0 ? bound * 0.5 : bound; };
    double below = impossible;
    program_plans found = all;
    if (is_open) std::erase_if(found, [&](const auto&) { return random() % 2 == 0; });
    list.is_complete = true;
    for (const auto& [seconds, second] : unbeaten(found)) {
        plan_point& p = list.points.emplace_back(point_of(seconds, second));
        for (const auto& [other, its] : all) {
            if (its < below) p.seconds_bound = std::min(p.seconds_bound, other);
            if (other <= seconds) p.second_bound = std::min(p.second_bound, its);
        }
        p.seconds_bound = lowered(p.seconds_bound);
        p.second_bound = lowered(p.second_bound);
        p.is_proved = p.seconds_bound == p.seconds && p.second_bound == p.second;
        list.is_complete = list.is_complete && p.is_proved;
        below = second;
    }
    for (const auto& [seconds, second] : all)
        if (second < below) list.beyond_costs = std::min(list.beyond_costs.value_or(impossible), seconds);
    if (list.beyond_costs) list.beyond_costs = lowered(*list.beyond_costs);
    if (is_open && !list.beyond_costs && random() % 2 == 0) list.beyond_costs = 0;
    list.is_complete = list.is_complete && !list.beyond_costs;
    return list;
}

program_plans listed(const plan_list& list) {
    program_plans all;
    for (const plan_point& p : list.points) all.emplace_back(p.seconds, p.second);
    return all;
}

}  // namespace

TEST_CASE("whole lists become the list of what no plan of any program beats, and each point says whose it is") {
    std::mt19937 random(7);
    std::size_t longest = 0, mixed = 0;
    for (int round = 0; round < 400; ++round) {
        CAPTURE(round);
        std::vector<program_plans> programs(1 + random() % 3);
        std::vector<plan_list> lists;
        program_plans all;
        for (program_plans& one : programs) {
            one = random_plans(random, 8);
            all.insert(all.end(), one.begin(), one.end());
            lists.push_back(list_of(one, false, random));
        }
        const plan_list made = merge_plan_lists(std::move(lists));
        CHECK(listed(made) == unbeaten(all));
        CHECK(made.is_complete);
        CHECK_FALSE(made.beyond_costs.has_value());
        CHECK(made.programs.size() == programs.size());
        for (const plan_point& p : made.points) {
            CHECK(p.is_proved);
            const program_plans& own = programs[p.program];
            CHECK(std::find(own.begin(), own.end(), std::pair(p.seconds, p.second)) != own.end());
            mixed += p.program != made.points.front().program;
        }
        longest = std::max(longest, made.points.size());
    }
    CHECK(longest >= 4);
    CHECK(mixed > 50);
}

TEST_CASE("bounds of lists with plans missing hold for all programs together") {
    std::mt19937 random(11);
    std::size_t open = 0, complete = 0;
    for (int round = 0; round < 2000; ++round) {
        CAPTURE(round);
        std::vector<plan_list> lists;
        program_plans all, found;
        for (std::size_t i = 1 + random() % 3; i-- > 0;) {
            const program_plans one = random_plans(random, 6);
            all.insert(all.end(), one.begin(), one.end());
            lists.push_back(list_of(one, random() % 3 != 0, random));
            for (const auto& each : listed(lists.back())) found.push_back(each);
        }
        const plan_list made = merge_plan_lists(std::move(lists));
        CHECK(listed(made) == unbeaten(found));
        double below = impossible;
        for (const plan_point& p : made.points) {
            for (const auto& [seconds, second] : all) {
                if (second < below) CHECK(seconds >= p.seconds_bound * (1 - 1e-6));
                if (seconds <= p.seconds) CHECK(second >= p.second_bound * (1 - 1e-6));
            }
            CHECK(p.seconds_bound <= p.seconds);
            CHECK(p.second_bound <= p.second);
            below = p.second;
        }
        for (const auto& [seconds, second] : all)
            if (second < below) CHECK(seconds >= made.beyond_costs.value_or(impossible));
        if (made.is_complete) CHECK(listed(made) == unbeaten(all));
        ++(made.is_complete ? complete : open);
    }
    CHECK(open > 500);
    CHECK(complete > 200);
}

TEST_CASE("plans that differ by rounding alone are one, and the one with less of the second objective stays") {
    const auto merged = [](double seconds, double second) {
        std::mt19937 random(1);
        return merge_plan_lists({list_of({{1, 10}}, false, random), list_of({{seconds, second}}, false, random)});
    };
    for (const double off : {1 - 1e-12, 1.0, 1 + 1e-12}) {
        const plan_list same = merged(1 + 1e-12, 10 * off);
        REQUIRE(same.points.size() == 1);
        CHECK(same.points[0].program == 0);
        CHECK(same.is_complete);
        const plan_list less = merged(off, 9);
        REQUIRE(less.points.size() == 1);
        CHECK(less.points[0].program == 1);
        CHECK(less.is_complete);
    }
    CHECK(merged(1.1, 9).points.size() == 2);
}
