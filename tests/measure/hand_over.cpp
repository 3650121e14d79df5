// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/hand_over.hpp>

#include <chrono>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

/// Runs its tasks here; its threads fall asleep as soon as another executor has run, and waking them takes a while.
struct sleepy_executor {
    int own;
    int* last;

    [[nodiscard]] static std::size_t threads() { return 1; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        if (*last != own) {
            const auto start = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(150)) {}
        }
        *last = own;
        for (std::size_t i = 0; i < count; ++i) task(i);
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
