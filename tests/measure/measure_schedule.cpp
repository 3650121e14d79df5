// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/measure_schedule.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/runtime/program_builder.hpp>

#include "runtime/random_program.hpp"

using namespace inlay;
using random_programs::thread_executor;

namespace {

/// Sleeps, so that what overlaps does so however many cores the machine has; with a mutex, while nobody else does, and longer on one
/// thread.
struct sleeping_step {
    std::mutex* turn;
    bool run(const run_arguments& a) const {
        const auto rest = [&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(turn != nullptr && a.executor.threads() == 1 ? 4 : 3));
            *static_cast<float*>(a.results[0]) = *static_cast<const float*>(a.inputs[0]) + 1;
        };
        if (turn == nullptr) return rest(), true;
        const std::lock_guard<std::mutex> lock(*turn);
        return rest(), true;
    }
};
struct failing_step {
    static bool run(const run_arguments&) { return false; }
};

/// Four chains of two steps that read the same input.
program four_chains(std::mutex* turn, bool wakes_own_threads = false) {
    program_builder b;
    const format plain = plain_format(element_type::float32);
    const buffer_id x = b.add_input("x", element_type::float32, {1});
    std::vector<buffer_id> ends;
    for (int chain = 0; chain < 4; ++chain) {
        buffer_id at = x;
        for (int step = 0; step < 2; ++step) {
            const buffer_id in[]{at}, out[]{b.add_buffer({1}, plain)};
            step_facts facts;
            facts.wakes_own_threads = wakes_own_threads;
            b.add_kernel(kernel(sleeping_step{turn}), in, out, std::move(facts));
            at = out[0];
        }
        ends.push_back(at);
    }
    b.set_results(ends);
    auto p = b.finish();
    REQUIRE(p.has_value());
    return std::move(*p);
}

measure_schedule_options quick() {
    measure_schedule_options few;
    few.warm_up = 1;
    few.seconds = 0;
    few.bytes_between = 4096;
    return few;
}

const auto never = [] { return false; };

}  // namespace

TEST_CASE("chains that are faster side by side are kept so, and give what they gave") {
    program p = four_chains(nullptr);
    thread_executor four{4};
    const auto told = measure_schedule(p, four, quick(), never);
    REQUIRE(told.has_value());
    CHECK(told->is_kept);
    CHECK(told->groups_of_lanes == 1);
    REQUIRE(p.schedule().groups.size() == 1);
    auto lanes = p.schedule().groups.front().lanes;
    std::sort(lanes.begin(), lanes.end());
    CHECK(lanes == std::vector<std::vector<std::uint32_t>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    CHECK(told->attempts >= 1);
    CHECK(told->serial_seconds > 24e-3);
    CHECK(told->seconds < told->serial_seconds / 2);
    CHECK(told->predicted_seconds > 6e-3);
    const tensor x = tensor::of<float>({1}, std::vector<float>{5});
    const auto found = p.run(std::span(&x, 1), four);
    REQUIRE(found.has_value());
    for (const tensor& t : *found) CHECK(t.as<float>()[0] == 7);
}

TEST_CASE("what does not get faster stays serial, and what steps took in lanes is believed") {
    std::mutex turn;
    program p = four_chains(&turn);
    thread_executor four{4};
    const auto told = measure_schedule(p, four, quick(), never);
    REQUIRE(told.has_value());
    CHECK_FALSE(told->is_kept);
    CHECK(told->groups_of_lanes == 0);
    CHECK(told->attempts >= 1);
    CHECK(p.schedule() == step_schedule::serial(8));
}

TEST_CASE("nothing is tried with one thread, with steps that wake threads of their own, or when it is stopped") {
    program p = four_chains(nullptr), own = four_chains(nullptr, true);
    thread_executor one{1}, four{4};
    CHECK(measure_schedule(p, one, quick(), never)->attempts == 0);
    CHECK(measure_schedule(own, four, quick(), never)->attempts == 0);
    CHECK(measure_schedule(p, four, quick(), [] { return true; })->attempts == 0);
    for (int after = 1; after < 30; after += 7) {
        const auto told = measure_schedule(p, four, quick(), [&, calls = 0]() mutable { return ++calls > after; });
        REQUIRE(told.has_value());
        CHECK(told->is_kept == (p.schedule() != step_schedule::serial(8)));
    }
}

TEST_CASE("a kernel that fails is an error, as in a run") {
    program_builder b;
    const buffer_id in[]{b.add_input("x", element_type::float32, {1})}, out[]{b.add_buffer({1}, plain_format(element_type::float32))};
    b.add_kernel(kernel(failing_step{}), in, out, {"Conv", "broken", 7, 1, 0, false, "", 0, false});
    b.set_results(out);
    auto p = b.finish();
    REQUIRE(p.has_value());
    thread_executor two{2};
    const auto told = measure_schedule(*p, two, quick(), never);
    REQUIRE_FALSE(told.has_value());
    CHECK(told.failure().message.rfind("step 0, 'Conv' of back end 'broken' in part 7, reported a failure", 0) == 0);
}

TEST_CASE("a barrier costs little beside its tasks, and more where threads have to be made for it") {
    serial_executor none;
    thread_executor two{2};
    CHECK(barrier_seconds(none, 20) < 1e-3);
    CHECK(barrier_seconds(two, 20) > 0);
    CHECK(barrier_seconds(two, 0) == 0);
}
