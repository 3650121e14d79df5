// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_HPP
#define INLAY_SEARCH_SELECT_HPP

#include <inlay/search/problem.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// The cheapest cover of a problem that `check` accepts; see `select_options` for the other rules that can stand in its place.
[[nodiscard]] selection select(const problem& given, const select_options& options = {});

}  // namespace inlay

#endif
