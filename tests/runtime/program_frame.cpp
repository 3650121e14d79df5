// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/program_frame.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/runtime/program_builder.hpp>

#include "../codegen/device_toys.hpp"
#include "random_program.hpp"

using namespace inlay;
using namespace random_programs;

static_assert(!std::is_copy_constructible_v<program_frame> && std::is_nothrow_move_constructible_v<program_frame>);

namespace {

/// A queue that works late and records. It may refuse to, or lose what it has recorded.
class recording_queue : public late_queue {
public:
    enum class temper : std::uint8_t { faithful, refuses, loses };

    explicit recording_queue(temper t = temper::faithful) : temper_(t) {}

    bool begin_recording() const {
        before_ = take();
        return temper_ != temper::refuses || (put_all(std::exchange(before_, {})), false);
    }
    [[nodiscard]] recorded_work end_recording() const {
        std::vector<std::function<bool()>> recorded = take();
        put_all(std::exchange(before_, {}));
        if (temper_ == temper::loses) return {};
        ++recordings_;
        return recorded_work(again{this, std::move(recorded)});
    }
    [[nodiscard]] int recordings() const { return recordings_; }
    [[nodiscard]] int replays() const { return replays_; }

private:
    struct again {
        const recording_queue* where;
        std::vector<std::function<bool()>> work;

        bool start() const {
            ++where->replays_;
            where->put_all(work);
            return true;
        }
    };

    temper temper_;
    mutable std::vector<std::function<bool()>> before_;
    mutable int recordings_ = 0, replays_ = 0;
};

/// A step by the queue, or where there is none by the CPU.
template <class Step>
kernel placed(const recording_queue* queue, Step step, std::size_t inputs, std::size_t workspace) {
    if (queue == nullptr) return kernel(step, workspace);
    return kernel(late_step<Step, recording_queue>{queue, step, inputs}, workspace);
}

/// Sums of sixteen numbers on the CPU and on a device, with copies between them, all made of the seed.
program random_across(std::uint64_t seed, int steps, const recording_queue* queue) {
    struct value {
        buffer_id id;
        bool is_there;
    };
    const format here = plain_format(element_type::int32), there{device_toys::device_main, layout::plain(), element_type::int32};
    detail::splitmix random{seed};
    program_builder b;
    b.add_memory(memory_source(device_toys::apart(), device_toys::device_main));
    std::vector<value> values{{b.add_input("x", element_type::int32, {16}), false}};
    const auto at = [&](value v, bool is_there) {
        if (v.is_there == is_there) return v.id;
        const buffer_id moved = b.add_buffer({16}, is_there ? there : here);
        b.add_copy(placed(queue, device_toys::toy_copy{64}, 1, 0), v.id, moved, {});
        return moved;
    };
    for (int s = 0; s < steps; ++s) {
        const bool is_there = random.below(5) != 0;
        const auto any = [&] { return values[random.below(3) == 0 ? random.below(values.size()) : values.size() - 1]; };
        const buffer_id in[]{at(any(), is_there), at(any(), is_there)}, out[]{b.add_buffer({16}, is_there ? there : here)};
        const sum_step sum{s, 2, 16, nullptr};
        b.add_kernel(placed(is_there ? queue : nullptr, sum, 2, 64), in, out);
        values.push_back({out[0], is_there});
    }
    const buffer_id results[]{at(values.back(), false), at(values[values.size() / 2], false)};
    b.set_results(results);
    auto made = b.finish();
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return std::move(*made);
}

}  // namespace

TEST_CASE("what a frame records gives at every run what the steps give one by one") {
    int recordings = 0, replays = 0;
    CHECK(rc::check("random programs across two memories", [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const int steps = *rc::gen::inRange(1, 40);
        for (const auto temper : {recording_queue::temper::faithful, recording_queue::temper::refuses, recording_queue::temper::loses}) {
            const recording_queue queue(temper);
            const program expected = random_across(seed, steps, nullptr), p = random_across(seed, steps, &queue);
            auto frame = p.make_frame();
            RC_ASSERT(frame.has_value());
            for (int run = 0; run < 4; ++run) {
                const tensor in[]{input_of(run)};
                const auto wanted = expected.run(in);
                RC_ASSERT(wanted.has_value());
                auto got = p.make_results();
                RC_ASSERT(p.run(*frame, in, *got).has_value());
                RC_ASSERT(same_bytes(*got, *wanted));
            }
            RC_ASSERT(queue.replays() == 3 * queue.recordings());
            RC_ASSERT(temper == recording_queue::temper::faithful || queue.recordings() == 0);
            recordings += queue.recordings();
            replays += queue.replays();
        }
    }));
    CHECK(recordings > 50);
    CHECK(replays > 150);
}

TEST_CASE("one frame's recordings are no other's") {
    const recording_queue queue;
    const program p = random_across(7, 30, &queue), expected = random_across(7, 30, nullptr);
    auto first = p.make_frame(), second = p.make_frame();
    REQUIRE(first.has_value());
    REQUIRE(second.has_value());
    for (int run = 0; run < 6; ++run) {
        const tensor in[]{input_of(10 * run)};
        auto got = p.make_results();
        REQUIRE(p.run(run % 2 == 0 ? *first : *second, in, *got).has_value());
        CHECK(same_bytes(*got, *expected.run(in)));
    }
    CHECK(queue.recordings() > 0);
    CHECK(queue.recordings() % 2 == 0);
    CHECK(queue.replays() == 2 * queue.recordings());
}
