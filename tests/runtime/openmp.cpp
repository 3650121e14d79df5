// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/openmp.hpp>

#include <atomic>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

static_assert(executor<openmp_executor>);

namespace {

void runs_each_once(openmp_executor& e) {
    for (const std::size_t count : {0u, 1u, 2u, 3u, 1000u}) {
        std::vector<std::atomic<int>> runs(count);
        executor_ref(e).run(count, [&](std::size_t i) { ++runs[i]; });
        bool once = true;
        for (const auto& r : runs) once = once && r == 1;
        CHECK(once);
    }
}

}  // namespace

TEST_CASE("without an OpenMP runtime tasks run one after the other") {
    openmp_executor e(4, openmp_runtime{});
    CHECK(e.threads() == 1);
    runs_each_once(e);
}

TEST_CASE("on the loaded runtime every task runs exactly once, on any number of threads") {
    if (dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) return;
    REQUIRE(openmp_runtime::loaded().complete());
    for (const std::size_t threads : {0u, 1u, 2u, 3u}) {
        openmp_executor e(threads);
        CHECK(e.threads() == (threads == 0 ? 1 : threads));
        runs_each_once(e);
    }
}

TEST_CASE("a task may run tasks") {
    if (dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) return;
    openmp_executor e(2);
    std::atomic<int> sum = 0;
    e.run(8, [&](std::size_t) { e.run(8, [&](std::size_t) { ++sum; }); });
    CHECK(sum == 64);
}
