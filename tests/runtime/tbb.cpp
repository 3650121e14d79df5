// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/tbb.hpp>

#include <atomic>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/runtime/convert.hpp>

using namespace inlay;

static_assert(executor<tbb_executor>);

TEST_CASE("every task runs exactly once, for any number of tasks and threads") {
    for (const std::size_t threads : {0u, 1u, 2u})
        for (const std::size_t count : {0u, 1u, 2u, 3u, 1000u}) {
            tbb_executor e(threads);
            CHECK(e.threads() == (threads == 0 ? 1 : threads));
            std::vector<std::atomic<int>> runs(count);
            executor_ref(e).run(count, [&](std::size_t i) { ++runs[i]; });
            bool once = true;
            for (const auto& r : runs) once = once && r == 1;
            CHECK(once);
        }
}

TEST_CASE("a task may run tasks") {
    tbb_executor e(2);
    std::atomic<int> sum = 0;
    e.run(8, [&](std::size_t) { e.run(8, [&](std::size_t) { ++sum; }); });
    CHECK(sum == 64);
}

TEST_CASE("a large conversion gives on two threads what it gives on one") {
    const std::vector<std::int64_t> extents{2, 70, 61, 53};
    std::vector<float> in(2 * 70 * 61 * 53);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const format blocked{{}, layout::channels_blocked(16), element_type::float32};
    std::vector<float> one(stored_elements(extents, blocked.order)), two(one.size(), -1);
    tbb_executor e(2);
    REQUIRE(convert(extents, plain_format(element_type::float32), blocked, in.data(), one.data()).has_value());
    REQUIRE(convert(extents, plain_format(element_type::float32), blocked, in.data(), two.data(), e).has_value());
    CHECK(one == two);
}
