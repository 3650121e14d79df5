// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_VERIFY_CERTIFICATE_HPP
#define INLAY_SEARCH_PROOF_VERIFY_CERTIFICATE_HPP

#include <cstddef>
#include <string>

#include <inlay/core/linkage.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/proof/certificate.hpp>

namespace inlay {

/// What a certificate is worth.
struct certificate_report {
    bool holds = false;
    /// One sentence, where it does not hold.
    std::string fault;
    std::size_t sub_problems = 0;
    std::size_t prices = 0;
    /// States that were looked at where prices alone did not close a sub-problem.
    std::size_t states = 0;
    /// Blocks that were looked through by themselves for that.
    std::size_t blocks = 0;
};

/// Checks that no cover of a problem that `check` accepts, or none with the candidate that the certificate names, costs less than it says,
/// on the problem as it is given. The certificate may come from anybody. `most_states` limits what may be looked at in one sub-problem
/// that its prices leave open; `least_block` is told to `residual_dp`. What would take more than some minutes, or more memory than
/// there may be, is not proved.
[[nodiscard]] INLAY_FUNCTION certificate_report verify_certificate(const problem& given, const certificate& proof,
                                                                   std::size_t most_states = 100'000, std::size_t least_block = 100);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/search/proof/verify_certificate.ipp>
#endif

#endif
