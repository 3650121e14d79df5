// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/machine_watch.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
void spin(double seconds) {
    const double start = now();
    while (now() - start < seconds) {}
}

/// A process that spins on the cores that this one may use, until it is ended.
struct busy_neighbour {
    pid_t id = fork();
    busy_neighbour() {
        if (id == 0)
            for (;;) spin(1);
    }
    busy_neighbour(const busy_neighbour&) = delete;
    ~busy_neighbour() {
        kill(id, SIGKILL);
        waitpid(id, nullptr, 0);
    }
};

/// Calls a function in a thread that may use one core only; processes that it starts inherit that.
template <class F>
void on_one_core(F&& f) {
    std::thread([&] {
        cpu_set_t allowed, one;
        CPU_ZERO(&allowed);
        CPU_ZERO(&one);
        REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
        for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
            if (CPU_ISSET(i, &allowed)) CPU_SET(i, &one);
        REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
        f();
    }).join();
}

}  // namespace

TEST_CASE("a window is calm where others had little of the cores and the clock kernel is near its best") {
    CHECK(is_calm({0.1, 0.01, 20e-6}, 20e-6));
    CHECK(is_calm({0.1, 0.01, 21e-6}, 20e-6));
    CHECK_FALSE(is_calm({0.1, 0.01, 25e-6}, 20e-6));
    CHECK(is_calm({0.1, 0.01, 25e-6}, 0));
    CHECK_FALSE(is_calm({0.1, 0.1, 20e-6}, 20e-6));
    CHECK(is_calm({0.1, 0.1, 20e-6}, 20e-6, {2, 2}));
    // Ticks of 10 ms say nothing of a window that is shorter.
    CHECK(is_calm({0.001, 0.01, 20e-6}, 20e-6));
}

TEST_CASE("busy ticks are those of the listed processors, all but idle and waiting for disks, the host's share among them") {
    const std::string stat =
        "cpu  100 100 100 100 100 100 100 100 0 0\ncpu0 1 2 3 1000 1000 4 5 6 7 8\ncpu1 10 20 30 1000 1000 40 50 60 0 0\nintr 1 2 3\n";
    CHECK(detail::busy_ticks(stat, {1, 1}) == 21 + 210);
    CHECK(detail::busy_ticks(stat, {0, 1}) == 210);
    CHECK(detail::busy_ticks(stat, {1}) == 21);
    CHECK(detail::busy_ticks("", {1, 1}) == 0);
    CHECK(detail::busy_ticks("cpux\ncpu", {1, 1}) == 0);
}

TEST_CASE("the clock kernel takes some microseconds, every time about the same") {
    double least = 1, again = 1;
    for (int i = 0; i < 20; ++i) least = std::min(least, clock_reading());
    for (int i = 0; i < 20; ++i) again = std::min(again, clock_reading());
    CHECK(least > 1e-6);
    CHECK(least < 1e-3);
    CHECK(again == doctest::Approx(least).epsilon(0.2));
}

TEST_CASE("a neighbour on our core makes us wait and shows in the window") {
    on_one_core([] {
        const busy_neighbour other;
        machine_watch watch;
        watch.begin();
        const double waited = watch.waited();
        spin(0.4);
        const double pushed = watch.waited() - waited;
        const machine_window w = watch.end();
        CHECK(w.seconds >= 0.4);
        CHECK(pushed > 0.05);
        CHECK(watch.was_pushed_aside(pushed, 0.4));
        CHECK(w.others > 0.1);
        CHECK_FALSE(is_calm(w, 0));
    });
}

TEST_CASE("a neighbour on another core shows in the window, and the machine is not calm") {
    const busy_neighbour other;
    machine_watch watch;
    watch.begin();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    CHECK(watch.age() >= 0.4);
    CHECK_FALSE(watch.end_calm());
    CHECK(watch.last().others > 0.1);
    CHECK(watch.best_clock() > 0);
    CHECK_FALSE(is_machine_calm(0, 0.3));
}

TEST_CASE("our own threads are no neighbours") {
    machine_watch watch;
    watch.begin();
    std::thread helper([] { spin(0.3); });
    spin(0.3);
    helper.join();
    const double alone = watch.end().others;
    // Whatever else runs on the machine runs with and without our threads; on a quiet one nothing is left.
    watch.begin();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(alone < watch.end().others + 0.45);
}

TEST_CASE("a run is pushed aside when its threads waited longer than waking up takes") {
    CHECK_FALSE(machine_watch::was_pushed_aside(20e-6, 1e-3));
    CHECK(machine_watch::was_pushed_aside(1e-3, 1e-3));
    CHECK_FALSE(machine_watch::was_pushed_aside(1e-3, 0.1));
}

TEST_CASE("who is indifferent finds every window calm, and tells its age") {
    indifferent_watch watch;
    watch.begin();
    const double first = watch.age();
    CHECK(first >= 0);
    CHECK(watch.age() >= first);
    CHECK(watch.end_calm());
    CHECK(watch.waited() == 0);
    CHECK_FALSE(watch.was_pushed_aside(1, 1));
    CHECK(watch.best_clock() == 0);
}
