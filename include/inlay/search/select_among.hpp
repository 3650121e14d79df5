// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_SELECT_AMONG_HPP
#define INLAY_SEARCH_SELECT_AMONG_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/select_options.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// Takes candidates that are not admitted out of a problem. What it keeps is in the old order; `number`, where given, gets for each of
/// these what it was numbered before. `admitted` has an entry for each candidate, 0 for those that go.
[[nodiscard]] INLAY_FUNCTION problem problem_among(const problem& given, std::span<const std::uint8_t> admitted,
                                                   std::vector<candidate_index>* number = nullptr);

/// `select` among some of the candidates of a problem that `check` accepts; the answer has the problem's own numbers. Options that speak of
/// single candidates (`marginals`, `priority`, `known_covers`) are not looked at.
[[nodiscard]] INLAY_FUNCTION selection select_among(const problem& given, std::span<const std::uint8_t> admitted,
                                                    select_options options = {});

/// Takes away what overlaps a candidate, so that every cover of what is left contains it.
INLAY_FUNCTION void admit_only(const problem_index& index, candidate_index wanted, std::span<std::uint8_t> admitted);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/select_among.ipp>
#endif

#endif
