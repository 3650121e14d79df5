// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_SEARCH_RIVAL_HPP
#define INLAY_BENCHMARKS_SEARCH_RIVAL_HPP

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/search/problem.hpp>

namespace bench {

/// What another way of searching answered; `note` says why it did not.
struct rival_answer {
    bool proved = false;
    /// The price of its answer, as `inlay::price` adds it up; for `dijkstra`, by the costs that it knows.
    double cost = 0;
    /// Time of the search: of the processes, without writing their files; or of the walk.
    double ms = 0;
    /// How often it was run: once, and again for each cycle between parts that had to be forbidden.
    std::size_t rounds = 0;
    /// For `dijkstra`: what its cover costs with conversions; below 0 where it is no cover then.
    double true_cost = 0;
    std::size_t states = 0;
    std::array<char, 160> note{};
};

/// The walk over covered sets, on the candidates' costs alone.
[[nodiscard]] rival_answer run_dijkstra(const inlay::problem& given);

/// toulbar2 or cbc as a process on files in `folder`, which must exist. They do not know that parts may not wait for each other: a
/// cycle in their answer is forbidden and they are run again, so that the last answer is the optimum of the whole problem.
[[nodiscard]] rival_answer run_solver(const inlay::problem& given, std::string_view program, const std::string& folder);

/// Whether there is a Python with the package highspy: that of build/highs in the folder the benchmark is run from, or python3.
[[nodiscard]] bool has_highs();

/// HiGHS by `highs_rival.py` on a file in `folder`, which must exist, for at most so many seconds; its time is from the instance in memory
/// to the proof, cuts for cycles among it.
[[nodiscard]] rival_answer run_highs(const inlay::problem& given, const std::string& folder, double seconds);

}  // namespace bench

#endif
