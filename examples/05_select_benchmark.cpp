// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// `select` works on numbers alone, so it fits any harness: here Google Benchmark times it on ladders of growing length, each node with
// two ways to run it and two formats, and counts the tables' entries.
//
// Prints:
//   ...
//   select_ladder/8...entries=...
//   select_ladder/64...entries=...
//   select_ladder/512...entries=...
#include <cstdint>

#include <benchmark/benchmark.h>

#include <inlay/search/select.hpp>

namespace {

/// Two chains of that many nodes, each node reading its neighbour as well; formats 0 and 1, conversions at 3.
inlay::problem ladder(std::uint32_t length) {
    inlay::problem p;
    p.nodes = 2 * length;
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 3.0);
    for (inlay::node_id n = 0; n < p.nodes; ++n) {
        if (n >= 2) p.edges.push_back({n - 2, n});
        if (n % 2 == 1) p.edges.push_back({n - 1, n});
        for (inlay::format_index f = 0; f < 2; ++f) {
            inlay::problem_candidate c;
            c.nodes = {n};
            c.cost = 1.0 + (n * 7 + f * 5) % 11;
            c.backend = f;
            c.in = c.out = f;
            p.candidates.push_back(c);
        }
    }
    return p;
}

void select_ladder(benchmark::State& state) {
    const inlay::problem p = ladder(static_cast<std::uint32_t>(state.range(0)));
    inlay::selection found;
    for (auto _ : state) {
        found = inlay::select(p);
        benchmark::DoNotOptimize(found.chosen.data());
    }
    if (found.status != inlay::selection_status::optimal) state.SkipWithError("the cover was not proved the cheapest");
    state.counters["entries"] = static_cast<double>(found.effort.table_entries);
}
BENCHMARK(select_ladder)->RangeMultiplier(8)->Range(8, 512)->MinTime(0.01);

}  // namespace

BENCHMARK_MAIN();
