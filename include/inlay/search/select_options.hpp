// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_OPTIONS_HPP
#define INLAY_SEARCH_SELECT_OPTIONS_HPP

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/core/executor.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// The rule by which a cover is found.
enum class selection_rule : std::uint8_t {
    /// The cheapest cover, proved.
    exact,
    /// The cheapest cover by plain enumeration; an oracle for small problems, see `exhaustive_fits`.
    exhaustive,
    /// Candidates in order of priority, each taken if it still fits; proves nothing.
    eager,
};

/// How to select.
struct select_options {
    selection_rule partitioner = selection_rule::exact;
    /// Milliseconds after which an exact search gives what it has; without one it runs until its answer is proved.
    std::optional<double> budget_ms;
    /// Whether to compute, for each candidate, the price of the cheapest cover that contains it.
    bool marginals = false;
    /// The order in which the eager rule takes candidates: a permutation of them. Empty: by back end, then index.
    std::vector<candidate_index> priority;
    /// Covers that the caller knows; an exact search never answers with a worse one. What is no cover is passed over.
    std::vector<std::vector<candidate_index>> known_covers;
    /// The most that one elimination may take to fill its tables, in entries; what would need more is left to dual ascent and branching.
    double table_limit = 2e7;
    /// Most bytes that the messages of one elimination may take; what would need more is left to dual ascent and branching likewise. The
    /// tables that all of these work on are held to it too: where they would take more, nothing is searched, and `selection::reason` says
    /// so. What is needed is predicted before any of it is taken.
    double memory_limit = 2e9;
    /// Runs what an exact search can do side by side: the covers that it begins with. The answer does not depend on it.
    executor_ref executor;
    /// Set by another thread to end an exact search early, as a budget does.
    const std::atomic<bool>* cancel = nullptr;
};

}  // namespace inlay

#endif
