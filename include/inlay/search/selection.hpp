// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECTION_HPP
#define INLAY_SEARCH_SELECTION_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// How a selection ended.
enum class selection_status : std::uint8_t {
    /// `chosen` is proved the cheapest.
    optimal,
    /// The proof was not finished (a budget, a cancellation, or a rule that proves nothing); `cost` and `lower_bound` enclose the optimum.
    gap,
    /// No cover exists; `reason` says why.
    infeasible,
};

/// The word for a status: `optimal`, `gap` or `infeasible`.
[[nodiscard]] constexpr const char* name_of(selection_status status) {
    switch (status) {
        case selection_status::optimal:
            return "optimal";
        case selection_status::gap:
            return "gap";
        default:
            return "infeasible";
    }
}

/// What a search had to do; the same on every run of a search without a budget.
struct search_effort {
    /// Entries of all elimination tables that were filled.
    std::uint64_t table_entries = 0;
    /// Sub-problems that were looked at, the whole one included.
    std::uint64_t branches = 0;
    /// Dual ascent passes.
    std::uint64_t passes = 0;
    /// Sub-problems whose best cover had a cycle between parts, so that they were split.
    std::uint64_t cuts = 0;
    /// Partial covers that plain enumeration visited.
    std::uint64_t visited = 0;
    /// Most variables in one elimination step, the eliminated one included.
    std::uint32_t width = 0;
    /// Entries of the elimination tables that the whole problem would have needed, as predicted; above the limit, dual ascent took over.
    double predicted_entries = 0;

    /// Adds what was spent on something beside.
    void add(const search_effort& other) {
        table_entries += other.table_entries;
        branches += other.branches;
        passes += other.passes;
        cuts += other.cuts;
        visited += other.visited;
        width = std::max(width, other.width);
        predicted_entries = std::max(predicted_entries, other.predicted_entries);
    }

    friend bool operator==(const search_effort&, const search_effort&) = default;
};

/// The answer to a `problem`.
struct selection {
    selection_status status = selection_status::infeasible;
    /// The price of `chosen`, as `cover_cost` adds it up; none where nothing was found.
    std::optional<double> cost;
    /// No cover is cheaper than this; none where `status` is `infeasible`.
    std::optional<double> lower_bound;
    /// The candidates of the cover, ascending.
    std::vector<candidate_index> chosen;
    /// For each candidate the price of the cheapest cover that contains it, none where there is no such cover; empty if not asked for.
    std::vector<std::optional<double>> marginals;
    /// Empty if every entry of `marginals` is exact; else, per candidate, whether it is (where it is not, it is a lower bound).
    std::vector<bool> marginals_exact;
    /// The first node that cannot be covered, where that is why nothing exists.
    std::optional<node_id> uncoverable;
    /// One sentence for `infeasible`, for a `gap` without a cover, and where the search could not be made for want of memory; else empty.
    std::string reason;
    /// Whether that is because the tables of the search would take more than `select_options::memory_limit`: more time would not help.
    bool too_large = false;
    search_effort effort;
};

}  // namespace inlay

#endif
