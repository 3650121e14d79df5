// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_HPP
#define INLAY_SEARCH_SELECT_HPP

#include <inlay/core/linkage.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// The cheapest cover of a problem that `check` accepts; see `select_options` for the other rules that can stand in its place.
///
/// The exact search proves its answer unless it is stopped (`select_options::budget_ms`, `cancel`); then, or with the eager rule,
/// the status is `gap`. It is never worse than the eager cover, nor than any of `known_covers`. The answer depends on the problem
/// and the options alone; `exact_search` states how ties are broken. A problem too large for plain enumeration is refused: status
/// `gap`, no cover, the reason in `reason`.
[[nodiscard]] INLAY_FUNCTION selection select(const problem& given, const select_options& options = {});

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/select.ipp>
#endif

#endif
