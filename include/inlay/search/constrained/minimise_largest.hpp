// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_MINIMISE_LARGEST_HPP
#define INLAY_SEARCH_CONSTRAINED_MINIMISE_LARGEST_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// The cover whose largest quantity is least.
struct largest_selection {
    /// `optimal`: `largest` is within `limit_slack` of `lower_bound`; `gap`: both enclose what is least.
    selection_status status = selection_status::infeasible;
    /// The largest of the quantities, and what it is not below whatever cover that keeps the limits is taken; none where nothing was found.
    std::optional<double> largest;
    std::optional<double> lower_bound;
    /// The candidates of the cover, ascending, and its cost. It need not be the cheapest with that largest: `select_within` finds that one.
    std::vector<candidate_index> chosen;
    std::optional<double> cost;
    /// What the cover comes to in each quantity, and in each limit.
    std::vector<double> amounts;
    std::vector<double> limit_amounts;
    /// Where no cover keeps to all constraints and limits: the smallest clash, as in `constrained_selection`.
    std::vector<std::size_t> clash;
    std::vector<std::size_t> clash_limits;
    /// One sentence for `infeasible`, and for a `gap` without a cover; else empty.
    std::string reason;
    search_effort effort;
};

/// Minimises the largest of quantities in one unit, over the covers that keep to constraints and limits: the loads of devices (the time
/// between two results of a pipeline, perhaps with a limit on `cost_as_quantity`, its latency), or the `live_bytes` of positions (the
/// peak). At least one quantity; `check` must accept all. Preferences count for nothing here. By multipliers that add up to one, see
/// `detail::lagrangian_branch_and_bound`. Exact unless it is stopped, and the same on every run that is not.
[[nodiscard]] INLAY_FUNCTION largest_selection minimise_largest(const problem& given, std::span<const quantity> quantities,
                                                                std::span<const constraint> constraints, std::span<const limit> limits,
                                                                const select_options& options = {});

/// The same without constraints and limits.
[[nodiscard]] INLAY_FUNCTION largest_selection minimise_largest(const problem& given, std::span<const quantity> quantities,
                                                                const select_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/constrained/minimise_largest.ipp>
#endif

#endif
