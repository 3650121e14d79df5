// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_MEASURE_SCHEDULE_HPP
#define INLAY_MEASURE_MEASURE_SCHEDULE_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/core/executor.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/measure/measure.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/runtime/profile.hpp>
#include <inlay/runtime/program.hpp>
#include <inlay/runtime/side_by_side.hpp>
#include <inlay/runtime/step_schedule.hpp>

namespace inlay {

/// How a schedule is found and tried.
struct measure_schedule_options {
    std::uint32_t warm_up = 2;
    std::uint32_t least_rounds = 9;  // of steps by themselves, and again of both programs
    std::uint32_t most_rounds = 100;
    double seconds = 1;          // what the rounds of either kind may take, once there are the least
    std::uint32_t attempts = 3;  // schedules that are tried; the later ones know what steps took in the lanes of those before
    /// Memory read before each run: what a host does between two inferences.
    std::uint64_t bytes_between = std::uint64_t{32} << 20;
};

/// What `measure_schedule` found. Seconds are medians of whole runs, of the last schedule that was tried; 0 where none was.
struct measured_schedule {
    bool is_kept = false;
    std::size_t groups_of_lanes = 0;  // of the schedule that the program follows now
    std::uint32_t attempts = 0;
    double serial_seconds = 0;
    double seconds = 0;            // side by side
    double predicted_seconds = 0;  // the same, from the times of the steps
};

/// What it costs in seconds to have tasks run on all threads of an executor and wait for them, beyond what they take: the median over so
/// many rounds of some microseconds on each thread.
[[nodiscard]] inline double barrier_seconds(executor_ref executor, std::size_t rounds = 100) {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds each{20};
    std::vector<double> seconds;
    for (std::size_t r = 0; r < rounds; ++r) {
        const auto start = clock::now();
        executor.run(executor.threads(), [&](std::size_t) {
            const auto begin = clock::now();
            while (clock::now() - begin < each) {}
        });
        seconds.push_back(std::chrono::duration<double>(clock::now() - start - each).count());
    }
    return std::max(0.0, quantile_of(seconds, 0.5));
}

namespace detail {

/// A program with what its runs need, run in rounds: by frames that are given.
class program_rounds {
public:
    program_rounds(const program& p, const measure_schedule_options& options)
        : program_(p), options_(options), other_(options.bytes_between) {}

    outcome<void> get_ready() {
        for (const port& in : program_.inputs()) {
            inputs_.emplace_back(in.element, in.extents);
            if (!inputs_.back().ok()) return error{"there is no memory for input " + quoted_text(in.name) + "; partition a smaller model"};
            fill_random(inputs_.back().data(), in.element, inputs_.back().count(), 1.0, false, inputs_.size());
        }
        auto results = program_.make_results();
        if (!results) return results.failure();
        results_ = *std::move(results);
        return {};
    }

    /// Two ways to run, in turns: what each took in each round that counts.
    struct way {
        program_frame* frame;
        executor_ref executor;
        profile taken = {};
        std::vector<double> seconds = {};
    };
    template <class Stop>
    outcome<void> run(way& one, way& two, Stop&& stop) {
        using clock = std::chrono::steady_clock;
        auto start = clock::now();
        for (std::uint32_t round = 0; round < options_.warm_up + options_.most_rounds; ++round) {
            if (round == options_.warm_up) start = clock::now();
            if (stop()) return {};
            if (round >= options_.warm_up + options_.least_rounds &&
                std::chrono::duration<double>(clock::now() - start).count() > options_.seconds)
                return {};
            for (way* w : {round % 2 == 0 ? &one : &two, round % 2 == 0 ? &two : &one}) {
                other_.pass(other_.size());
                const auto begin = clock::now();
                if (auto ran = run_profiled(program_, *w->frame, inputs_, results_, w->executor, w->taken); !ran) return ran;
                if (round >= options_.warm_up) w->seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
            }
        }
        return {};
    }
    /// What each step took: the median over the rounds that count.
    [[nodiscard]] std::vector<double> steps(const way& w) const {
        std::vector<double> medians;
        for (std::vector<double>& seconds : step_seconds(w.taken, program_.steps().size(), options_.warm_up))
            medians.push_back(quantile_of(seconds, 0.5));
        return medians;
    }

private:
    const program& program_;
    measure_schedule_options options_;
    other_memory other_;
    std::vector<tensor> inputs_, results_;
};

}  // namespace detail

/// Has a program follow a schedule whose steps run side by side if that is faster on this executor, else the serial one. Its steps are
/// timed with all threads of the executor and on one, in turns; `side_by_side` makes a schedule of this; the program runs by both in turns,
/// and keeps the new one where the median of what a round gained is above the distance between its quartiles. Else what the steps took in
/// lanes, where they share caches and memory, goes into another attempt. Steps that wake threads of a library's own stay alone. Inputs are
/// random, integers zero. `stop()` ends it, and the program is serial then. Error: no memory, or a kernel that fails.
template <class Stop>
[[nodiscard]] outcome<measured_schedule> measure_schedule(program& p, executor_ref executor, const measure_schedule_options& options,
                                                          Stop&& stop) {
    measured_schedule told;
    const step_schedule serial = step_schedule::serial(p.steps().size());
    if (auto followed = p.follow(serial); !followed) return followed.failure();
    if (executor.threads() < 2 || stop()) return told;
    auto frame = p.make_frame();
    if (!frame) return frame.failure();
    detail::program_rounds rounds(p, options);
    if (auto ready = rounds.get_ready(); !ready) return ready.failure();

    detail::program_rounds::way all{&*frame, executor}, one{&*frame, {}};
    if (auto ran = rounds.run(all, one, stop); !ran) return ran.failure();
    const std::vector<double> on_all = rounds.steps(all), on_one = rounds.steps(one);
    std::vector<step_cost> costs;
    for (std::size_t i = 0; i < on_all.size(); ++i) costs.push_back({on_all[i], on_one[i], p.steps()[i].wakes_own_threads});
    const lane_costs where{executor.threads(), barrier_seconds(executor)};

    while (told.attempts < options.attempts && !stop()) {
        const decided_schedule decided = side_by_side(p.reads(), costs, where);
        if (decided.schedule.groups_of_lanes() == 0) break;
        if (auto followed = p.follow(decided.schedule); !followed) return followed.failure();
        auto beside = p.make_frame();
        if (auto back = p.follow(serial); !back) return back.failure();
        if (!beside) return beside.failure();
        detail::program_rounds::way before{&*frame, executor}, after{&*beside, executor};
        if (auto ran = rounds.run(before, after, stop); !ran) return ran.failure();
        if (stop()) break;
        std::vector<double> gains;
        for (std::size_t r = 0; r < after.seconds.size(); ++r) gains.push_back(before.seconds[r] - after.seconds[r]);
        const summary gain = summarise(gains);
        ++told.attempts;
        told.serial_seconds = summarise(before.seconds).median;
        told.seconds = summarise(after.seconds).median;
        told.predicted_seconds = decided.seconds;
        if (gain.median > gain.spread) {
            told.is_kept = true;
            told.groups_of_lanes = decided.schedule.groups_of_lanes();
            if (auto followed = p.follow(decided.schedule); !followed) return followed.failure();
            break;
        }
        const std::vector<double> in_lanes = rounds.steps(after);
        for (const step_group& g : decided.schedule.groups)
            for (const std::vector<std::uint32_t>& lane : g.lanes)
                for (const std::uint32_t i : lane)
                    if (g.lanes.size() > 1) costs[i].one_thread = std::max(costs[i].one_thread, in_lanes[i]);
    }
    return told;
}

}  // namespace inlay

#endif
