// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// What it costs that a back end is a library: a network is planned with `reference` in the list and with the same back end through the C
// interface, in turns, under the same modelled prices. It is normalised before, as `inlay partition` does.
//
//     build/benchmarks/loading build/models/squeezenet.onnx [--rounds 30]
//
// One thread; milliseconds of processor time. `enumerate` finds and reads candidates, `plan` does all from the graph to the plan: by
// itself, which is next to nothing, since prices cost nothing and no contender is beside it; with the five other back ends that `inlay`
// asks by default in both lists; and with the contenders beside it that `inlay partition` prices. Both ways have to give the same plan.
// What the interface costs is the ratio of the medians, given as the interval that holds it with a confidence of 95 %. It is narrow on a
// quiet machine only, so the share is said a second way: what the interface adds to planning by itself, where little else is done, against
// planning with all. `instructions.py` beside this file counts what the machine's other users do not change.
//
// Exit status: 0; 1 where plans differ or cannot be made, or where the interface costs 2 % and more of planning with contenders, by the
// whole interval or by the second way; 2 for bad arguments.
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
#include <inlay/cost/statistics.hpp>
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

/// Two ways to do one thing, taken in turns: medians in ms, and how much more the second takes in percent, by the medians and by the least
/// of each, which a busy machine changes less.
struct both {
    double direct, loaded;
    interval more;
    double least_more;
};

template <class Direct, class Loaded>
both in_turns(std::size_t rounds, Direct&& direct, Loaded&& loaded) {
    std::vector<double> times[2];
    // Who comes second finds memory as the first one left it.
    for (std::size_t r = 0; r < rounds; ++r)
        for (const bool is_direct : {r % 2 == 0, r % 2 != 0}) times[is_direct ? 0 : 1].push_back(is_direct ? timed(direct) : timed(loaded));
    const interval ratio = bootstrap_paired_ratio(times[1], times[0]);
    const summary one = summarise(times[0]), other = summarise(times[1]);
    return {1e3 * one.median, 1e3 * other.median, {100 * (ratio.low - 1), 100 * (ratio.high - 1)}, 100 * (other.minimum / one.minimum - 1)};
}

struct compared {
    both ms;
    std::size_t nodes, candidates;
};

/// Planning by both lists, which have to give the same plan.
template <class Direct, class Loaded>
compared plan_in_turns(std::size_t rounds, const ir_module& m, const Direct& direct, const Loaded& loaded,
                       const std::vector<partitioner>& others = {}) {
    const plan one = planned(m, direct, others), other = planned(m, loaded, others);
    if (one.chosen.chosen != other.chosen.chosen || one.chosen.seconds != other.chosen.seconds)
        fail(1, "the two ways give different plans");
    const both ms = in_turns(
        rounds, [&] { (void)planned(m, direct, others); }, [&] { (void)planned(m, loaded, others); });
    return {ms, one.set.to_cover.size(), one.set.candidates.size()};
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
    auto normal = normalise(*typed);
    if (!normal) fail(2, normal.failure().message);
    const ir_module m = std::move(normal->graph);

    const backend_list<reference> direct;
    const auto loaded = with_loaded<>();
    const both found = in_turns(
        rounds, [&] { (void)enumerate(m, direct); }, [&] { (void)enumerate(m, loaded); });
    const compared alone = plan_in_turns(rounds, m, direct, loaded);
    std::printf("%zu nodes to cover, %zu candidates, %zu rounds\n", alone.nodes, alone.candidates, rounds);
    std::printf("enumerate: %.3f ms in the list, %.3f ms through the interface\n", found.direct, found.loaded);
    std::printf("plan:      %.3f ms in the list, %.3f ms through the interface: %.2f us more for each candidate\n", alone.ms.direct,
                alone.ms.loaded, 1e3 * (alone.ms.loaded - alone.ms.direct) / static_cast<double>(alone.candidates));

    const backend_list<onednn, cpu_simd, xnnpack, openblas, cpu_loops, reference> six;
    const auto six_loaded = with_loaded<onednn, cpu_simd, xnnpack, openblas, cpu_loops>();
    std::vector<std::string> kinds;
    six.for_each([&](const auto& b, std::size_t) { kinds.emplace_back(b.kind); });
    const double added = alone.ms.loaded - alone.ms.direct;  // ms
    bool is_dear = false;
    for (const bool has_contenders : {false, true}) {
        const compared c =
            plan_in_turns(rounds, m, six, six_loaded, has_contenders ? usual_partitioners(kinds) : std::vector<partitioner>{});
        const interval more = c.ms.more;
        const double share = 100 * added / c.ms.direct;
        is_dear = more.low >= 2 || share >= 2;
        std::printf(
            "with five others, %zu candidates%s: %.2f ms in the list, %.2f ms through the interface: %+.1f to %+.1f %%, the least %+.1f "
            "%%; what it adds by itself is %.2f %%\n",
            c.candidates, has_contenders ? ", and contenders" : "", c.ms.direct, c.ms.loaded, more.low, more.high, c.ms.least_more, share);
    }
    return is_dear ? 1 : 0;
}
