// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_RUNTIME_RANDOM_PROGRAM_HPP
#define INLAY_TESTS_RUNTIME_RANDOM_PROGRAM_HPP

#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <inlay/cost/statistics.hpp>
#include <inlay/runtime/program_builder.hpp>

#include "../core/executors.hpp"

namespace random_programs {

using namespace inlay;

using inlay_test::thread_executor;

/// Where a step found and left what it works on.
struct seen_places {
    const void* result = nullptr;
    const void* workspace = nullptr;
    std::size_t threads = 0;
};

/// result[i] = sum of the inputs' element i, plus the step's number; by way of the workspace, after spoiling both. Shares its work out.
struct sum_step {
    std::int32_t number;
    std::size_t inputs, count;
    seen_places* seen;

    bool run(const run_arguments& a) const {
        if (seen != nullptr) *seen = {a.results[0], a.workspace, a.executor.threads()};
        std::memset(a.results[0], 0xA5, count * 4);
        std::memset(a.workspace, 0x5A, count * 4);
        auto* sums = reinterpret_cast<std::int32_t*>(a.workspace);
        a.executor.run(2, [&](std::size_t half) {
            for (std::size_t i = half * count / 2; i < (half + 1) * count / 2; ++i) {
                sums[i] = number;
                for (std::size_t k = 0; k < inputs; ++k) sums[i] += static_cast<const std::int32_t*>(a.inputs[k])[i];
            }
        });
        std::memcpy(a.results[0], sums, count * 4);
        return true;
    }
};

/// A device's queue that does its work when it is waited for, and not before, so that whoever does not wait finds nothing.
class late_queue {
public:
    void put(std::function<bool()> work) const {
        const std::lock_guard held(guard_);
        work_.push_back(std::move(work));
    }
    bool wait() const {
        const std::lock_guard held(guard_);
        ++waits_;
        bool succeeded = true;
        for (const std::function<bool()>& work : work_) succeeded = work() && succeeded;
        work_.clear();
        return succeeded;
    }
    [[nodiscard]] int waits() const { return waits_; }

protected:
    [[nodiscard]] std::vector<std::function<bool()>> take() const {
        const std::lock_guard held(guard_);
        return std::exchange(work_, {});
    }
    void put_all(const std::vector<std::function<bool()>>& work) const {
        for (const std::function<bool()>& one : work) put(one);
    }

private:
    mutable std::mutex guard_;
    mutable std::vector<std::function<bool()>> work_;
    mutable int waits_ = 0;
};

/// A step of one result, done by a queue.
template <class Step, class Queue = late_queue>
struct late_step {
    const Queue* where;
    Step step;
    std::size_t inputs;

    bool start(const run_arguments& a) const {
        where->put([self = *this, from = std::vector<const void*>(a.inputs, a.inputs + inputs), to = a.results[0], given = a]() mutable {
            given.inputs = from.data();
            given.results = &to;
            return self.step.run(given);
        });
        return true;
    }
    bool run(const run_arguments& a) const { return start(a) && where->wait(); }
    [[nodiscard]] work_queue queue() const { return work_queue(*where); }
};

struct reshape_step {
    std::size_t bytes;
    bool run(const run_arguments& a) const {
        if (a.inputs[0] != a.results[0]) std::memcpy(a.results[0], a.inputs[0], bytes);
        return true;
    }
};
struct concat_step {
    std::size_t first, second;  // bytes
    bool run(const run_arguments& a) const {
        auto* to = static_cast<std::byte*>(a.results[0]);
        if (a.inputs[0] != to) std::memcpy(to, a.inputs[0], first);
        if (a.inputs[1] != to + first) std::memcpy(to + first, a.inputs[1], second);
        return true;
    }
};
struct split_step {
    std::size_t first, second;  // bytes
    bool run(const run_arguments& a) const {
        const auto* from = static_cast<const std::byte*>(a.inputs[0]);
        if (a.results[0] != from) std::memcpy(a.results[0], from, first);
        if (a.results[1] != from + first) std::memcpy(a.results[1], from + first, second);
        return true;
    }
};
struct empty_step {
    static bool run(const run_arguments&) { return false; }
};

/// A builder with about so many steps over one input of 16 numbers, all made of the seed: sums, and unless `sums_alone` reshapes,
/// concatenations, slices and steps that are left out. `seen` gets a place for each step. Where there are `queues`, three quarters of the
/// sums are done by one of them.
inline program_builder random_builder(std::uint64_t seed, int steps, bool sums_alone, std::vector<seen_places>* seen = nullptr,
                                      std::span<const late_queue> queues = {}) {
    struct value {
        buffer_id id;
        std::size_t count;
    };
    const format plain = plain_format(element_type::int32);
    detail::splitmix random{seed}, places{seed + 1};
    program_builder b;
    std::vector<value> values{{b.add_input("x", element_type::int32, {16}), 16}};
    std::vector<char> read{1};
    if (seen != nullptr) seen->resize(static_cast<std::size_t>(steps));
    const auto add = [&](std::size_t count) {
        values.push_back({b.add_buffer({static_cast<std::int64_t>(count)}, plain), count});
        read.push_back(0);
        return values.back().id;
    };
    // Some read what was made last, so that there are chains.
    const auto any = [&] {
        const std::size_t i = random.below(4) == 0 ? values.size() - 1 : random.below(values.size());
        read[i] = 1;
        return values[i];
    };
    for (int s = 0; s < steps; ++s) {
        const value from = any(), other = any();
        const buffer_id in[]{from.id, other.id};
        const std::size_t kind = sums_alone ? 0 : random.below(7);
        const auto first = static_cast<std::int64_t>(from.count * 4);
        if (kind == 3) {
            kernel k(reshape_step{from.count * 4});
            k.view_of = {0};
            const buffer_id out[]{add(from.count)};
            b.add_kernel(std::move(k), std::span(in, 1), out);
        } else if (kind == 4 && from.count >= 32) {
            const std::size_t cut = (1 + random.below(from.count / 16 - 1)) * 16;
            kernel k(split_step{cut * 4, (from.count - cut) * 4});
            k.view_of = {0, 0};
            k.view_at = {0, static_cast<std::int64_t>(cut * 4)};
            const buffer_id one = add(cut), out[]{one, add(from.count - cut)};
            b.add_kernel(std::move(k), std::span(in, 1), out);
        } else if (kind == 5 && from.count + other.count < 600) {
            kernel k(concat_step{from.count * 4, other.count * 4});
            k.part_at = {0, first};
            const buffer_id out[]{add(from.count + other.count)};
            b.add_kernel(std::move(k), in, out);
        } else if (kind == 6 && random.below(2) == 0) {
            const buffer_id out[]{b.add_buffer({0}, plain)};
            b.add_kernel(kernel(empty_step{}), in, out);
        } else {
            const bool two = from.count == other.count;
            seen_places* const here = seen == nullptr ? nullptr : &(*seen)[static_cast<std::size_t>(s)];
            const buffer_id out[]{add(from.count)};
            const sum_step sum{s, two ? 2u : 1u, from.count, here};
            const bool is_late = !queues.empty() && places.below(4) != 0;
            const late_queue* const where = is_late ? &queues[places.below(4) == 0 ? queues.size() - 1 : 0] : nullptr;
            kernel k = is_late ? kernel(late_step<sum_step>{where, sum, sum.inputs}, from.count * 4) : kernel(sum, from.count * 4);
            b.add_kernel(std::move(k), std::span(in, sum.inputs), out);
        }
    }
    std::vector<buffer_id> results;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (read[i] == 0 || random.below(6) == 0) results.push_back(values[i].id);
    b.set_results(results);
    return b;
}

/// A schedule that a program of such reads can run by.
inline step_schedule random_schedule(std::uint64_t seed, std::span<const std::vector<std::uint32_t>> reads) {
    detail::splitmix random{seed};
    constexpr std::size_t open = ~std::size_t{0};
    step_schedule made;
    std::vector<std::size_t> group(reads.size(), open), lane(reads.size(), 0);
    for (std::size_t left = reads.size(); left > 0;) {
        const std::size_t lanes = 1 + random.below(5), g = made.groups.size();
        step_group& here = made.groups.emplace_back();
        here.lanes.resize(lanes);
        const std::size_t eagerness = 1 + random.below(2);
        std::size_t most = 1 + random.below(10);
        for (std::size_t i = 0; i < reads.size(); ++i) {
            if (most == 0 || group[i] != open || random.below(eagerness) != 0) continue;
            bool ready = true;
            std::size_t to = open;
            for (const std::uint32_t r : reads[i]) {
                if (group[r] == g) ready = ready && (to == open || to == lane[r]), to = lane[r];
                ready = ready && group[r] != open;
            }
            if (!ready) continue;
            group[i] = g;
            lane[i] = to == open ? random.below(lanes) : to;
            here.lanes[lane[i]].push_back(static_cast<std::uint32_t>(i));
            --left;
            --most;
        }
        std::erase_if(here.lanes, [](const auto& l) { return l.empty(); });
        if (here.lanes.empty()) made.groups.pop_back();
    }
    return made;
}

inline tensor input_of(std::int32_t first) {
    std::vector<std::int32_t> numbers(16);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + static_cast<std::int32_t>(i);
    return tensor::of<std::int32_t>({16}, numbers);
}

inline bool same_bytes(std::span<const tensor> a, std::span<const tensor> b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].bytes() != b[i].bytes() || (a[i].bytes() != 0 && std::memcmp(a[i].data(), b[i].data(), a[i].bytes()) != 0)) return false;
    return true;
}

}  // namespace random_programs

#endif
