// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/kernel_slices.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;
using list = std::vector<std::int64_t>;

namespace {

/// Fills its workspace with a number, and gives it as result.
struct filling {
    std::byte number;
    std::size_t at, bytes;
    bool good = true;

    [[nodiscard]] bool run(const run_arguments& a) const {
        std::memset(a.workspace, static_cast<int>(number), bytes);
        static_cast<std::byte*>(a.results[0])[at] = a.executor.threads() == 1 ? a.workspace[bytes - 1] : std::byte{};
        return good;
    }
};

kernel filler(unsigned number, bool good = true) {
    kernel k(filling{std::byte(number), number, 100, good}, 100);
    k.note = number < 2 ? "low" : "high";
    return k;
}

/// Says that it has four threads and runs the tasks last first, twice each.
struct repeating_executor {
    [[nodiscard]] static std::size_t threads() { return 4; }
    template <class Task>
    static void run(std::size_t count, Task&& task) {
        for (std::size_t i = 2 * count; i-- > 0;) task(i / 2);
    }
};

}  // namespace

TEST_CASE("slices run each on one thread, in a workspace of their own") {
    kernel_slices all;
    for (const unsigned number : {0u, 1u, 2u}) all.add(filler(number));
    const kernel k = kernel_slices::finish(std::move(all), 4);
    CHECK(k.workspace_bytes == 3 * 128);
    CHECK(k.note == "3 slices of low, high");
    std::vector<std::byte> workspace(k.workspace_bytes), out(3, std::byte{9});
    void* results[] = {out.data()};
    repeating_executor twice;
    run_arguments a;
    a.results = results;
    a.workspace = workspace.data();
    a.executor = executor_ref(twice);
    CHECK(k(a));
    CHECK(out == std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{2}});
    for (const std::size_t i : {0u, 1u, 2u}) CHECK(workspace[i * 128 + 99] == std::byte(i));
}

TEST_CASE("a slice that fails fails the whole") {
    kernel_slices all;
    all.add(filler(0));
    all.add(filler(1, false));
    const kernel k = kernel_slices::finish(std::move(all), 2);
    std::vector<std::byte> workspace(k.workspace_bytes), out(2);
    void* results[] = {out.data()};
    run_arguments a;
    a.results = results;
    a.workspace = workspace.data();
    CHECK_FALSE(k(a));
}

TEST_CASE("outputs are cut into up to two slices for each thread, none too small") {
    CHECK(slice_cuts(64, 16, 32, 2) == list{0, 32, 64});
    CHECK(slice_cuts(256, 16, 32, 2) == list{0, 64, 128, 192, 256});
    CHECK(slice_cuts(100, 16, 32, 2) == list{0, 32, 64, 100});
    CHECK(slice_cuts(20, 16, 32, 2) == list{0, 20});
    CHECK(slice_cuts(1, 16, 64, 8) == list{0, 1});
    CHECK(slice_cuts(40, 16, 20, 2) == list{0, 16, 40});
}

TEST_CASE("as many outputs make a slice as do the work that is worth it") {
    CHECK(least_outputs(100, 10) == 10);
    CHECK(least_outputs(101, 10) == 11);
    CHECK(least_outputs(1, 10) == 1);
}
