// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/denormals_flushed.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/runtime/tbb.hpp>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// The least normal number times a half, computed when asked.
float half_of_least() {
    volatile float least = std::numeric_limits<float>::min(), half = 0.5f;
    return least * half;
}

struct counting {
    std::vector<float>* seen;

    [[nodiscard]] bool run(const run_arguments& a) const {
        (*seen)[0] = half_of_least();
        a.executor.run(seen->size() - 1, [&](std::size_t i) { (*seen)[i + 1] = half_of_least(); });
        return true;
    }
};

}  // namespace

TEST_CASE("a thread flushes denormals as long as it is asked to, and no longer") {
    CHECK(half_of_least() > 0);
    {
        const simd::denormals_flushed now;
        CHECK(half_of_least() == 0);
        { const simd::denormals_flushed again; }
        CHECK(half_of_least() == 0);
    }
    CHECK(half_of_least() > 0);
}

TEST_CASE("all tasks of a kernel flush denormals, whatever threads they run on, and what runs there afterwards does not") {
    std::vector<float> seen(200, 1);
    tbb_executor threads(4);
    run_arguments a;
    a.executor = executor_ref(threads);
    CHECK(simd::flushing<counting>{{&seen}}.run(a));
    for (const float each : seen) CHECK(each == 0);
    std::vector<float> after(200, 0);
    threads.run(after.size(), [&](std::size_t i) { after[i] = half_of_least(); });
    for (const float each : after) CHECK(each > 0);
}

TEST_CASE("every kernel of the back end is made so, and numbers beside denormals are as defined") {
    std::vector<float> seen(5, 1);
    run_arguments a;
    CHECK(cpu_simd().finish(counting{&seen}, "counting")(a));
    for (const float each : seen) CHECK(each == 0);
    small_graph t;
    const node_id x = t.input({1, 16, 6, 6});
    const node_id y = t.call("onnx.Conv", {x, t.random({16, 16, 3, 3})}, {{"pads", extents{1, 1, 1, 1}}});
    expect_taken(t.finish(t.call("onnx.Add", {y, t.random({1, 16, 6, 6}, -1e-39f, 1e-39f)})), 2);
}
