// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/measure_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/pipeline.hpp>

#include "runtime/toy_plan.hpp"

using namespace inlay;

TEST_CASE("every piece of every cover is timed inside its program") {
    const ir_module m = toys::random_program(5, 12);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    for (const contender& c : made.others)
        if (c.seconds) covers.push_back(c.chosen);
    REQUIRE(covers.size() > 1);
    measure_program_options few;
    few.least_runs = few.most_runs = 3;
    few.bytes_between = 4096;
    few.patience = 0;  // the machine of a test may be busy
    const auto told = measure_programs(m, backends, made.set, covers, {}, few, [] { return false; });
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
    const auto told = measure_programs(m, backends, made.set, covers, {}, {}, [] { return true; });
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
    const auto told = measure_programs(m, backends, set, covers, {}, {}, [] { return false; });
    CHECK(told[0].candidates.empty());
    CHECK(told[0].failure.find("plus_one") != std::string::npos);
}

TEST_CASE("rounds in which something else ran are repeated, as long as patience lasts, and the answer says what it rests on") {
    // Says of each window, of one round each, what it was told to say; of later ones the last.
    struct scripted_watch {
        std::vector<bool> calm;
        std::size_t windows = 0;

        void begin() {}
        bool end_calm() { return calm[std::min(windows++, calm.size() - 1)]; }
        double age() const { return 1; }
        double waited() const { return 0; }
        bool was_pushed_aside(double, double) const { return false; }
        double best_clock() const { return 2e-5; }
    };
    const ir_module m = toys::random_program(5, 12);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    const std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    measure_program_options few;
    few.least_runs = few.most_runs = 3;
    few.bytes_between = 4096;
    const auto never = [] { return false; };
    scripted_watch watch{{false, true, false, true, true}};
    const auto told = measure_programs(m, backends, made.set, covers, {}, few, watch, never);
    CHECK(watch.windows == 5);
    for (const auto& [number, seconds] : told[0].candidates) {
        CHECK(seconds.samples == 3);
        CHECK_FALSE(seconds.disturbed);
        CHECK(seconds.clock == 2e-5);
        CHECK(seconds.when > 1'700'000'000);
    }
    few.beside_load = true;
    const auto beside = measure_programs(m, backends, made.set, covers, {}, few, never);
    CHECK_FALSE(beside[0].candidates.empty());
    for (const auto& [number, seconds] : beside[0].candidates) {
        CHECK(seconds.samples == 3);
        CHECK(seconds.windows == 1);
        CHECK_FALSE(seconds.disturbed);
        CHECK(seconds.clock == 0);
    }
    few.beside_load = false;
    few.seconds = 0.05;
    scripted_watch busy{{false}};
    const auto disturbed = measure_programs(m, backends, made.set, covers, {}, few, busy, never);
    CHECK(busy.windows >= 3);
    REQUIRE_FALSE(disturbed[0].candidates.empty());
    for (const auto& [number, seconds] : disturbed[0].candidates) {
        CHECK(seconds.is_measured());
        CHECK(seconds.disturbed);
    }
}

TEST_CASE("of the rounds that are to be trusted the quickest window counts") {
    detail::round_book book;
    const auto add = [&](double seconds, int count, bool calm, bool pushed = false) {
        for (int i = 0; i < count; ++i) book.add(seconds, pushed && i == 0);
        book.close(calm);
    };
    add(1, 3, false);
    add(4, 5, true, true);
    add(2, 4, true);
    CHECK(book.size() == 12);
    CHECK(book.trusted() == 8);
    const auto calm = book.chosen(8, 4);
    CHECK_FALSE(calm.disturbed);
    CHECK(calm.windows == 2);
    CHECK(std::count(calm.counts.begin(), calm.counts.end(), 1) == 4);
    CHECK(calm.counts[8] == 1);
    CHECK(calm.counts[0] == 0);
    const auto doubtful = book.chosen(9, 100);
    CHECK(doubtful.disturbed);
    CHECK(std::count(doubtful.counts.begin(), doubtful.counts.end(), 1) == 11);
    CHECK(book.chosen(12, 100).counts[3] == 1);
    // More threads than cores: all wait, and nobody else runs.
    add(2, 3, true);
    for (int i = 0; i < 3; ++i) book.add(2, true);
    book.close(true);
    CHECK(book.trusted() == 14);
}

TEST_CASE("what steps take of a run adds up to the mean of the nine tenths that were quickest, and what is slow at times has its share") {
    using rows = std::vector<std::vector<double>>;
    CHECK(detail::shares_of_a_run(rows{}).empty());
    CHECK(detail::shares_of_a_run(rows{{}, {}}) == std::vector<double>{0, 0});
    CHECK(detail::shares_of_a_run(rows{{1, 1, 1}, {2, 2, 2}}) == std::vector<double>{1, 2});
    // One of two steps is slow in each run: medians of their own would be 1 and 1, and no run takes 2.
    const auto shares = detail::shares_of_a_run(rows{{1, 3, 1, 3, 1, 3}, {3, 1, 3, 1, 3, 1}});
    CHECK(shares[0] == doctest::Approx(2));
    CHECK(shares[1] == doctest::Approx(2));
    // A run that something else held up is no step's fault.
    const auto held_up = detail::shares_of_a_run(rows{{1, 1, 1, 1, 1}, {2, 90, 2, 2, 2}});
    CHECK(held_up[0] == doctest::Approx(1));
    CHECK(held_up[1] == doctest::Approx(2));
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        std::mt19937 random(seed);
        rows seconds(1 + random() % 7, std::vector<double>(1 + random() % 20));
        for (std::vector<double>& step : seconds)
            for (double& s : step) s = static_cast<double>(1 + random() % 1000);
        for (std::vector<double>& step : seconds) step.resize(seconds.front().size(), 1);
        std::vector<double> totals(seconds.front().size(), 0);
        for (const std::vector<double>& step : seconds)
            for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += step[k];
        double sum = 0;
        for (const double share : detail::shares_of_a_run(seconds)) sum += share;
        std::vector<double> ordered = totals;
        const double most = quantile_of(ordered, 0.9);
        double expected = 0, counted = 0;
        for (const double total : totals) {
            if (total > most) continue;
            expected += total;
            ++counted;
        }
        CHECK(sum == doctest::Approx(expected / counted));
    }
}
