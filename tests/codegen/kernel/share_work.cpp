// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/share_work.hpp>

#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
struct counting_executor {
    std::size_t runs = 0;
    [[nodiscard]] static std::size_t threads() { return 4; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        runs += count;
        for (std::size_t i = count; i-- > 0;) task(i);
    }
};
}  // namespace

TEST_CASE("little work stays on the caller's thread") {
    counting_executor e;
    CHECK(tasks_for(executor_ref(e), 100, 1000) == 1);
    CHECK(tasks_for(executor_ref(e), 1, 1e9) == 1);
    CHECK(tasks_for(executor_ref(), 100, 1e9) == 1);
    share(executor_ref(e), 10, 10, [](std::size_t, std::size_t) {});
    CHECK(e.runs == 0);
}

TEST_CASE("tasks follow the size of the work, and their ranges make up all of it") {
    counting_executor e;
    CHECK(tasks_for(executor_ref(e), 100, 5e4) == 5);
    CHECK(tasks_for(executor_ref(e), 100, 1e9) == 32);
    CHECK(tasks_for(executor_ref(e), 7, 1e9) == 7);
    for (const std::size_t units : {2u, 7u, 31u, 33u, 1000u}) {
        std::vector<int> seen(units, 0);
        share(executor_ref(e), units, 1e7, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) ++seen[u];
        });
        CHECK(seen == std::vector<int>(units, 1));
    }
}
