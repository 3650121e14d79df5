// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/hand_over.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Runs its tasks here; its threads fall asleep as soon as another executor has run, and waking them takes a while.
struct sleepy_executor {
    int own;
    int* last;
    std::size_t count = 1;

    [[nodiscard]] std::size_t threads() const { return count; }
    template <class Task>
    void run(std::size_t tasks, Task&& task) {
        if (*last != own) {
            const auto start = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(150)) {}
        }
        *last = own;
        for (std::size_t i = 0; i < tasks; ++i) task(i);
    }
};

}  // namespace

TEST_CASE("a hand-over is what waking costs, there and back") {
    int last = 0;
    sleepy_executor ours{1, &last}, theirs{2, &last};
    const double seconds = hand_over_seconds(ours, theirs, 20);
    CHECK(seconds > 250e-6);
    CHECK(hand_over_seconds(ours, theirs, 0) == 0);
    serial_executor here, there;
    CHECK(hand_over_seconds(here, there, 20) < seconds / 2);
}

TEST_CASE("a hand-over is measured once for a database, and for each set of conditions") {
    int last = 0;
    sleepy_executor ours{1, &last, 2}, theirs{2, &last, 2};
    cost_database database;
    recording_conditions conditions;
    const double first = recorded_hand_over(ours, theirs, database, conditions);
    CHECK(first > 250e-6);
    CHECK(recorded_hand_over(ours, theirs, database, conditions) == first);
    struct awake : serial_executor {
        [[nodiscard]] static std::size_t threads() { return 2; }
    } one, other;
    CHECK(recorded_hand_over(one, other, database, conditions) == first);
    conditions.threads = 7;
    CHECK(recorded_hand_over(one, other, database, conditions) < first / 2);
    sleepy_executor alone{3, &last, 1};
    CHECK(recorded_hand_over(alone, theirs, database, conditions) == 0);
}

namespace {

struct waking {
    static constexpr std::string_view kind = "waking";
    [[nodiscard]] static bool wakes_own_threads(std::string_view composite) { return composite == "wide"; }
};
struct one_back_end {
    template <class F>
    auto visit(std::size_t, F&& f) const {
        return f(waking());
    }
};
struct one_second {
    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        return std::vector<measurement>(jobs.size(), measurement::of(std::vector<double>(3, 1.0)));
    }
};

}  // namespace

TEST_CASE("kernels on threads of a library's own cost a hand-over more, others and conversions do not") {
    one_second inner;
    const one_back_end list;
    hand_over_meter meter(inner, list, 0.25);
    std::vector<pricing_job> jobs(3);
    jobs[0].name = "wide";
    jobs[1].name = "narrow";
    jobs[2].name = "wide";
    jobs[2].what = pricing_job::subject::conversion;
    const auto found = meter.price(jobs);
    CHECK(found[0].median == 1.25);
    CHECK(found[0].minimum == 1.25);
    CHECK(found[1].median == 1);
    CHECK(found[2].median == 1);
    measurement failed;
    failed.failure = "it does not run";
    meter.add_to(failed, jobs[0]);
    CHECK(failed.median == measurement().median);
}
