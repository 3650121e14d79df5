// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_PROFILE_HPP
#define INLAY_RUNTIME_PROFILE_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who profile include it
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/core/executor.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/runtime/program.hpp>

namespace inlay {

/// When each step of a program ran, over one or more runs: nanoseconds since the first profiled run began. Within a run events stand in the
/// order of the steps' numbers; those of steps in several lanes overlap.
struct profile {
    struct event {
        std::uint32_t run = 0;
        std::uint32_t step = 0;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t lane = 0;  // of the group that it ran in
    };

    std::uint32_t runs = 0;
    std::chrono::steady_clock::time_point origin;
    std::vector<event> events;
};

/// What each step took in each run for which `counts(run)`: seconds, by step.
template <class Counts>
requires(!std::is_arithmetic_v<std::remove_cvref_t<Counts>>)
    [[nodiscard]] std::vector<std::vector<double>> step_seconds(const profile& p, std::size_t steps, Counts&& counts) {
    std::vector<std::vector<double>> seconds(steps);
    for (const profile::event& e : p.events)
        if (counts(e.run)) seconds[e.step].push_back(static_cast<double>(e.end - e.begin) * 1e-9);
    return seconds;
}
/// The same for the runs from the first that counts on.
[[nodiscard]] inline std::vector<std::vector<double>> step_seconds(const profile& p, std::size_t steps, std::uint32_t first_run) {
    return step_seconds(p, steps, [&](std::uint32_t run) { return run >= first_run; });
}

/// What a run took from the begin of its first step to the end of its last: seconds; 0 where it has no events.
[[nodiscard]] inline double run_seconds(const profile& p, std::uint32_t run) {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (auto e = p.events.rbegin(); e != p.events.rend() && e->run >= run; ++e) {
        if (e->run != run) continue;
        begin = std::min(begin, e->begin);
        end = std::max(end, e->end);
    }
    return end < begin ? 0 : static_cast<double>(end - begin) * 1e-9;
}

/// Runs a program once as `program::run` does, and appends when each step ran. Reading the clock costs some 40 to 100 ns a step.
[[nodiscard]] inline outcome<void> run_profiled(const program& p, program_frame& frame, std::span<const tensor> inputs,
                                                std::span<tensor> results, executor_ref executor, profile& into) {
    using clock = std::chrono::steady_clock;
    if (auto bound = p.bind(frame, inputs, results, executor); !bound) return bound;
    constexpr std::uint64_t never = ~std::uint64_t{0};
    const std::size_t before = into.events.size();
    into.events.resize(before + p.steps().size(), {into.runs, 0, never, never, 0});
    if (into.runs == 0) into.origin = clock::now();
    const auto now = [&] {
        return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - into.origin).count());
    };
    auto ran = p.run_steps(frame, [&](std::uint32_t i, std::uint32_t lane, auto&& work) {
        const std::uint64_t begin = now();
        const bool good = work();
        into.events[before + i] = {into.runs, i, begin, now(), lane};
        return good;
    });
    if (!ran) {
        std::erase_if(into.events, [](const profile::event& e) { return e.begin == never; });
        return ran;
    }
    p.deliver(inputs, results);
    ++into.runs;
    return {};
}

namespace detail {

inline void append_json_text(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : escaped_bytes(text)) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20) {
            out += "\\u00";
            out += "0123456789abcdef"[code >> 4];
            out += "0123456789abcdef"[code & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

/// Nanoseconds as microseconds with three digits: the unit of the trace format.
inline std::string microseconds(std::uint64_t nanoseconds) {
    std::string fraction = std::to_string(nanoseconds % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    return std::to_string(nanoseconds / 1000) + "." + fraction;
}

}  // namespace detail

/// The profile in the Trace Event Format, which Perfetto and Chrome's tracing page read: one complete event per step, one row per back
/// end and one for conversions in each lane, with part, nodes and bytes as arguments, and what conversions copied between memories.
[[nodiscard]] inline std::string chrome_trace(const program& p, const profile& taken) {
    std::vector<std::string> rows;
    const auto row_of = [&](const step_facts& f, std::uint32_t lane) {
        const std::string name = (f.is_conversion ? "conversions" : f.backend) + (lane == 0 ? "" : ", lane " + std::to_string(lane + 1));
        std::size_t row = 0;
        while (row < rows.size() && rows[row] != name) ++row;
        if (row == rows.size()) rows.push_back(name);
        return row;
    };
    std::string events;
    for (const profile::event& e : taken.events) {
        const step_facts& f = p.steps()[e.step];
        events += "{\"ph\":\"X\",\"pid\":0,\"tid\":" + std::to_string(row_of(f, e.lane)) + ",\"name\":";
        detail::append_json_text(events, f.label);
        events += ",\"cat\":";
        detail::append_json_text(events, f.is_conversion ? std::string_view("conversion") : std::string_view("part"));
        events += ",\"ts\":" + detail::microseconds(e.begin) + ",\"dur\":" + detail::microseconds(e.end - e.begin);
        events += ",\"args\":{\"run\":" + std::to_string(e.run) + ",\"step\":" + std::to_string(e.step) +
                  ",\"part\":" + std::to_string(f.part) + ",\"backend\":";
        detail::append_json_text(events, f.backend);
        events += ",\"nodes\":" + std::to_string(f.nodes) + ",\"bytes\":" + std::to_string(f.bytes) +
                  (f.copied == 0 ? std::string() : ",\"copied\":" + std::to_string(f.copied)) + ",\"note\":";
        detail::append_json_text(events, f.note);
        events += "}},\n";
    }
    std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    for (std::size_t row = 0; row < rows.size(); ++row) {
        out += "{\"ph\":\"M\",\"pid\":0,\"tid\":" + std::to_string(row) + ",\"name\":\"thread_name\",\"args\":{\"name\":";
        detail::append_json_text(out, rows[row]);
        out += "}},\n";
    }
    out += events;
    out += "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"inlay\"}}\n]}\n";
    return out;
}

}  // namespace inlay

#endif
