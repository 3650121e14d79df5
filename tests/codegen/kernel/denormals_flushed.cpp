// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/denormals_flushed.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/runtime/tbb.hpp>

using namespace inlay;

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
        const denormals_flushed now;
        CHECK(half_of_least() == 0);
        { const denormals_flushed again; }
        CHECK(half_of_least() == 0);
    }
    CHECK(half_of_least() > 0);
}

TEST_CASE("all tasks of a kernel flush denormals, whatever threads they run on, and what runs there afterwards does not") {
    std::vector<float> seen(200, 1);
    tbb_executor threads(4);
    run_arguments a;
    a.executor = executor_ref(threads);
    CHECK(flushing<counting>{{&seen}}.run(a));
    for (const float each : seen) CHECK(each == 0);
    std::vector<float> after(200, 0);
    threads.run(after.size(), [&](std::size_t i) { after[i] = half_of_least(); });
    for (const float each : after) CHECK(each > 0);
}

TEST_CASE("a kernel that is made to flush denormals keeps what is said of it, and the state before comes back") {
    std::vector<float> seen(5, 1);
    kernel plain(counting{&seen}, 24);
    plain.note = "counting";
    const kernel made = with_denormals_flushed(std::move(plain));
    CHECK(made.workspace_bytes == 24);
    CHECK(made.note == "counting");
    CHECK(made(run_arguments()));
    for (const float each : seen) CHECK(each == 0);
    CHECK(half_of_least() > 0);
}
