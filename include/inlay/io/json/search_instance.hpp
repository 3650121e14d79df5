// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_SEARCH_INSTANCE_HPP
#define INLAY_IO_JSON_SEARCH_INSTANCE_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

/// Reads a search instance from its JSON text (UTF-8) and checks it, so that the problem is fit for `select`. `name` is what errors
/// call the text: a file's path. Errors are one sentence that names the place: no JSON, unknown, missing or repeated keys, values of
/// the wrong kind, numbers out of range, and all that `check` finds. Memory is in proportion to the text, whatever it claims.
[[nodiscard]] INLAY_FUNCTION outcome<problem> read_search_instance(std::string_view text, std::string_view name);

/// The JSON text of a problem, with every key; reads back as an equal problem if `conversions_of` ascends by node.
[[nodiscard]] INLAY_FUNCTION std::string write_search_instance(const problem& given);

/// The JSON text of an answer, one line. `search_ms` is how long the search took. Marginals are written where the answer has some,
/// and where `with_marginals` says that they were asked for.
[[nodiscard]] INLAY_FUNCTION std::string write_search_answer(const selection& answer, double search_ms, bool with_marginals = false,
                                                             const certificate* proof = nullptr);

/// What of an answer can be checked: the cover, its cost, the lower bound and, where there is one, its proof.
struct search_answer {
    std::string status;
    std::optional<double> cost;
    std::optional<double> lower_bound;
    std::vector<candidate_index> chosen;
    std::optional<certificate> proof;
};

/// Reads what `write_search_answer` writes. The error names the place.
[[nodiscard]] INLAY_FUNCTION outcome<search_answer> read_search_answer(const json_place& root);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/io/json/search_instance.ipp>
#endif

#endif
