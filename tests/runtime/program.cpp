// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/program.hpp>

#include <array>
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/runtime/program_builder.hpp>
#include <inlay/runtime/tbb.hpp>

#include "random_program.hpp"

using namespace inlay;
using namespace random_programs;

static_assert(!std::is_copy_constructible_v<program>);

namespace {

/// result = input + amount, over floats.
struct add_kernel_state {
    float amount;
    std::size_t count;
    bool run(const run_arguments& a) const {
        const auto* in = static_cast<const float*>(a.inputs[0]);
        auto* out = static_cast<float*>(a.results[0]);
        for (std::size_t i = 0; i < count; ++i) out[i] = in[i] + amount;
        return true;
    }
};
struct failing_state {
    static bool run(const run_arguments&) { return false; }
};
struct idle_state {
    static bool run(const run_arguments&) { return true; }
};

/// Uses and spoils its workspace.
struct workspace_state {
    std::size_t count;
    bool run(const run_arguments& a) const {
        auto* scratch = reinterpret_cast<float*>(a.workspace);
        for (std::size_t i = 0; i < count; ++i) scratch[i] = static_cast<const float*>(a.inputs[0])[i];
        for (std::size_t i = 0; i < count; ++i) static_cast<float*>(a.results[0])[i] = 2 * scratch[count - 1 - i];
        return true;
    }
};

const format plain = plain_format(element_type::float32);

program chain(std::size_t length) {
    program_builder b;
    buffer_id at = b.add_input("x", element_type::float32, {4});
    for (std::size_t i = 0; i < length; ++i) {
        const buffer_id next = b.add_buffer({4}, plain);
        const buffer_id in[]{at}, out[]{next};
        b.add_kernel(kernel(add_kernel_state{1.0f, 4}), in, out, {"add", "fake", static_cast<std::uint32_t>(i), 1, 0, false, "", 0});
        at = next;
    }
    const buffer_id results[]{at};
    b.set_results(results);
    auto made = b.finish();
    REQUIRE(made.has_value());
    return std::move(*made);
}

std::vector<float> floats(const tensor& t) { return {t.as<float>().begin(), t.as<float>().end()}; }

}  // namespace

TEST_CASE("a chain runs in an arena of two places and gives its result") {
    const program p = chain(9);
    CHECK(p.arena_bytes() == 128);
    CHECK(p.live_bytes() == 128);
    CHECK(p.steps().size() == 9);
    CHECK(p.steps()[3].bytes == 32);
    const tensor x = tensor::of<float>({4}, std::vector<float>{1, 2, 3, 4});
    const auto y = p.run(std::span(&x, 1));
    REQUIRE(y.has_value());
    CHECK(floats((*y)[0]) == std::vector<float>{10, 11, 12, 13});
}

TEST_CASE("a program still runs after it has moved") {
    program p = chain(3);
    const program q = std::move(p);
    const tensor x = tensor::of<float>({4}, std::vector<float>{0, 0, 0, 0});
    const auto y = q.run(std::span(&x, 1));
    REQUIRE(y.has_value());
    CHECK(floats((*y)[0])[0] == 3);
}

TEST_CASE("two runs at once on two threads have a frame each and do not disturb each other") {
    const program p = chain(50);
    const auto go = [&](float start, bool& right) {
        auto frame = p.make_frame();
        auto results = p.make_results();
        const tensor x = tensor::of<float>({4}, std::vector<float>{start, start, start, start});
        right = frame && results;
        for (int i = 0; right && i < 500; ++i)
            right = p.run(*frame, std::span(&x, 1), *results).has_value() && (*results)[0].as<float>()[2] == start + 50;
    };
    bool first = false, second = false;
    std::thread other([&] { go(1000, second); });
    go(1, first);
    other.join();
    CHECK(first);
    CHECK(second);
}

TEST_CASE("inputs of another number, type or shape are refused in one sentence") {
    const program p = chain(1);
    const auto failure = [&](const std::vector<tensor>& inputs) {
        const auto y = p.run(inputs);
        return y.has_value() ? std::string() : y.failure().message;
    };
    CHECK(failure({}) == "the program has 1 inputs and was given 0; give one tensor for each, in order");
    CHECK(failure({tensor(element_type::float32, {1, 4})}) ==
          "input 0 ('x') is float32[1,4] where the program has float32[4]; give a tensor of that type");
    CHECK(failure({tensor(element_type::int32, {4})}) ==
          "input 0 ('x') is int32[4] where the program has float32[4]; give a tensor of that type");
    CHECK(failure({tensor()}) == "input 0 ('x') is no tensor where the program has float32[4]; give a tensor of that type");
}

TEST_CASE("results that share memory, or a frame of another program, are refused") {
    const program p = chain(1), q = chain(1);
    auto frame = p.make_frame(), foreign = q.make_frame();
    REQUIRE(frame.has_value());
    REQUIRE(foreign.has_value());
    tensor x(element_type::float32, {4});
    std::vector<tensor> results{x};
    auto done = p.run(*frame, std::span(&x, 1), results);
    REQUIRE_FALSE(done.has_value());
    CHECK(done.failure().message == "result 'result0' shares its memory with an input or another result; give it a tensor of its own");
    results[0] = tensor(element_type::float32, {4});
    done = p.run(*foreign, std::span(&x, 1), results);
    REQUIRE_FALSE(done.has_value());
    CHECK(done.failure().message == "the frame was made by another program; make one with this program's make_frame");
    CHECK(p.run(*frame, std::span(&x, 1), results).has_value());
}

TEST_CASE("a kernel that reports a failure ends the run with its step, back end and part") {
    program_builder b;
    const buffer_id in[]{b.add_input("x", element_type::float32, {1})}, out[]{b.add_buffer({1}, plain)};
    b.add_kernel(kernel(failing_state{}), in, out, {"Conv", "broken", 7, 1, 0, false, "", 0});
    b.set_results(out);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    const tensor x(element_type::float32, {1});
    const auto y = p->run(std::span(&x, 1));
    REQUIRE_FALSE(y.has_value());
    CHECK(y.failure().message ==
          "step 0, 'Conv' of back end 'broken' in part 7, reported a failure; run with another partition to leave it out");
}

TEST_CASE("conversions, workspaces and constants take part") {
    program_builder b;
    const buffer_id x = b.add_input("x", element_type::float32, {1, 3, 2});
    const format last{{}, layout::channels_last(), element_type::float32};
    const buffer_id converted = b.add_buffer({1, 3, 2}, last), worked = b.add_buffer({1, 3, 2}, last),
                    back = b.add_buffer({1, 3, 2}, plain);
    b.add_conversion(x, converted);
    const buffer_id in[]{converted}, out[]{worked};
    b.add_kernel(kernel(workspace_state{6}, 24), in, out);
    b.add_conversion(worked, back);
    const buffer_id weights = b.add_constant(tensor::of<float>({1, 2, 2}, std::vector<float>{1, 2, 3, 4}));
    const buffer_id blocked = b.add_buffer({1, 2, 2}, {{}, layout::channels_blocked(4), element_type::float32});
    const buffer_id shifted = b.add_buffer({8}, plain);
    b.add_conversion(weights, blocked);
    const buffer_id from[]{blocked}, to[]{shifted};
    b.add_kernel(kernel(add_kernel_state{0.5f, 8}), from, to);
    const buffer_id results[]{back, shifted};
    b.set_results(results);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    CHECK(p->workspace_bytes() == 64);
    CHECK(p->steps().size() == 4);  // the constant was converted while building
    CHECK(p->steps()[0].label == "convert float32:plain to float32:channels_last");
    CHECK(p->steps()[0].is_conversion);
    const tensor value = tensor::of<float>({1, 3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto y = p->run(std::span(&value, 1));
    REQUIRE(y.has_value());
    // As (place, channel) the input is 1 3 5 2 4 6; reversed and doubled 12 8 4 10 6 2; as (channel, place) again:
    CHECK(floats((*y)[0]) == std::vector<float>{12, 10, 8, 6, 4, 2});
    CHECK(floats((*y)[1]) == std::vector<float>{1.5f, 3.5f, 0.5f, 0.5f, 2.5f, 4.5f, 0.5f, 0.5f});
}

namespace {

/// A reshape: copies unless it finds input and result at one address; counts the copies.
struct view_state {
    std::size_t bytes;
    int* copies;
    bool run(const run_arguments& a) const {
        if (a.inputs[0] == a.results[0]) return true;
        ++*copies;
        std::memcpy(a.results[0], a.inputs[0], bytes);
        return true;
    }
};
kernel view_kernel(std::size_t bytes, int& copies) {
    kernel k(view_state{bytes, &copies});
    k.view_of = {0};
    return k;
}

}  // namespace

TEST_CASE("inputs and constants as results, results listed twice and views of all of them come out right") {
    int copies = 0;
    program_builder b;
    const buffer_id x = b.add_input("x", element_type::float32, {2, 2});
    const buffer_id constant = b.add_constant(tensor::of<float>({2}, std::vector<float>{8, 9}));
    const buffer_id made = b.add_buffer({2, 2}, plain), made_view = b.add_buffer({4}, plain), x_view = b.add_buffer({4}, plain);
    const buffer_id inner_view = b.add_buffer({4}, plain), constant_view = b.add_buffer({1, 2}, plain), last = b.add_buffer({4}, plain),
                    both = b.add_buffer({2}, plain);
    const auto step = [&](kernel k, buffer_id in, buffer_id out) {
        const buffer_id ins[]{in}, outs[]{out};
        b.add_kernel(std::move(k), ins, outs);
    };
    step(kernel(add_kernel_state{1, 4}), x, made);
    step(view_kernel(16, copies), made, made_view);         // both are results: one is copied
    step(view_kernel(16, copies), x, x_view);               // a result that is a view of an input: copied
    step(view_kernel(16, copies), x, inner_view);           // read below, no result: no copy
    step(view_kernel(8, copies), constant, constant_view);  // likewise, of a constant
    step(kernel(add_kernel_state{5, 4}), inner_view, last);
    step(kernel(add_kernel_state{5, 2}), constant_view, both);
    const buffer_id results[]{x, made, made, made_view, x_view, constant, last, both};
    const std::string_view names[]{"a", "b"};
    b.set_results(results, names);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    CHECK(p->arena_bytes() == 0);
    CHECK(p->results()[1].name == "b");
    CHECK(p->results()[2].name == "result2");
    const tensor value = tensor::of<float>({2, 2}, std::vector<float>{1, 2, 3, 4});
    for (int again = 0; again < 2; ++again) {
        const auto y = p->run(std::span(&value, 1));
        REQUIRE(y.has_value());
        const std::vector<float> same{1, 2, 3, 4}, more{2, 3, 4, 5};
        CHECK(floats((*y)[0]) == same);
        CHECK(floats((*y)[1]) == more);
        CHECK(floats((*y)[2]) == more);
        CHECK(floats((*y)[3]) == more);
        CHECK(floats((*y)[4]) == same);
        CHECK(floats((*y)[5]) == std::vector<float>{8, 9});
        CHECK(floats((*y)[6]) == std::vector<float>{6, 7, 8, 9});
        CHECK(floats((*y)[7]) == std::vector<float>{13, 14});
        CHECK((*y)[1].data() != (*y)[2].data());
    }
    CHECK(copies == 4);
}

TEST_CASE("a view that is a result gives its whole group the result's memory, and the group stays intact") {
    int copies = 0;
    program_builder b;
    const buffer_id x = b.add_input("x", element_type::float32, {2});
    const buffer_id made = b.add_buffer({2}, plain), view = b.add_buffer({1, 2}, plain), next = b.add_buffer({2}, plain),
                    end = b.add_buffer({2}, plain);
    const auto step = [&](kernel k, buffer_id in, buffer_id out) {
        const buffer_id ins[]{in}, outs[]{out};
        b.add_kernel(std::move(k), ins, outs);
    };
    step(kernel(add_kernel_state{1, 2}), x, made);
    step(view_kernel(8, copies), made, view);
    step(kernel(add_kernel_state{10, 2}), made, next);
    step(kernel(add_kernel_state{100, 2}), made, end);
    const buffer_id results[]{view, next, end};
    b.set_results(results);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    const tensor value = tensor::of<float>({2}, std::vector<float>{1, 2});
    const auto y = p->run(std::span(&value, 1));
    REQUIRE(y.has_value());
    CHECK(floats((*y)[0]) == std::vector<float>{2, 3});
    CHECK(floats((*y)[1]) == std::vector<float>{12, 13});
    CHECK(floats((*y)[2]) == std::vector<float>{102, 103});
    CHECK(copies == 0);
}

TEST_CASE("tensors without elements pass through, and steps that make nothing else are left out") {
    program_builder b;
    const buffer_id x = b.add_input("x", element_type::float32, {0, 3});
    const buffer_id made = b.add_buffer({0, 3}, plain), full = b.add_buffer({2}, plain);
    const buffer_id in[]{x}, out[]{made}, two[]{full};
    b.add_kernel(kernel(failing_state{}), in, out);
    b.add_kernel(kernel(idle_state{}), in, two);
    const buffer_id results[]{x, made, full};
    b.set_results(results);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    CHECK(p->steps().size() == 1);
    const tensor value(element_type::float32, {0, 3});
    const auto y = p->run(std::span(&value, 1));
    REQUIRE(y.has_value());
    CHECK((*y)[1].extents() == std::vector<std::int64_t>{0, 3});
    CHECK((*y)[1].bytes() == 0);
}

TEST_CASE("every address that a kernel is given is aligned to 64 bytes and not null") {
    struct aligned_state {
        static bool run(const run_arguments& a) {
            const auto good = [](const void* p) { return p != nullptr && reinterpret_cast<std::uintptr_t>(p) % 64 == 0; };
            return good(a.inputs[0]) && good(a.inputs[1]) && good(a.inputs[2]) && good(a.results[0]) && good(a.workspace);
        }
    };
    program_builder b;
    const buffer_id x = b.add_input("x", element_type::uint8, {3}), empty = b.add_input("e", element_type::uint8, {0}),
                    c = b.add_constant(tensor(element_type::uint8, {5}));
    const buffer_id one = b.add_buffer({7}, plain_format(element_type::uint8)), two = b.add_buffer({9}, plain_format(element_type::uint8));
    const buffer_id in[]{x, empty, c}, out[]{one}, in2[]{one, empty, c}, out2[]{two};
    b.add_kernel(kernel(aligned_state{}, 3), in, out);
    b.add_kernel(kernel(aligned_state{}, 100), in2, out2);
    b.set_results(out2);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    const std::vector<tensor> inputs{tensor(element_type::uint8, {3}), tensor(element_type::uint8, {0})};
    CHECK(p->run(inputs).has_value());
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
TEST_CASE("a step costs little more than its kernel's call") {
    program_builder b;
    buffer_id at = b.add_input("x", element_type::float32, {4});
    for (int i = 0; i < 1000; ++i) {
        const buffer_id next = b.add_buffer({4}, plain);
        const buffer_id in[]{at}, out[]{next};
        b.add_kernel(kernel(idle_state{}), in, out);
        at = next;
    }
    const buffer_id results[]{at};
    b.set_results(results);
    const auto p = b.finish();
    REQUIRE(p.has_value());
    auto frame = p->make_frame();
    auto made = p->make_results();
    const tensor x(element_type::float32, {4});
    // Another process on the same core slows every run for a while, so this looks longer where it has to.
    double best = 1;
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < 300 || (best / 1000 >= 50e-9 && std::chrono::steady_clock::now() - began < std::chrono::seconds(20)); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const bool good = p->run(*frame, std::span(&x, 1), *made).has_value();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        REQUIRE(good);
        if (seconds < best) best = seconds;
    }
    MESSAGE("a step costs " << best / 1000 * 1e9 << " ns");
    CHECK(best / 1000 < 50e-9);
}
#endif

TEST_CASE("random programs of which a device does some steps give what they give on the CPU, and wait less often than they have steps") {
    tbb_executor two(2);
    int started = 0, waits = 0;
    CHECK(rc::check("random programs, queues and schedules", [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const int steps = *rc::gen::inRange(0, 60);
        const auto expected = random_builder(seed, steps, false).finish();
        RC_ASSERT(expected.has_value());
        const tensor in[]{input_of(3)};
        const auto wanted = expected->run(in);
        RC_ASSERT(wanted.has_value());
        const std::array<late_queue, 2> queues;
        auto p = random_builder(seed, steps, false, nullptr, queues).finish();
        RC_ASSERT(p.has_value());
        const auto run = [&] {
            auto frame = p->make_frame();
            RC_ASSERT(frame.has_value());
            for (int again = 0; again < 2; ++again) {
                auto got = p->make_results();
                RC_ASSERT(p->run(*frame, in, *got, two).has_value());
                RC_ASSERT(same_bytes(*got, *wanted));
            }
        };
        run();
        started += steps;
        waits += queues[0].waits() + queues[1].waits();
        RC_ASSERT(p->follow(random_schedule(seed + 1, p->reads())).has_value());
        run();
    }));
    CHECK(waits > 0);
    CHECK(waits < started);
}

namespace {

/// A chain of as many steps as letters: `c` on the CPU, `d` and `e` by one queue and another, `f` as `d`, which fails.
program chain_of(std::string_view places, std::span<const late_queue> queues) {
    program_builder b;
    buffer_id at = b.add_input("x", element_type::int32, {16});
    for (const char place : places) {
        const buffer_id next = b.add_buffer({16}, plain_format(element_type::int32));
        const buffer_id in[]{at}, out[]{next};
        const sum_step sum{1, 1, 16, nullptr};
        step_facts facts;
        facts.label = "Add";
        facts.backend = place == 'c' ? "host" : "device";
        if (place == 'c')
            b.add_kernel(kernel(sum, 64), in, out, std::move(facts));
        else if (place == 'f')
            b.add_kernel(kernel(late_step<empty_step>{&queues[0], {}, 1}), in, out, std::move(facts));
        else
            b.add_kernel(kernel(late_step<sum_step>{&queues[place == 'd' ? 0 : 1], sum, 1}, 64), in, out, std::move(facts));
        at = next;
    }
    const buffer_id results[]{at};
    b.set_results(results);
    auto made = b.finish();
    REQUIRE(made.has_value());
    return std::move(*made);
}

}  // namespace

TEST_CASE("a queue is waited for before a step that is not of it and at the end") {
    const tensor in[]{input_of(0)};
    for (const auto& [places, first, second] : {std::tuple("ccc", 0, 0), std::tuple("d", 1, 0), std::tuple("cdddc", 1, 0),
                                                std::tuple("dddcdd", 2, 0), std::tuple("ddeedc", 2, 1)}) {
        const std::array<late_queue, 2> queues;
        const program p = chain_of(places, queues);
        const auto got = p.run(in);
        REQUIRE(got.has_value());
        CHECK(got->front().as<std::int32_t>()[5] == 5 + static_cast<int>(std::string_view(places).size()));
        CHECK(queues[0].waits() == first);
        CHECK(queues[1].waits() == second);
    }
}

TEST_CASE("a failure that shows when a queue is waited for is told of all that was started; by itself each step is waited for") {
    const std::array<late_queue, 2> queues;
    const tensor in[]{input_of(0)};
    CHECK(chain_of("cdfdc", queues).run(in).failure().message ==
          "one of the steps 1 to 3, which back end 'device' started one behind the other from part 0 on, reported a failure; profile the "
          "program to see which one");
    CHECK(chain_of("cfc", queues).run(in).failure().message.rfind("step 1, 'Add' of back end 'device'", 0) == 0);
    const program p = chain_of("cdfdc", queues);
    auto frame = p.make_frame();
    auto results = p.make_results();
    REQUIRE(frame.has_value());
    REQUIRE(p.bind(*frame, in, *results, {}).has_value());
    const auto ran = p.run_steps(*frame, [](std::uint32_t, std::uint32_t, auto&& work) { return work(); });
    REQUIRE_FALSE(ran.has_value());
    CHECK(ran.failure().message.rfind("step 2, ", 0) == 0);
}
