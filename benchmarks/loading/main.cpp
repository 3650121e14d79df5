// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// What it costs that a back end is a library: a network is planned with `reference` in the list and with the same back end through the C
// interface, in turns, under the same modelled prices.
//
//     build/benchmarks/loading build/models/squeezenet.onnx [--rounds 30]
//
// One thread; milliseconds of processor time. `enumerate` finds and reads candidates, `plan` does all from the graph to the plan: by
// itself, which is next to nothing, since prices cost nothing and no contender is beside it, and with cpu_simd and cpu_loops in both lists,
// as where there is something to decide. Both ways have to give the same plan. Exit status: 0; 1 where plans differ or cannot be made, or
// where the interface costs 2 % and more of planning with others; 2 for bad arguments.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/cpu_loops/backend.hpp>
#include <inlay/backend/cpu_simd/backend.hpp>
#include <inlay/backend/onednn/backend.hpp>
#include <inlay/backend/openblas/backend.hpp>
#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/export_backend.hpp>
#include <inlay/backend/plugin/loaded_backend.hpp>
#include <inlay/backend/reference/backend.hpp>
#include <inlay/backend/xnnpack/backend.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/extended_list.hpp>
#include <inlay/cost/roofline.hpp>
#include <inlay/cost/roofline_model.hpp>
#include <inlay/io/onnx/onnx.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/passes/normalise.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/plan/partitioner.hpp>

#include "../matching/thread_time.hpp"

namespace {

using namespace inlay;
using bench::thread_seconds;

[[noreturn]] void fail(int status, const std::string& sentence) {
    std::fprintf(stderr, "loading: %s\n", sentence.c_str());
    std::exit(status);
}

using model_prices = roofline_meter<work_counter<onnx_ops>>;
using lower_bounds = roofline_bounds<work_counter<onnx_ops>>;

template <class Work>
double timed(Work&& work) {
    const double start = thread_seconds();
    work();
    return thread_seconds() - start;
}

/// The back ends of `Own`, and behind them `reference` through the C interface.
template <class... Own>
extended_list<backend_list<Own...>, loaded_backend> with_loaded() {
    auto sound = check_table(exported_table<reference>());
    if (!sound) fail(1, sound.failure().message);
    extended_list<backend_list<Own...>, loaded_backend> list;
    if (auto added = list.add(loaded_backend::of(*std::move(sound), "memory")); !added) fail(1, added.failure().message);
    return list;
}

template <class List>
plan planned(const ir_module& m, const List& backends, const std::vector<partitioner>& others) {
    model_prices pricing(core_typical_peaks);
    plan_options options;
    options.run_phases = false;
    options.others = others;
    auto made = make_plan(m, backends, pricing, lower_bounds(core_upper_peaks), options);
    if (!made) fail(1, made.failure().message);
    return *std::move(made);
}

/// Medians of both lists' times, in ms, taken in turns.
struct compared {
    double enumerate[2], plan[2];
    std::size_t nodes, candidates;
};

template <class Direct, class Loaded>
compared compare(const ir_module& m, const Direct& direct, const Loaded& loaded, std::size_t rounds,
                 const std::vector<partitioner>& others = {}) {
    const plan one = planned(m, direct, others), other = planned(m, loaded, others);
    if (one.chosen.chosen != other.chosen.chosen || one.chosen.seconds != other.chosen.seconds)
        fail(1, "the two ways give different plans");
    std::vector<double> times[4];
    for (std::size_t r = 0; r < rounds; ++r) {
        times[0].push_back(timed([&] { (void)enumerate(m, direct); }));
        times[1].push_back(timed([&] { (void)enumerate(m, loaded); }));
        times[2].push_back(timed([&] { (void)planned(m, direct, others); }));
        times[3].push_back(timed([&] { (void)planned(m, loaded, others); }));
    }
    double ms[4];
    for (int i = 0; i < 4; ++i) {
        std::sort(times[i].begin(), times[i].end());
        ms[i] = 1e3 * times[i][rounds / 2];
    }
    return {{ms[0], ms[1]}, {ms[2], ms[3]}, one.set.to_cover.size(), one.set.candidates.size()};
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t rounds = 30;
    std::string model;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--rounds" && i + 1 < argc) {
            const std::string_view text = argv[++i];
            const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), rounds);
            if (fault != std::errc{} || end != text.data() + text.size() || rounds < 1 || rounds > 100000)
                fail(2, "--rounds takes a whole number from 1 to 100000, not " + std::string(text));
        } else if (model.empty() && !word.starts_with("-")) {
            model = word;
        } else {
            fail(2, "there is no use for the argument " + std::string(word) + "; call it with one ONNX file");
        }
    }
    if (model.empty()) fail(2, "an ONNX file is missing");
    import_options reading;
    reading.operators = &onnx_ops::find;
    auto read = load_onnx(model, reading);
    if (!read) fail(2, read.failure().message);
    auto typed = infer_types(*read, {}, onnx_ops{});
    if (!typed) fail(2, typed.failure().message);
    const ir_module m = *std::move(typed);

    const compared alone = compare(m, backend_list<reference>{}, with_loaded<>(), rounds);
    std::printf("%zu nodes to cover, %zu candidates, %zu rounds\n", alone.nodes, alone.candidates, rounds);
    std::printf("enumerate: %.3f ms in the list, %.3f ms through the interface\n", alone.enumerate[0], alone.enumerate[1]);
    std::printf("plan:      %.3f ms in the list, %.3f ms through the interface: %.2f us more for each candidate\n", alone.plan[0],
                alone.plan[1], 1e3 * (alone.plan[1] - alone.plan[0]) / static_cast<double>(alone.candidates));
    const backend_list<onednn, cpu_simd, xnnpack, openblas, cpu_loops, reference> six;
    const auto loaded = with_loaded<onednn, cpu_simd, xnnpack, openblas, cpu_loops>();
    std::vector<std::string> kinds;
    for (std::size_t i = 0; i < six.size; ++i) kinds.emplace_back(six.kind(static_cast<backend_id>(i)));
    double percent = 0;
    for (const bool has_contenders : {false, true}) {
        const compared c = compare(m, six, loaded, rounds, has_contenders ? usual_partitioners(kinds) : std::vector<partitioner>{});
        percent = 100 * (c.plan[1] / c.plan[0] - 1);
        std::printf("with five others, %zu candidates%s: %.2f ms in the list, %.2f ms through the interface: %+.1f %%\n", c.candidates,
                    has_contenders ? ", and contenders" : "", c.plan[0], c.plan[1], percent);
    }
    return percent < 2 ? 0 : 1;
}
