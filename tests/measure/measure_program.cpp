// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/measure_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>

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

namespace {

/// A quick back end that states its prices and makes no code at the calls whose order numbers are struck: the Nth candidate fails.
struct flaky {
    static constexpr std::string_view kind = "flaky", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    int every = 2;
    bool throws = false;
    using options = option_list<option<"every", &flaky::every, "extents of rows that it has no code for are multiples of this">,
                                option<"throws", &flaky::throws, "it throws in place of saying so">>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return pattern_table(composite<"neg">(dsl::op<"onnx.Neg">)); }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 1e-9; }
    struct negate {
        std::size_t count;
        explicit negate(const region_view& r) : count(static_cast<std::size_t>(*element_count(static_shape(r.type(0))))) {}
        bool run(const run_arguments& a) const {
            for (std::size_t i = 0; i < count; ++i) static_cast<float*>(a.results[0])[i] = -static_cast<const float*>(a.inputs[0])[i];
            return true;
        }
    };
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        const std::int64_t rows = static_shape(r.type(0)).front();
        if (rows % every != 0) return kernel(negate(r));
        if (throws) throw std::runtime_error("a tile fell off");
        return error{"its tiles do not take " + std::to_string(rows) + " rows"};
    }
};
/// It takes whatever that one takes, at a higher price.
struct steady : flaky {
    static constexpr std::string_view kind = "steady";
    using options = option_list<>;
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 1; }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const { return kernel(negate(r)); }
};
using flaky_list = backend_list<flaky, steady>;

/// Independent rows of 1, 2, ... elements, each negated.
[[nodiscard]] ir_module negated_rows(std::int64_t count) {
    ir_builder b;
    b.open_block();
    std::vector<node_id> inputs, results;
    for (std::int64_t i = 1; i <= count; ++i) {
        const tensor_type row(element_type::float32, {i, 2});
        inputs.push_back(b.input("x" + std::to_string(i), row));
        results.push_back(b.call("onnx.Neg", {inputs.back()}, {}, row, "y" + std::to_string(i)));
    }
    b.declare(b.function(inputs, b.tuple(results), "main"));
    return b.finish();
}

struct asks_nobody {
    std::vector<measurement> price(std::span<const pricing_job> jobs) { return std::vector<measurement>(jobs.size()); }
};

}  // namespace

TEST_CASE("a back end that makes no code for some candidates loses these alone, and the plan says why") {
    const ir_module m = negated_rows(6);
    for (const bool throws : {false, true}) {
        flaky fails;
        fails.throws = throws;
        const flaky_list backends(fails, steady{});
        asks_nobody pricing;
        measure_program_options few;
        few.least_runs = few.most_runs = 1;
        few.patience = 0;
        std::size_t programs = 0;
        auto whole = [&](const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
            programs += covers.size();
            return measure_programs(m, backends, set, covers, {}, few, [] { return false; });
        };
        const auto made = make_plan(
            m, backends, pricing, [](const auto&...) { return 0.0; }, plan_options{}, whole);
        REQUIRE_MESSAGE(made, made.failure().message);
        CHECK(made->rehearsal_failure.empty());
        CHECK(programs == 2);  // all failures of a program are found at once
        std::size_t flaky_ones = 0;
        for (const std::size_t number : made->chosen.chosen) {
            const candidate& c = made->set.candidates[number];
            const bool is_flaky = backends.kind(c.backend) == "flaky";
            flaky_ones += is_flaky;
            if (is_flaky) CHECK(static_shape(m.type(c.root).of_tensor).front() % 2 != 0);
        }
        CHECK(flaky_ones == 3);
        for (std::size_t i = 0; i < made->set.candidates.size(); ++i) {
            const candidate& c = made->set.candidates[i];
            const auto rows = static_shape(m.type(c.root).of_tensor).front();
            if (backends.kind(c.backend) != "flaky" || rows % 2 != 0) continue;
            REQUIRE(made->prices[i].has_failed());
            CHECK(made->prices[i].failure == (throws ? "it threw an exception while it emitted code: a tile fell off"
                                                     : "its tiles do not take " + std::to_string(rows) + " rows"));
        }
        const auto ready = link(m, backends, made->set, made->cut);
        REQUIRE_MESSAGE(ready, ready.failure().message);
    }
}

TEST_CASE("what is known to have no code is planned around without a program") {
    const ir_module m = negated_rows(4);
    const flaky_list backends;
    asks_nobody pricing;
    plan_options options;
    for (const candidate& c : enumerate(m, backends).candidates)
        if (backends.kind(c.backend) == "flaky" && static_shape(m.type(c.root).of_tensor).front() == 3)
            options.failures[job_content(pricing_job::of(c), backends)] = "it was seen to fail";
    REQUIRE(options.failures.size() == 1);
    const auto made = make_plan(
        m, backends, pricing, [](const auto&...) { return 0.0; }, options);
    REQUIRE_MESSAGE(made, made.failure().message);
    std::size_t steady_ones = 0;
    for (const std::size_t number : made->chosen.chosen) steady_ones += backends.kind(made->set.candidates[number].backend) == "steady";
    CHECK(steady_ones == 1);
}

TEST_CASE("link tells all candidates that have no code, and the first in its error") {
    const ir_module m = negated_rows(6);
    const flaky_list backends;
    asks_nobody pricing;
    const auto made = make_plan(m, backends, pricing, [](const auto&...) { return 0.0; });
    REQUIRE(made);
    emitted_kernels before;
    const auto ready = link(m, backends, made->set, made->cut, before);
    REQUIRE(!ready);
    CHECK(ready.failure().message.find("its tiles do not take 2 rows") != std::string::npos);
    REQUIRE(before.failures().size() == 3);
    CHECK(before.failures()[2].reason == "its tiles do not take 6 rows");
}
