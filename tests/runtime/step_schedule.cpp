// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/step_schedule.hpp>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/runtime/profile.hpp>
#include <inlay/runtime/tbb.hpp>

#include "random_program.hpp"

using namespace inlay;
using namespace random_programs;

namespace {

step_schedule of(std::vector<std::vector<std::vector<std::uint32_t>>> groups) {
    step_schedule made;
    for (auto& lanes : groups) made.groups.push_back({std::move(lanes)});
    return made;
}

/// Steps 0 and 1 read the input, 2 reads 0, 3 reads 1 and 2.
const std::vector<std::vector<std::uint32_t>> diamond{{}, {}, {0}, {1, 2}};

std::string fault(const step_schedule& s, std::vector<char> runs = {1, 1, 1, 1}) {
    const auto fits = check_schedule(s, diamond, [&](std::size_t i) { return runs[i] != 0; });
    return fits ? std::string() : fits.failure().message;
}

struct failing_step {
    static bool run(const run_arguments&) { return false; }
};

}  // namespace

TEST_CASE("a schedule knows its groups of lanes") {
    const step_schedule s = of({{{0}}, {{1}, {2, 3}}, {{4, 5}}, {{6}, {7}, {8}}});
    CHECK(s.groups_of_lanes() == 2);
    CHECK(s.most_lanes() == 3);
    CHECK(step_schedule::serial(3) == of({{{0, 1, 2}}}));
    CHECK(step_schedule::serial(3).groups_of_lanes() == 0);
    CHECK(step_schedule::serial(0) == step_schedule());
}

TEST_CASE("a schedule is legal where each step that runs stands once, after what it reads") {
    CHECK(fault(step_schedule::serial(4)).empty());
    CHECK(fault(of({{{0, 2}, {1}}, {{3}}})).empty());
    CHECK(fault(of({{{1}}, {{0, 2, 3}}})).empty());
    CHECK(fault(of({{{0}, {1}}, {{2}, {3}}})) ==
          "the schedule does not run step 2 before step 3, which reads what it writes; put it into an earlier group or earlier into the "
          "same lane");
    CHECK(fault(of({{{2, 0}, {1}}, {{3}}})).find("does not run step 0 before step 2") != std::string::npos);
    CHECK(fault(of({{{3}}, {{0, 1, 2}}})).find("does not run step 1 before step 3") != std::string::npos);
    CHECK(fault(of({{{0, 1, 2, 3, 4}}})) == "the schedule names step 4 of a program that has 4 steps; name those that it has");
    CHECK(fault(of({{{0, 1, 2}, {0}}})) == "the schedule names step 0 twice; name each step once");
    CHECK(fault(of({{{0, 1, 3}}})) == "the schedule leaves step 2 out; name each step once");
    CHECK(fault(of({{{0, 1, 3}}}), {1, 1, 0, 1}).empty());
    CHECK(fault(of({{{0}, {1}, {2}, {3}}}), {0, 0, 0, 1}).empty());
}

TEST_CASE("a builder takes a schedule of the steps that were added, those included that are left out") {
    const auto made = [](const step_schedule& s) {
        const format plain = plain_format(element_type::int32);
        program_builder b;
        const buffer_id x[]{b.add_input("x", element_type::int32, {16})};
        const buffer_id nothing[]{b.add_buffer({0}, plain)}, one[]{b.add_buffer({16}, plain)}, two[]{b.add_buffer({16}, plain)};
        b.add_kernel(kernel(empty_step{}), x, nothing);
        b.add_kernel(kernel(sum_step{1, 1, 16, nullptr}, 64), x, one);
        b.add_kernel(kernel(sum_step{2, 1, 16, nullptr}, 64), x, two);
        const buffer_id results[]{one[0], two[0]};
        b.set_results(results);
        return b.finish(s);
    };
    for (const step_schedule& s : {of({{{0}, {1}, {2}}}), of({{{1}, {2}}}), of({{{0}}, {{1}, {2, 0}}})}) {
        auto p = made(s);
        if (s.groups.size() == 2) {
            REQUIRE_FALSE(p.has_value());
            CHECK(p.failure().message == "the schedule names step 0 twice; name each step once");
            continue;
        }
        REQUIRE(p.has_value());
        CHECK(p->steps().size() == 2);
        CHECK(p->schedule() == of({{{0}, {1}}}));
        CHECK(p->workspace_bytes() == 128);
        CHECK(p->follow(step_schedule::serial(2)).has_value());
        CHECK(p->workspace_bytes() == 64);
        CHECK_FALSE(p->follow(step_schedule::serial(3)).has_value());
        CHECK(p->schedule() == step_schedule::serial(2));
    }
    auto p = made(of({{{1}}}));
    REQUIRE_FALSE(p.has_value());
    CHECK(p.failure().message == "the schedule leaves step 2 out; name each step once");
}

TEST_CASE("a lane that is left alone by steps that are left out has the whole executor") {
    std::vector<seen_places> seen(2);
    const format plain = plain_format(element_type::int32);
    program_builder b;
    const buffer_id x[]{b.add_input("x", element_type::int32, {16})};
    const buffer_id nothing[]{b.add_buffer({0}, plain)}, one[]{b.add_buffer({16}, plain)}, two[]{b.add_buffer({16}, plain)};
    b.add_kernel(kernel(empty_step{}), x, nothing);
    b.add_kernel(kernel(sum_step{1, 1, 16, &seen[0]}, 64), x, one);
    b.add_kernel(kernel(sum_step{2, 1, 16, &seen[1]}, 64), x, two);
    b.set_results(two);
    auto p = b.finish(of({{{0}, {1}}, {{2}}}));
    REQUIRE(p.has_value());
    thread_executor e{3};
    const tensor in[]{input_of(1)};
    REQUIRE(p->run(in, e).has_value());
    CHECK(seen[0].threads == 3);
    CHECK(seen[1].threads == 3);
    REQUIRE(p->follow(of({{{0}, {1}}})).has_value());
    REQUIRE(p->run(in, e).has_value());
    CHECK(seen[0].threads == 1);
    CHECK(seen[1].threads == 1);
}

TEST_CASE("random programs give by any legal schedule byte for byte what they give one step after the other") {
    tbb_executor one(1), two(2), four(4);
    thread_executor own{3};
    serial_executor serial;
    std::size_t lanes = 0;
    CHECK(rc::check("random programs, schedules and executors", [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const int steps = *rc::gen::inRange(0, 60);
        auto expected = random_builder(seed, steps, false).finish();
        RC_ASSERT(expected.has_value());
        const step_schedule s = random_schedule(seed + 1, expected->reads());
        auto p = random_builder(seed, steps, false).finish();
        RC_ASSERT(p.has_value());
        auto before = p->make_frame();  // which keeps the serial schedule
        RC_ASSERT(p->follow(s).has_value());
        RC_ASSERT(p->schedule() == s);
        RC_ASSERT(p->arena_bytes() >= p->live_bytes());
        lanes += s.groups_of_lanes();
        const tensor in[]{input_of(7)};
        const auto wanted = expected->run(in);
        RC_ASSERT(wanted.has_value());
        auto frame = p->make_frame();
        RC_ASSERT(frame.has_value());
        for (const executor_ref e : {executor_ref(serial), executor_ref(one), executor_ref(two), executor_ref(four), executor_ref(own)}) {
            auto got = p->make_results();
            RC_ASSERT(p->run(*frame, in, *got, e).has_value());
            RC_ASSERT(same_bytes(*got, *wanted));
        }
        auto got = p->make_results();
        RC_ASSERT(p->run(*before, in, *got, two).has_value());
        RC_ASSERT(same_bytes(*got, *wanted));
    }));
    CHECK(lanes > 30);
}

TEST_CASE("several threads run one program with lanes at once, each with its frame") {
    auto expected = random_builder(11, 40, false).finish();
    auto p = random_builder(11, 40, false).finish();
    REQUIRE(expected.has_value());
    REQUIRE(p.has_value());
    const step_schedule s = random_schedule(5, p->reads());
    REQUIRE(s.groups_of_lanes() > 2);
    REQUIRE(p->follow(s).has_value());
    tbb_executor shared(4);
    const auto go = [&](int thread, executor_ref e) {
        const tensor in[]{input_of(100 * thread)};
        auto frame = p->make_frame();
        auto wanted = expected->run(in);
        if (!frame || !wanted) return false;
        for (int i = 0; i < 60; ++i) {
            auto got = p->make_results();
            if (!p->run(*frame, in, *got, e).has_value() || !same_bytes(*got, *wanted)) return false;
        }
        return true;
    };
    char right[4]{};
    std::vector<std::thread> threads;
    thread_executor own{2};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] { right[t] = go(t, t < 2 ? executor_ref(shared) : executor_ref(own)) ? 1 : 0; });
    for (std::thread& t : threads) t.join();
    for (const char r : right) CHECK(r == 1);
}

TEST_CASE("what is alive in one group of lanes stands apart, and each lane has a workspace of its own") {
    std::size_t shared = 0;
    const auto look = [&](std::uint64_t seed, int steps) {
        std::vector<seen_places> seen;
        auto p = random_builder(seed, steps, true, &seen).finish();
        RC_ASSERT(p.has_value());
        const step_schedule s = random_schedule(seed + 1, p->reads());
        RC_ASSERT(p->follow(s).has_value());
        const tensor in[]{input_of(7)};
        RC_ASSERT(p->run(in).has_value());
        // By result: the first and last group in which it is alive, and if that is one group, the lane and places in it, or no lane.
        struct life {
            std::size_t born = 0, dies = 0, lane = 0, first = 0, last = 0;
        };
        const std::size_t count = p->steps().size(), many = ~std::size_t{0};
        std::vector<life> lives(count);
        for (std::size_t g = 0; g < s.groups.size(); ++g)
            for (std::size_t l = 0; l < s.groups[g].lanes.size(); ++l)
                for (std::size_t at = 0; at < s.groups[g].lanes[l].size(); ++at) {
                    const std::uint32_t i = s.groups[g].lanes[l][at];
                    lives[i] = {g, g, l, at, at};
                    for (const std::uint32_t r : p->reads()[i]) {
                        lives[r].lane = lives[r].born == g && lives[r].lane == l ? l : many;
                        lives[r].dies = std::max(lives[r].dies, g);
                        lives[r].last = at;
                    }
                }
        const auto apart = [](const void* a, const void* b) {
            const auto *x = static_cast<const std::byte*>(a), *y = static_cast<const std::byte*>(b);
            return x + 64 <= y || y + 64 <= x;
        };
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const life &a = lives[i], &b = lives[j];
                bool together = false;
                for (std::size_t g = std::max(a.born, b.born); g <= std::min(a.dies, b.dies); ++g) {
                    // In a group of one lane places are handed on from step to step, and of what one lane alone sees in that lane.
                    if (s.groups[g].lanes.size() == 1) continue;
                    const bool one_lane = a.lane != many && a.lane == b.lane && a.born == b.born;
                    together = together || !one_lane || (a.first <= b.last && b.first <= a.last);
                }
                RC_ASSERT(!together || apart(seen[i].result, seen[j].result));
                shared += !together && a.lane == b.lane && a.lane != many && a.born == b.born && s.groups[a.born].lanes.size() > 1 &&
                          !apart(seen[i].result, seen[j].result);
            }
        for (const step_group& g : s.groups) {
            std::set<const void*> known;
            for (const auto& lane : g.lanes) {
                for (const std::uint32_t i : lane) RC_ASSERT((seen[i].workspace == seen[lane.front()].workspace));
                for (const void* other : known) RC_ASSERT(apart(other, seen[lane.front()].workspace));
                known.insert(seen[lane.front()].workspace);
                for (const std::uint32_t i : lane)
                    for (std::size_t j = 0; j < count; ++j) RC_ASSERT(apart(seen[i].workspace, seen[j].result));
            }
        }
    };
    CHECK(rc::check("random sums", [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const int steps = *rc::gen::inRange(1, 60);
        // Places that two results of a lane share are rare.
        for (std::uint64_t more = 0; more < 5; ++more) look(seed + 2 * more, steps);
    }));
    MESSAGE(shared << " pairs of results of one lane share a place");
    CHECK(shared > 5);
}

TEST_CASE("of lanes that fail the step of the least number is named, and nothing after their group runs") {
    std::vector<seen_places> seen(1);
    const format plain = plain_format(element_type::int32);
    program_builder b;
    const buffer_id x[]{b.add_input("x", element_type::int32, {16})};
    std::vector<buffer_id> made;
    const auto step = [&](kernel k, std::span<const buffer_id> from, std::string label) {
        const buffer_id to[]{b.add_buffer({16}, plain)};
        made.push_back(to[0]);
        step_facts facts;
        facts.label = std::move(label);
        facts.backend = "fake";
        b.add_kernel(std::move(k), from, to, std::move(facts));
    };
    step(kernel(sum_step{0, 1, 16, nullptr}, 64), x, "good");
    step(kernel(failing_step{}), x, "bad");
    step(kernel(failing_step{}), x, "worse");
    step(kernel(failing_step{}), x, "worst");
    step(kernel(sum_step{0, 1, 16, &seen[0]}, 64), x, "last");
    b.set_results(made);
    auto p = b.finish(of({{{0, 3}, {2}, {1}}, {{4}}}));
    REQUIRE(p.has_value());
    thread_executor e{3};
    const tensor in[]{input_of(1)};
    for (int i = 0; i < 20; ++i) {
        const auto ran = p->run(in, e);
        REQUIRE_FALSE(ran.has_value());
        CHECK(ran.failure().message.rfind("step 1, 'bad' of back end 'fake' in part 0, reported a failure", 0) == 0);
    }
    CHECK(seen[0].result == nullptr);
    auto frame = p->make_frame();
    auto results = p->make_results();
    profile taken;
    const auto ran = run_profiled(*p, *frame, in, *results, e, taken);
    REQUIRE_FALSE(ran.has_value());
    CHECK(ran.failure() == p->run(in, e).failure());
    CHECK(taken.runs == 0);
    CHECK(taken.events.size() == 4);  // those that ran
}
