// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/work_queue.hpp>

#include <type_traits>
#include <utility>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

struct counted_waits {
    mutable int waits = 0;
    bool fails = false;
    bool wait() const {
        ++waits;
        return !fails;
    }
};

struct recorded_starts {
    int* starts;
    bool start() const { return ++*starts < 3; }
};

/// Records from the second time on that it is asked to, and then what it gives back once.
struct recording_waits {
    int* starts;
    mutable int asked = 0;
    static bool wait() { return true; }
    bool begin_recording() const { return ++asked > 1; }
    [[nodiscard]] recorded_work end_recording() const { return asked == 2 ? recorded_work(recorded_starts{starts}) : recorded_work(); }
};

}  // namespace

static_assert(!std::is_constructible_v<work_queue, int> && std::is_trivially_copyable_v<work_queue>);

TEST_CASE("a queue that records gives what can be started again") {
    int starts = 0;
    const recording_waits where{&starts};
    const work_queue queue(where);
    CHECK(queue.records());
    CHECK_FALSE(queue.begin_recording());
    CHECK(queue.begin_recording());
    recorded_work first = queue.end_recording();
    REQUIRE(static_cast<bool>(first));
    const recorded_work moved = std::move(first);
    CHECK_FALSE(static_cast<bool>(first));
    CHECK(moved.start());
    CHECK(moved.start());
    CHECK_FALSE(moved.start());
    CHECK(starts == 3);
    CHECK(queue.begin_recording());
    CHECK_FALSE(static_cast<bool>(queue.end_recording()));
    const counted_waits plain;
    CHECK_FALSE(work_queue(plain).records());
}

TEST_CASE("handles of one queue are equal, and wait for it") {
    const counted_waits one, other{.fails = true};
    const work_queue none, first(one), again = first, second(other);
    CHECK_FALSE(static_cast<bool>(none));
    CHECK(static_cast<bool>(first));
    CHECK(first == again);
    CHECK(first == work_queue(one));
    CHECK(first != second);
    CHECK(first != none);
    CHECK(again.wait());
    CHECK(one.waits == 1);
    CHECK_FALSE(second.wait());
}
