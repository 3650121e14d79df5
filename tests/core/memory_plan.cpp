// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/core/memory_plan.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

namespace {

std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

TEST_CASE("a chain of equal blocks needs two places") {
    std::vector<buffer_life> lives;
    for (std::uint32_t i = 0; i < 10; ++i) lives.push_back({1000, i, i + 1});
    const memory_plan plan = plan_memory(lives);
    CHECK(plan.live == 2 * 1024);
    CHECK(plan.total == 2 * 1024);
}

TEST_CASE("an alias stands where its original stands and keeps it alive") {
    const std::vector<buffer_life> lives{{100, 0, 1}, {100, 1, 9, 0}, {100, 3, 4}};
    const memory_plan plan = plan_memory(lives);
    CHECK(plan.offsets[0] == plan.offsets[1]);
    CHECK(plan.offsets[2] != plan.offsets[0]);
    CHECK(plan.total == 256);
}

TEST_CASE("no blocks, or empty ones, need no memory") {
    CHECK(plan_memory({}).total == 0);
    const std::vector<buffer_life> empty{{0, 0, 5}, {0, 2, 3}};
    CHECK(plan_memory(empty).total == 0);
}

TEST_CASE("no two live blocks overlap, and the arena is between the most alive and the sum") {
    CHECK(rc::check("random lives", [] {
        const auto count = *rc::gen::inRange<std::size_t>(0, 60);
        std::vector<buffer_life> lives;
        for (std::uint32_t i = 0; i < count; ++i) {
            buffer_life life;
            life.bytes = *rc::gen::element<std::size_t>(0, 1, 64, 65, 4096) * *rc::gen::inRange<std::size_t>(0, 9);
            life.first = *rc::gen::inRange<std::uint32_t>(0, 30);
            life.last = life.first + *rc::gen::inRange<std::uint32_t>(0, 12);
            if (i != 0 && *rc::gen::inRange(0, 6) == 0) life.alias_of = *rc::gen::inRange<std::uint32_t>(0, i);
            lives.push_back(life);
        }
        const memory_plan plan = plan_memory(lives);
        RC_ASSERT(plan.offsets.size() == lives.size());
        std::vector<std::uint32_t> root(count);
        for (std::uint32_t i = 0; i < count; ++i) root[i] = lives[i].alias_of == buffer_life::nobody ? i : root[lives[i].alias_of];
        // A group of aliases is one block, alive from its first birth to its last death.
        std::vector<buffer_life> merged = lives;
        for (std::uint32_t i = 0; i < count; ++i) {
            buffer_life& whole = merged[root[i]];
            whole.bytes = std::max(whole.bytes, lives[i].bytes);
            whole.first = std::min(whole.first, lives[i].first);
            whole.last = std::max(whole.last, lives[i].last);
        }
        std::size_t sum = 0, most = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            RC_ASSERT(plan.offsets[i] % 64 == 0u);
            RC_ASSERT(plan.offsets[i] == plan.offsets[root[i]]);
            RC_ASSERT(plan.offsets[i] + lives[i].bytes <= plan.total || lives[i].bytes == 0);
            if (root[i] != i) continue;
            sum += rounded(merged[i].bytes);
            for (std::uint32_t j = 0; j < i; ++j) {
                if (root[j] != j || merged[i].bytes == 0 || merged[j].bytes == 0) continue;
                const bool together = merged[i].first <= merged[j].last && merged[j].first <= merged[i].last;
                const bool apart =
                    plan.offsets[i] + merged[i].bytes <= plan.offsets[j] || plan.offsets[j] + merged[j].bytes <= plan.offsets[i];
                RC_ASSERT(!together || apart);
            }
        }
        for (std::uint32_t step = 0; step < 50; ++step) {
            std::size_t alive = 0;
            for (std::uint32_t i = 0; i < count; ++i)
                if (root[i] == i && merged[i].first <= step && step <= merged[i].last) alive += rounded(merged[i].bytes);
            most = std::max(most, alive);
        }
        RC_ASSERT(plan.live == most);
        RC_ASSERT(plan.total >= most);
        RC_ASSERT(plan.total <= sum);
        const memory_plan again = plan_memory(lives);
        RC_ASSERT(again.offsets == plan.offsets);
    }));
}
