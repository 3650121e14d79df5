// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/busy_core.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <sched.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Seconds of a core that a process has had.
double seconds_of(pid_t process) {
    clockid_t clock = 0;
    timespec had{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &had) != 0) return -1;
    return static_cast<double>(had.tv_sec) + 1e-9 * static_cast<double>(had.tv_nsec);
}

/// Whether something becomes true within some seconds.
template <class Condition>
bool soon(Condition&& condition) {
    for (int i = 0; i < 500; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// Whether a process has ended, be it that nobody has asked for its status yet.
bool has_ended(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    if (!std::getline(file, text)) return true;
    const std::size_t name_end = text.rfind(')');
    return name_end + 2 < text.size() && text[name_end + 2] == 'Z';
}

}  // namespace

TEST_CASE("a competing process spins on the last core, and ends with its owner") {
    const std::optional<int> last = last_usable_core();
    REQUIRE(last.has_value());
    pid_t process = -1;
    {
        auto made = busy_core::start();
        REQUIRE(made.has_value());
        busy_core busy = *std::move(made);
        process = busy.process();
        CHECK(busy.core() == *last);
        CHECK(soon([&] { return seconds_of(process) > 0.05; }));
        cpu_set_t cores;
        CPU_ZERO(&cores);
        REQUIRE(sched_getaffinity(process, sizeof cores, &cores) == 0);
        CHECK(CPU_COUNT(&cores) == 1);
        CHECK(CPU_ISSET(*last, &cores));
        const busy_core moved = std::move(busy);
        CHECK(moved.process() == process);
        CHECK(busy.process() == -1);
        CHECK_FALSE(is_gone(process));
    }
    CHECK(is_gone(process));
}

TEST_CASE("a competing process ends where its owner is killed") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t owner = fork();
    REQUIRE(owner >= 0);
    if (owner == 0) {
        auto busy = busy_core::start();
        const pid_t process = busy ? busy->process() : -1;
        if (write(ends[1], &process, sizeof process) != sizeof process) _exit(1);
        for (;;) pause();
    }
    pid_t process = -1;
    REQUIRE(read(ends[0], &process, sizeof process) == sizeof process);
    close(ends[0]);
    close(ends[1]);
    REQUIRE(process > 0);
    CHECK(soon([&] { return seconds_of(process) > 0.02; }));
    ::kill(owner, SIGKILL);
    REQUIRE(waitpid(owner, nullptr, 0) == owner);
    CHECK(soon([&] { return has_ended(process); }));
}
