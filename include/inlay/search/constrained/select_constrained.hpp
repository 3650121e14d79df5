// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_SELECT_CONSTRAINED_HPP
#define INLAY_SEARCH_CONSTRAINED_SELECT_CONSTRAINED_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// The answer to a problem with constraints and limits.
struct constrained_selection {
    /// As `select` gives it, without marginals; `cost` and `lower_bound` are those of the problem in which preferences that are not kept
    /// cost what they are worth. With limits, `optimal` says that `lower_bound` is within `limit_slack` of the cost.
    selection found;
    /// What the chosen candidates cost by themselves.
    std::optional<double> price;
    /// Per limit, what the cover comes to; empty where there is none.
    std::vector<double> amounts;
    /// Where there is no cover that keeps to all constraints and limits, but one without them: places of constraints, and of limits, to
    /// which together no cover keeps. No smaller set clashes that was looked at: all sets of fewer than `clash_size` of both were, and
    /// without any one of these it is none.
    std::vector<std::size_t> clash;
    std::vector<std::size_t> clash_limits;
    /// All smaller sets were looked at.
    std::size_t clash_size = 0;
    /// Per limit what one unit more of it would save at most, by the multipliers that bounded the whole problem best; `certify_constrained`
    /// can start from them.
    std::vector<double> multipliers;
};

/// The cheapest cover of a problem that keeps to constraints and limits; `check` must accept all three. Pins, forbids, keeps and part
/// limits take candidates away, preferences make others dearer (`problem_under`); colocations and separations are kept by splitting, limits
/// by multipliers and splitting, see `detail::lagrangian_branch_and_bound`. The answer is exact unless it is stopped, and the same on every
/// run that is not.
[[nodiscard]] INLAY_FUNCTION constrained_selection select_constrained(const problem& given, std::span<const constraint> constraints,
                                                                      std::span<const limit> limits, const select_options& options = {});

/// The same without limits.
[[nodiscard]] INLAY_FUNCTION constrained_selection select_constrained(const problem& given, std::span<const constraint> constraints,
                                                                      const select_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/constrained/select_constrained.ipp>
#endif

#endif
