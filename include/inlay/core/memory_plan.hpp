// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_MEMORY_PLAN_HPP
#define INLAY_CORE_MEMORY_PLAN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace inlay {

/// How long a block of bytes is needed: from the step that makes it to the last step that reads it, both included.
struct buffer_life {
    static constexpr std::uint32_t nobody = 0xFFFF'FFFFu;

    std::size_t bytes = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t alias_of = nobody;  // an earlier entry whose place this one takes
};

/// Where each block stands in one arena.
struct memory_plan {
    std::vector<std::size_t> offsets;  // one per block, each a multiple of the alignment
    std::size_t total = 0;             // bytes of the arena
    std::size_t live = 0;              // the most bytes alive at one step: no plan is smaller
};

namespace detail {

/// Places blocks in the order given, each into the tightest gap that is free throughout its life.
inline std::size_t place_in_order(std::span<const buffer_life> blocks, std::span<const std::uint32_t> order,
                                  std::vector<std::size_t>& offsets) {
    std::vector<std::uint32_t> placed;  // by ascending offset
    std::size_t total = 0;
    for (const std::uint32_t b : order) {
        const buffer_life& life = blocks[b];
        std::size_t at = 0, best = 0, best_size = 0;
        bool found = false;
        for (const std::uint32_t p : placed) {
            if (blocks[p].last < life.first || life.last < blocks[p].first) continue;
            if (offsets[p] > at && offsets[p] - at >= life.bytes && (!found || offsets[p] - at < best_size)) {
                found = true;
                best = at;
                best_size = offsets[p] - at;
            }
            at = std::max(at, offsets[p] + blocks[p].bytes);
        }
        offsets[b] = found ? best : at;
        total = std::max(total, offsets[b] + life.bytes);
        placed.insert(std::upper_bound(placed.begin(), placed.end(), b, [&](auto x, auto y) { return offsets[x] < offsets[y]; }), b);
    }
    return total;
}

}  // namespace detail

/// A place for each block such that no two that are alive at one step overlap, except a block and what it is an alias of. Blocks are
/// placed greedily, once by size and once by birth, and the smaller arena is taken. Deterministic; quadratic in the number of blocks.
/// Preconditions: `first <= last`, `alias_of` is an earlier entry, `alignment` is a power of two.
[[nodiscard]] inline memory_plan plan_memory(std::span<const buffer_life> lives, std::size_t alignment = 64) {
    std::vector<buffer_life> blocks(lives.begin(), lives.end());
    std::vector<std::uint32_t> root(blocks.size()), order;
    std::uint32_t steps = 0;
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        buffer_life& own = blocks[i];
        own.bytes = (own.bytes + alignment - 1) / alignment * alignment;
        steps = std::max(steps, own.last + 1);
        if (own.alias_of == buffer_life::nobody) {
            root[i] = i;
            if (own.bytes != 0) order.push_back(i);
        } else {
            root[i] = root[own.alias_of];
            buffer_life& other = blocks[root[i]];
            if (other.bytes == 0 && own.bytes != 0) order.push_back(root[i]);
            other.bytes = std::max(other.bytes, own.bytes);
            other.first = std::min(other.first, own.first);
            other.last = std::max(other.last, own.last);
        }
    }
    memory_plan plan;
    std::vector<std::pair<std::uint32_t, std::size_t>> births, deaths;
    for (const std::uint32_t b : order) {
        births.emplace_back(blocks[b].first, blocks[b].bytes);
        deaths.emplace_back(blocks[b].last, blocks[b].bytes);
    }
    std::sort(births.begin(), births.end());
    std::sort(deaths.begin(), deaths.end());
    std::size_t alive = 0, dead = 0;
    for (const auto& [step, bytes] : births) {
        for (; dead < deaths.size() && deaths[dead].first < step; ++dead) alive -= deaths[dead].second;
        alive += bytes;
        plan.live = std::max(plan.live, alive);
    }

    plan.offsets.assign(blocks.size(), 0);
    std::vector<std::size_t> by_birth = plan.offsets;
    std::sort(order.begin(), order.end(), [&](auto x, auto y) {
        return std::pair(blocks[y].bytes, std::pair(blocks[x].first, x)) < std::pair(blocks[x].bytes, std::pair(blocks[y].first, y));
    });
    plan.total = detail::place_in_order(blocks, order, plan.offsets);
    std::sort(order.begin(), order.end(), [&](auto x, auto y) {
        return std::pair(blocks[x].first, std::pair(blocks[y].bytes, x)) < std::pair(blocks[y].first, std::pair(blocks[x].bytes, y));
    });
    const std::size_t other = detail::place_in_order(blocks, order, by_birth);
    if (other < plan.total) {
        plan.total = other;
        plan.offsets = std::move(by_birth);
    }
    for (std::uint32_t i = 0; i < blocks.size(); ++i) plan.offsets[i] = plan.offsets[root[i]];
    return plan;
}

}  // namespace inlay

#endif
