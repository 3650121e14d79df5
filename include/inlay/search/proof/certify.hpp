// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_CERTIFY_HPP
#define INLAY_SEARCH_PROOF_CERTIFY_HPP

#include <optional>

#include <inlay/core/linkage.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/proof/certificate.hpp>

namespace inlay {

/// A proof that no cover of a problem that `check` accepts costs less than `bound`, as far as it is found in time: `certificate::bound` is
/// less where it is not. None where nothing is proved, some node is in no candidate, or the tables would take more than 2 GB. The same on
/// every run that is not stopped.
///
/// With `contains`, an index of a candidate, the proof is about covers that contain it: its marginal has one of its own.
[[nodiscard]] INLAY_FUNCTION std::optional<certificate> certify(const problem& given, double bound,
                                                                const deadline& end = deadline({}, nullptr),
                                                                std::optional<candidate_index> contains = std::nullopt);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/proof/certify.ipp>
#endif

#endif
