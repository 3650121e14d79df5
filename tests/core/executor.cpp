// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/executor.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace {

/// Runs the tasks backwards and counts how often it was asked.
struct backward_executor {
    std::size_t calls = 0;

    [[nodiscard]] static std::size_t threads() { return 3; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        ++calls;
        while (count-- > 0) task(count);
    }
};
struct without_threads {
    template <class Task>
    void run(std::size_t, Task&&) {}
};
struct without_run {
    std::size_t threads() { return 1; }
};

}  // namespace

static_assert(inlay::executor<inlay::serial_executor>);
static_assert(inlay::executor<inlay::executor_ref>);
static_assert(inlay::executor<backward_executor>);
static_assert(!inlay::executor<without_threads>);
static_assert(!inlay::executor<without_run>);
static_assert(!inlay::executor<int>);

TEST_CASE("the serial executor runs every task once, in order") {
    std::vector<std::size_t> seen;
    inlay::serial_executor::run(4, [&](std::size_t i) { seen.push_back(i); });
    CHECK(seen == std::vector<std::size_t>{0, 1, 2, 3});
    inlay::serial_executor::run(0, [&](std::size_t) { seen.clear(); });
    CHECK(seen.size() == 4);
}

TEST_CASE("a reference runs its tasks on the executor behind it") {
    backward_executor e;
    const inlay::executor_ref r(e);
    CHECK(r.threads() == 3);
    std::vector<std::size_t> seen;
    r.run(3, [&](std::size_t i) { seen.push_back(i); });
    CHECK(seen == std::vector<std::size_t>{2, 1, 0});
    CHECK(e.calls == 1);
}

TEST_CASE("a single task runs where it is, without asking the executor") {
    backward_executor e;
    const inlay::executor_ref r(e);
    std::size_t ran = 0;
    r.run(1, [&](std::size_t i) { ran += i + 1; });
    r.run(0, [&](std::size_t) { ran += 100; });
    CHECK(ran == 1);
    CHECK(e.calls == 0);
}

TEST_CASE("a reference to nothing runs tasks in order on the calling thread") {
    const inlay::executor_ref none;
    CHECK(none.threads() == 1);
    std::vector<std::size_t> seen;
    none.run(3, [&](std::size_t i) { seen.push_back(i); });
    CHECK(seen == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("copies of a reference mean the same executor") {
    backward_executor e;
    const inlay::executor_ref first(e);
    const inlay::executor_ref second = first;
    second.run(2, [](std::size_t) {});
    CHECK(e.calls == 1);
    CHECK(second.threads() == first.threads());
}
