// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_REHEARSE_HPP
#define INLAY_RUNTIME_REHEARSE_HPP

#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/partition/rehearsal.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/runtime/measure.hpp>
#include <inlay/runtime/profile.hpp>
#include <inlay/runtime/random_values.hpp>

namespace inlay {

/// How covers are rehearsed.
struct rehearse_options {
    std::uint32_t warm_up = 2;
    std::uint32_t least_runs = 5;
    std::uint32_t most_runs = 100;
    double seconds = 1;  // what the runs of all covers may take, once each has its least runs
    /// Memory read before each run: what a host does between two inferences.
    std::uint64_t bytes_between = std::uint64_t{32} << 20;
};

namespace detail {

/// One cover as a program, with its memory and times.
struct rehearsed_program {
    std::optional<program> code;
    program_frame frame;
    std::vector<tensor> inputs, results;
    profile taken;
    std::string failure;

    template <class G, class List>
    rehearsed_program(const G& g, const List& backends, const candidate_set& set, const partitioned& cut) {
        if (auto made = get_ready(g, backends, set, cut); !made) failure = made.failure().message;
    }

    template <class G, class List>
    outcome<void> get_ready(const G& g, const List& backends, const candidate_set& set, const partitioned& cut) {
        auto linked = link(g, backends, set, cut);
        if (!linked) return linked.failure();
        auto memory = linked->make_frame();
        if (!memory) return memory.failure();
        auto made = linked->make_results();
        if (!made) return made.failure();
        for (const port& p : linked->inputs()) {
            inputs.emplace_back(p.element, p.extents);
            if (!inputs.back().ok()) return error{"there is no memory for input '" + p.name + "'; partition a smaller model"};
            fill_random(inputs.back().data(), p.element, inputs.back().count(), 1.0, false, inputs.size());
        }
        frame = *std::move(memory);
        results = *std::move(made);
        code.emplace(*std::move(linked));
        return {};
    }

    void run(executor_ref executor) {
        if (!code) return;
        if (auto ran = run_profiled(*code, frame, inputs, results, executor, taken); !ran) {
            failure = ran.failure().message;
            code.reset();
        }
    }

    [[nodiscard]] rehearsal told(const partitioned& cut, std::uint32_t warm_up) const {
        rehearsal r;
        r.failure = failure;
        if (!code) return r;
        const std::vector<std::vector<double>> seconds = step_seconds(taken, code->steps().size(), warm_up);
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            const step_facts& step = code->steps()[i];
            if (seconds[i].empty()) continue;
            if (step.is_conversion)
                r.conversions.emplace_back(cut.conversions[step.number], measurement::of(seconds[i]));
            else
                r.candidates.emplace_back(step.number, measurement::of(seconds[i]));
        }
        return r;
    }
};

}  // namespace detail

/// Runs covers of a graph as whole programs, in turns, and says what each piece took there: the median over runs, as for any price.
/// Inputs are random, integers zero. It is all done in this process: kernels that crash by themselves have shown it to a
/// worker before, when they were priced alone. `stop()` ends it; what was run counts. `backends` is a `backend_list`.
template <attributed_graph G, class List, class Stop>
[[nodiscard]] std::vector<rehearsal> rehearse(const G& g, const List& backends, const candidate_set& set, std::span<const std::vector<std::size_t>> covers,
                                              executor_ref executor, const rehearse_options& options, Stop&& stop) {
    std::vector<partitioned> cuts;
    std::vector<detail::rehearsed_program> programs;
    programs.reserve(covers.size());
    for (const std::vector<std::size_t>& cover : covers) {
        cuts.push_back(partition(g, set, cover));
        programs.emplace_back(g, backends, set, cuts.back());
    }
    detail::other_memory other(options.bytes_between);
    const auto start = std::chrono::steady_clock::now();
    const std::uint32_t least = options.warm_up + options.least_runs, most = options.warm_up + options.most_runs;
    for (std::uint32_t round = 0; round < most && !stop(); ++round) {
        if (round >= least && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > options.seconds) break;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            other.pass(other.size());
            programs[(i + round) % programs.size()].run(executor);
        }
    }
    std::vector<rehearsal> told;
    for (std::size_t i = 0; i < programs.size(); ++i) told.push_back(programs[i].told(cuts[i], options.warm_up));
    return told;
}

}  // namespace inlay

#endif
