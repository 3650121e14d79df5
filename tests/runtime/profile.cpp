// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/profile.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/runtime/program_builder.hpp>

#include "random_program.hpp"

using namespace inlay;

namespace {

struct copy_state {
    static bool run(const run_arguments& a) {
        *static_cast<float*>(a.results[0]) = *static_cast<const float*>(a.inputs[0]);
        return true;
    }
};
struct failing_state {
    static bool run(const run_arguments&) { return false; }
};

/// Whether the text is one JSON value: a checker of the grammar that shares nothing with the writer.
struct json_checker {
    const std::string& text;
    std::size_t at = 0;
    void blank() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
    }
    bool take(char c) {
        blank();
        return at < text.size() && text[at] == c ? (++at, true) : false;
    }
    bool string() {
        if (!take('"')) return false;
        while (at < text.size() && text[at] != '"') {
            if (static_cast<unsigned char>(text[at]) < 0x20) return false;
            at += text[at] == '\\' ? 2 : 1;
        }
        return at < text.size() && text[at++] == '"';
    }
    bool number() {
        blank();
        const std::size_t start = at;
        while (at < text.size() && ((text[at] >= '0' && text[at] <= '9') || text[at] == '.')) ++at;
        return at != start;
    }
    bool value() {
        blank();
        if (at >= text.size()) return false;
        if (text[at] == '"') return string();
        if (take('{')) {
            if (take('}')) return true;
            do
                if (!string() || !take(':') || !value()) return false;
            while (take(','));
            return take('}');
        }
        if (take('[')) {
            if (take(']')) return true;
            do
                if (!value()) return false;
            while (take(','));
            return take(']');
        }
        return number();
    }
    bool whole() {
        const bool good = value();
        blank();
        return good && at == text.size();
    }
};

program two_steps(bool second_fails) {
    program_builder b;
    const format plain = plain_format(element_type::float32);
    const buffer_id x = b.add_input("x", element_type::float32, {1, 1}), y = b.add_buffer({1, 1}, plain),
                    z = b.add_buffer({1, 1}, {{}, layout::channels_last(), element_type::float32});
    const buffer_id in[]{x}, out[]{y}, in2[]{z}, w[]{b.add_buffer({1, 1}, plain)};
    b.add_kernel(kernel(copy_state{}), in, out, {"say \"hi\"\\\n", "fake", 3, 2, 0, false, "", 0});
    b.add_conversion(y, z);
    if (second_fails)
        b.add_kernel(kernel(failing_state{}), in2, w, {"bad", "fake", 4, 1, 0, false, "", 0});
    else
        b.add_kernel(kernel(copy_state{}), in2, w, {"last", "other", 4, 1, 0, false, "", 0});
    b.set_results(w);
    auto p = b.finish();
    REQUIRE(p.has_value());
    return std::move(*p);
}

}  // namespace

TEST_CASE("a profile has one event per step and run, in order, that do not overlap") {
    const program p = two_steps(false);
    auto frame = p.make_frame();
    auto results = p.make_results();
    const tensor x = tensor::of<float>({1, 1}, std::vector<float>{42});
    profile taken;
    REQUIRE(run_profiled(p, *frame, std::span(&x, 1), *results, {}, taken).has_value());
    REQUIRE(run_profiled(p, *frame, std::span(&x, 1), *results, {}, taken).has_value());
    CHECK((*results)[0].as<float>()[0] == 42);
    REQUIRE(taken.events.size() == 6);
    CHECK(taken.runs == 2);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(taken.events[i].step == i % 3);
        CHECK(taken.events[i].run == i / 3);
        CHECK(taken.events[i].begin <= taken.events[i].end);
        if (i != 0) CHECK(taken.events[i - 1].end <= taken.events[i].begin);
    }
}

TEST_CASE("seconds by step leave out the runs before the first that counts") {
    profile p;
    p.runs = 2;
    p.events = {{0, 0, 0, 9000}, {0, 1, 9000, 9500}, {1, 0, 10000, 12000}, {1, 1, 12000, 12500}};
    const auto all = step_seconds(p, 3, 0), counted = step_seconds(p, 3, 1);
    REQUIRE(all.size() == 3);
    CHECK(all[0].size() == 2);
    REQUIRE(counted[0].size() == 1);
    CHECK(counted[0][0] == doctest::Approx(2e-6));
    CHECK(counted[1][0] == doctest::Approx(5e-7));
    CHECK(counted[2].empty());
    const auto first = step_seconds(p, 3, [](std::uint32_t run) { return run == 0; });
    REQUIRE(first[0].size() == 1);
    CHECK(first[0][0] == doctest::Approx(9e-6));
}

TEST_CASE("the trace is JSON with escaped labels and the facts of each step") {
    const program p = two_steps(false);
    auto frame = p.make_frame();
    auto results = p.make_results();
    const tensor x(element_type::float32, {1, 1});
    profile taken;
    REQUIRE(run_profiled(p, *frame, std::span(&x, 1), *results, {}, taken).has_value());
    taken.events[0].begin = 1007;
    taken.events[0].end = 4010;
    const std::string trace = chrome_trace(p, taken);
    CHECK(json_checker{trace}.whole());
    CHECK(trace.find("{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"name\":\"say "
                     "\\\"hi\\\"\\\\\\u000a\",\"cat\":\"part\",\"ts\":1.007,\"dur\":3.003,\"args\":{\"run\":0,\"step\":0,"
                     "\"part\":3,\"backend\":\"fake\",\"nodes\":2,\"bytes\":8,\"note\":\"\"}}") != std::string::npos);
    CHECK(trace.find("\"cat\":\"conversion\"") != std::string::npos);
    CHECK(trace.find("\"args\":{\"name\":\"conversions\"}") != std::string::npos);
    CHECK(json_checker{chrome_trace(p, profile{})}.whole());
}

TEST_CASE("steps side by side have their own times and their lanes rows of their own in the trace") {
    struct waiting_state {
        std::atomic<int>* arrived;  // each waits for the other, so that their times overlap
        bool run(const run_arguments&) const {
            ++*arrived;
            while (*arrived < 2) std::this_thread::yield();
            return true;
        }
    };
    std::atomic<int> arrived = 0;
    program_builder b;
    const format plain = plain_format(element_type::float32);
    const buffer_id x[]{b.add_input("x", element_type::float32, {1})};
    const buffer_id y[]{b.add_buffer({1}, plain), b.add_buffer({1}, plain), b.add_buffer({1}, plain)};
    const auto step = [&](kernel k, std::size_t to) {
        b.add_kernel(std::move(k), x, std::span(y).subspan(to, 1), {"step", "fake", 0, 1, 0, false, "", 0, false});
    };
    step(kernel(waiting_state{&arrived}), 0);
    step(kernel(copy_state{}), 1);
    step(kernel(waiting_state{&arrived}), 2);
    b.set_results(y);
    const auto p = b.finish({{{{{1}}}, {{{0}, {2}}}}});
    REQUIRE(p.has_value());
    random_programs::thread_executor executor{2};
    auto frame = p->make_frame();
    auto results = p->make_results();
    const tensor given(element_type::float32, {1});
    profile taken;
    for (std::uint32_t run = 0; run < 2; ++run) {
        arrived = 0;
        REQUIRE(run_profiled(*p, *frame, std::span(&given, 1), *results, executor, taken).has_value());
        const auto* e = &taken.events[3 * run];
        for (std::uint32_t i = 0; i < 3; ++i) {
            CHECK(e[i].step == i);
            CHECK(e[i].run == run);
        }
        CHECK(e[1].end <= e[0].begin);
        CHECK(e[1].end <= e[2].begin);
        CHECK(e[0].begin <= e[2].end);
        CHECK(e[2].begin <= e[0].end);
        CHECK(e[1].lane == 0);
        CHECK(e[0].lane == 0);
        CHECK(e[2].lane == 1);
        const std::uint64_t end = std::max(e[0].end, e[2].end);
        CHECK(run_seconds(taken, run) == doctest::Approx(static_cast<double>(end - e[1].begin) * 1e-9));
    }
    CHECK(run_seconds(taken, 2) == 0);
    const std::string trace = chrome_trace(*p, taken);
    CHECK(json_checker{trace}.whole());
    CHECK(trace.find("\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"fake\"}") != std::string::npos);
    CHECK(trace.find("\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"fake, lane 2\"}") != std::string::npos);
    CHECK(trace.find("\"tid\":1,\"name\":\"step\"") != std::string::npos);
}

TEST_CASE("a failing step ends a profiled run with the same sentence as an ordinary one") {
    const program p = two_steps(true);
    auto frame = p.make_frame();
    auto results = p.make_results();
    const tensor x(element_type::float32, {1, 1});
    profile taken;
    const auto profiled = run_profiled(p, *frame, std::span(&x, 1), *results, {}, taken);
    const auto ordinary = p.run(std::span(&x, 1));
    REQUIRE_FALSE(profiled.has_value());
    REQUIRE_FALSE(ordinary.has_value());
    CHECK(profiled.failure() == ordinary.failure());
}
