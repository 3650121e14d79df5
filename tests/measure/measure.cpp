// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/measure.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/runtime/convert.hpp>

using namespace inlay;

namespace {

/// Spins for a while.
struct spinning_state {
    double seconds;
    bool run(const run_arguments&) const {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {}
        return true;
    }
};
/// Notes its turns, and checks that its input was freshly written and spoils it.
struct noting_state {
    int number;
    std::vector<int>* turns;
    bool* fresh;
    bool run(const run_arguments& a) const {
        turns->push_back(number);
        auto* in = static_cast<float*>(const_cast<void*>(a.inputs[0]));
        for (int i = 0; i < 100; ++i) {
            *fresh = *fresh && std::isfinite(in[i]) && in[i] != 777.0f && std::fabs(in[i]) < 10;
            in[i] = 777.0f;
        }
        static_cast<float*>(a.results[0])[0] = 777.0f;
        if (a.workspace != nullptr) *reinterpret_cast<float*>(a.workspace) = 777.0f;
        return true;
    }
};
struct failing_state {
    static bool run(const run_arguments&) { return false; }
};

measure_options quick() {
    measure_options o;
    o.seconds_per_kernel = 0.01;
    o.bytes_between = 1 << 16;
    o.patience = 0;  // the machine of a test may be busy
    o.window_seconds = 0.01;
    return o;
}

/// Runs for one time where it is disturbed and for another where not.
struct disturbed_state {
    const bool* disturbed;
    bool run(const run_arguments&) const { return spinning_state{*disturbed ? 2e-3 : 2e-4}.run({}); }
};
/// Says of each window, of one round each, what it was told to say; of later ones the last.
struct scripted_watch {
    std::vector<bool> calm;
    bool pushes_aside = false;  // every other run
    bool disturbed = false;
    std::size_t windows = 0, runs = 0;

    void begin() { disturbed = !calm[std::min(windows, calm.size() - 1)]; }
    bool end_calm() {
        ++windows;
        return !disturbed;
    }
    double age() const { return 0.01; }
    double waited() {
        // Asked before and after each run.
        if (pushes_aside) disturbed = runs / 2 % 2 == 0;
        return static_cast<double>(runs++ / 2);
    }
    bool was_pushed_aside(double, double) const { return pushes_aside && disturbed; }
    double best_clock() const { return 2e-5; }
};

/// As on a machine on which nothing else runs.
std::vector<measurement> measure_calmly(std::span<const measured_kernel> kernels, const measure_options& options) {
    scripted_watch watch{{true}};
    return measure(
        kernels, options, {}, watch, [](std::size_t) {}, [] { return false; });
}

}  // namespace

TEST_CASE("times are about right and in the right order") {
    const kernel slow(spinning_state{2e-3}), fast(spinning_state{2e-4}), idle(spinning_state{0});
    std::vector<measured_kernel> kernels(3);
    kernels[0].code = &slow;
    kernels[1].code = &fast;
    kernels[2].code = &idle;
    const auto m = measure_calmly(kernels, quick());
    for (const measurement& x : m) {
        CHECK(x.is_measured());
        CHECK(x.samples >= 5);
        CHECK(x.minimum <= x.median);
    }
    CHECK(m[0].minimum >= 1.9e-3);
    CHECK(m[1].minimum >= 1.9e-4);
    CHECK(m[1].median < m[0].median);
    CHECK(m[2].minimum < 2e-6);
}

TEST_CASE("what was measured while something else ran is measured again, and then it is no part of the price") {
    scripted_watch watch{{false, false, false, true}};
    const kernel code(disturbed_state{&watch.disturbed});
    measured_kernel k;
    k.code = &code;
    measure_options o = quick();
    o.warm_up = 0;
    o.least_samples = o.most_samples = 5;
    o.patience = 1;
    const auto never = [] { return false; };
    const auto m = measure(
        std::span(&k, 1), o, {}, watch, [](std::size_t) {}, never);
    CHECK(m[0].samples == 5);
    CHECK(m[0].median < 1e-3);
    CHECK_FALSE(m[0].disturbed);
    CHECK(m[0].windows == 1);
    CHECK(m[0].clock == 2e-5);
    CHECK(m[0].when > 1'700'000'000);
    CHECK(watch.windows == 8);
}

TEST_CASE("where it never becomes quiet, measuring ends and says so") {
    scripted_watch watch{{false}};
    const kernel code(disturbed_state{&watch.disturbed});
    std::vector<measured_kernel> kernels(2);
    for (auto& k : kernels) k.code = &code;
    measure_options o = quick();
    const auto never = [] { return false; };
    for (const double patience : {0.0, 1.0}) {
        o.patience = patience;
        const auto start = std::chrono::steady_clock::now();
        const auto m = measure(
            kernels, o, {}, watch, [](std::size_t) {}, never);
        CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 5);
        for (const measurement& one : m) {
            CHECK(one.is_measured());
            CHECK(one.disturbed);
            CHECK(one.median > 1e-3);
        }
    }
}

TEST_CASE("runs in which a thread was pushed aside do not count where there are others") {
    scripted_watch watch{{true}, true};
    const kernel code(disturbed_state{&watch.disturbed});
    measured_kernel k;
    k.code = &code;
    measure_options o = quick();
    o.warm_up = 0;
    o.patience = 1;
    const auto never = [] { return false; };
    // Every window is one round, of one run; the watch calls those calm that were not pushed aside.
    const auto m = measure(
        std::span(&k, 1), o, {}, watch, [](std::size_t) {}, never);
    CHECK(m[0].median < 1e-3);
    CHECK_FALSE(m[0].disturbed);
}

TEST_CASE("beside a load that is meant to run nothing is repeated, and all samples are told") {
    const kernel code(spinning_state{2e-4});
    measured_kernel k;
    k.code = &code;
    measure_options o = quick();
    o.beside_load = true;
    o.least_samples = o.most_samples = 40;
    const auto m = measure(std::span(&k, 1), o);
    CHECK(m[0].samples == 40);
    CHECK(m[0].windows == 1);
    CHECK_FALSE(m[0].disturbed);
    CHECK(m[0].clock == 0);
    detail::sample_book book;
    for (int i = 0; i < 40; ++i) book.add(i < 20 ? 1e-3 : 3e-3, 1e-3, false);
    book.close(true);
    CHECK(book.told(5).median == doctest::Approx(1e-3));
    CHECK(book.told(5, detail::samples_in_a_window(true)).median == doctest::Approx(2e-3));
}

TEST_CASE("kernels whose own threads are more than the cores have a price, and it is not a disturbed one") {
    detail::sample_book book;
    for (int i = 0; i < 5; ++i) book.add(1e-3, 1e-3, true);
    CHECK(book.count(false) == 5);
    book.close(true);
    CHECK(book.count(false) == 5);
    CHECK_FALSE(book.told(5).disturbed);
    for (int i = 0; i < 5; ++i) book.add(9e-3, 9e-3, true);
    book.close(false);
    CHECK(book.count(false) == 5);
    CHECK(book.count(true) == 10);
    CHECK(book.told(5).median == 1e-3);
    CHECK(book.told(6).disturbed);
}

TEST_CASE("kernels take turns, every one in each round, on freshly written inputs") {
    std::vector<int> turns;
    bool fresh = true;
    std::vector<kernel> code;
    for (int i = 0; i < 5; ++i) code.emplace_back(noting_state{i, &turns, &fresh}, 64u);
    std::vector<measured_kernel> kernels(5);
    for (std::size_t i = 0; i < 5; ++i) kernels[i] = {&code[i], {{element_type::float32, 400}}, {{element_type::float32, 4}}, 0};
    measure_options o = quick();
    o.warm_up = 2;
    o.least_samples = o.most_samples = 7;
    const auto m = measure_calmly(kernels, o);
    CHECK(fresh);
    REQUIRE(turns.size() == 5 * 9);
    bool orders_differ = false;
    for (std::size_t round = 0; round < 9; ++round) {
        std::vector<int> order(turns.begin() + static_cast<std::ptrdiff_t>(round * 5),
                               turns.begin() + static_cast<std::ptrdiff_t>(round * 5 + 5));
        orders_differ = orders_differ || (round != 0 && !std::equal(order.begin(), order.end(), turns.begin()));
        std::sort(order.begin(), order.end());
        CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
    }
    CHECK(orders_differ);
    CHECK(m[4].samples == 7);
}

TEST_CASE("a kernel that reports a failure has it as its reason, the others are measured") {
    const kernel good(spinning_state{1e-6}), bad(failing_state{});
    std::vector<measured_kernel> kernels(2);
    kernels[0].code = &bad;
    kernels[1].code = &good;
    const auto m = measure(kernels, quick());
    CHECK(m[0].failure == "the kernel reported a failure");
    CHECK(std::isinf(m[0].median));
    CHECK(m[1].is_measured());
}

TEST_CASE("a slow kernel gets its least samples, and does not take the others' time") {
    const kernel slow(spinning_state{5e-3}), fast(spinning_state{1e-5});
    std::vector<measured_kernel> kernels(2);
    kernels[0].code = &slow;
    kernels[1].code = &fast;
    measure_options o = quick();
    o.least_samples = 3;
    o.seconds_per_kernel = 5;
    o.most_seconds = 60;
    o.most_samples = 20;
    CHECK(measure_calmly(kernels, o)[0].samples == 20);
    o.seconds_per_kernel = 1e-3;
    o.most_samples = 10;
    const auto m = measure_calmly(kernels, o);
    CHECK(m[0].samples == 3);
    CHECK(m[1].samples == 10);
    o.least_samples = o.most_samples = 10;
    o.most_seconds = 12e-3;
    const auto cut = measure_calmly(kernels, o);
    CHECK(cut[0].samples >= 1);
    CHECK(cut[0].samples <= 2);
    CHECK(cut[1].samples == 10);
}

TEST_CASE("the farther a kernel is above its rival's price, the fewer samples it gets; one near it gets them all") {
    const kernel slow(spinning_state{1e-3}), near(spinning_state{1e-3});
    std::vector<measured_kernel> kernels(2);
    kernels[0].code = &slow;
    kernels[0].rival = 1e-4;
    kernels[1].code = &near;
    kernels[1].rival = 0.99e-3;
    measure_options o = quick();
    o.seconds_per_kernel = 1;
    o.far_above = 2;
    o.least_samples = 4;
    o.most_samples = 12;
    const auto m = measure_calmly(kernels, o);
    CHECK(m[0].samples == 2);  // ten times; never by one sample alone
    CHECK(m[1].samples == 12);
    kernels[0].rival = 0.6e-3;  // 1 + (2 - 1) * 4 / n is first below 1.67 with 6 or 7 samples
    const auto between = measure_calmly(kernels, o);
    CHECK(between[0].samples >= 4);
    CHECK(between[0].samples <= 8);
    // In a contest each is the others' rival.
    const kernel quick_one(spinning_state{1e-4});
    kernels[0].rival = kernels[1].rival = std::numeric_limits<double>::infinity();
    kernels[1].code = &quick_one;
    CHECK(measure_calmly(kernels, o)[0].samples == 12);
    kernels[0].contest = kernels[1].contest = 7;
    const auto contest = measure_calmly(kernels, o);
    CHECK(contest[0].samples <= 3);
    CHECK(contest[1].samples == 12);
}

TEST_CASE("stopping keeps what was sampled") {
    const kernel k(spinning_state{1e-6});
    std::vector<measured_kernel> kernels(3);
    for (auto& m : kernels) m.code = &k;
    int runs = 0;
    const auto m = measure(
        kernels, quick(), {}, [&](std::size_t) { ++runs; }, [&] { return runs >= 7; });
    CHECK(runs == 7);
    std::size_t samples = 0;
    for (const auto& x : m) samples += x.samples;
    CHECK(samples == 4);  // three were warm-up
    const auto none = measure(
        kernels, quick(), {}, [](std::size_t) {}, [] { return true; });
    CHECK_FALSE(none[0].is_measured());
    CHECK_FALSE(none[0].has_failed());
}

TEST_CASE("a view stands where its input stands, and a conversion is measured like any kernel") {
    struct view_state {
        static bool run(const run_arguments& a) { return a.inputs[0] == a.results[0]; }
    };
    kernel view(view_state{});
    view.view_of = {0};
    const auto how =
        layout_conversion::make({1, 64, 28, 28}, plain_format(element_type::float32), {{}, layout::channels_last(), element_type::float32});
    const kernel convert = conversion_kernel(*how);
    const std::vector<measured_kernel> kernels{
        {&view, {{element_type::int64, 64}}, {{element_type::int64, 64}}, 0},
        {&convert, {{element_type::float32, how->bytes_read()}}, {{element_type::float32, how->bytes_written()}}, 0}};
    const auto m = measure(kernels, quick());
    CHECK(m[0].is_measured());
    CHECK(m[1].is_measured());
    CHECK(m[1].median > 1e-7);
}

TEST_CASE("nothing to measure takes no time") { CHECK(measure(std::span<const measured_kernel>()).empty()); }
