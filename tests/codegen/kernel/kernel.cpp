// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/kernel.hpp>

#include <type_traits>

#include <doctest/doctest.h>

namespace {

/// Adds up its runs in a counter outside, and counts its living copies.
struct counted {
    int* runs;
    int* alive;
    bool fails = false;

    counted(int* r, int* a) : runs(r), alive(a) { ++*alive; }
    counted(counted&& other) noexcept : runs(other.runs), alive(other.alive), fails(other.fails) { ++*alive; }
    ~counted() { --*alive; }

    bool run(const inlay::run_arguments& arguments) {
        ++*runs;
        if (arguments.results != nullptr) *static_cast<float*>(arguments.results[0]) = *static_cast<const float*>(arguments.inputs[0]) * 2;
        return !fails;
    }
};

}  // namespace

static_assert(!std::is_copy_constructible_v<inlay::kernel> && std::is_nothrow_move_constructible_v<inlay::kernel>);
static_assert(std::is_constructible_v<inlay::kernel, counted> && !std::is_constructible_v<inlay::kernel, int>);

TEST_CASE("a kernel owns its state, and moving it leaves none behind") {
    int runs = 0, alive = 0;
    {
        inlay::kernel first(counted(&runs, &alive), 64);
        CHECK(alive == 1);
        CHECK(first.workspace_bytes == 64);
        first.note = "by hand";
        first.view_of = {-1};
        inlay::kernel second(std::move(first));
        CHECK_FALSE(static_cast<bool>(first));
        CHECK(static_cast<bool>(second));
        CHECK(second.note == "by hand");
        CHECK(second.view_of.size() == 1);
        CHECK(second.workspace_bytes == 64);
        inlay::kernel third;
        third = std::move(second);
        CHECK(third({}));
        CHECK(alive == 1);
    }
    CHECK(runs == 1);
    CHECK(alive == 0);
}

TEST_CASE("kernels share a state, which goes with the last of them") {
    int runs = 0, alive = 0;
    inlay::kernel second;
    {
        inlay::kernel first(counted(&runs, &alive), 64);
        first.note = "by hand";
        second = first.share();
        CHECK(alive == 1);
        CHECK(first({}));
    }
    CHECK(alive == 1);
    CHECK(second.note == "by hand");
    CHECK(second.workspace_bytes == 64);
    CHECK(second({}));
    second = {};
    CHECK(runs == 2);
    CHECK(alive == 0);
    CHECK_FALSE(static_cast<bool>(inlay::kernel().share()));
}

TEST_CASE("a kernel reads its inputs and writes its results, and passes on that the library failed") {
    int runs = 0, alive = 0;
    const float in = 21;
    float out = 0;
    const void* inputs[] = {&in};
    void* results[] = {&out};
    counted state(&runs, &alive);
    state.fails = true;
    const inlay::kernel k(std::move(state));
    CHECK_FALSE(k({inputs, results, nullptr, {}}));
    CHECK(out == 42);
}

TEST_CASE("a kernel whose state starts work has a queue, and shares it") {
    struct queue_of_one {
        mutable int waits = 0;
        bool wait() const {
            ++waits;
            return true;
        }
    };
    struct starting {
        const queue_of_one* where;
        int* starts;
        bool start(const inlay::run_arguments&) const {
            ++*starts;
            return true;
        }
        bool run(const inlay::run_arguments& a) const { return start(a) && where->wait(); }
        [[nodiscard]] inlay::work_queue queue() const { return inlay::work_queue(*where); }
    };
    const queue_of_one where;
    int starts = 0, runs = 0, alive = 0;
    const inlay::kernel first(starting{&where, &starts});
    const inlay::kernel second = first.share();
    CHECK(first.queue() == inlay::work_queue(where));
    CHECK(second.queue() == first.queue());
    CHECK(first.start({}));
    CHECK(second.start({}));
    CHECK(starts == 2);
    CHECK(where.waits == 0);
    CHECK(first({}));
    CHECK(where.waits == 1);
    CHECK_FALSE(static_cast<bool>(inlay::kernel(counted(&runs, &alive)).queue()));
}
