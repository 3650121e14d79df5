// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_CERTIFICATE_HPP
#define INLAY_SEARCH_PROOF_CERTIFICATE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <inlay/search/problem.hpp>

namespace inlay {

/// How far a proof may stay below the lower bound of a selection, as a share of it: prices are whole units.
inline constexpr double certificate_slack = 1e-9;

/// Prices from which a lower bound follows by adding up (a solution of the dual linear program), in whole units.
///
/// Every node pays its price. A candidate that reads a tensor from outside is charged for that by its reader price; what the tensor's
/// conversions cost beyond what its readers are charged is charged to the candidate that gives it, at the least over what its readers may
/// want. Where no candidate's cost and charges are below the prices of its nodes, no cover costs less than all nodes pay. What they are
/// above is the candidate's slack: a cover with it costs at least that much more.
struct certificate_prices {
    /// Per node.
    std::vector<std::int64_t> of_node;
    /// For each edge of the problem, in its order, and for each format that some candidate wants on it, ascending. Where conversions are
    /// not shared, a candidate that reads a tensor at several nodes wants it at the first of them; at the others it wants nothing, which
    /// stands after all formats.
    std::vector<std::int64_t> of_reader;

    friend bool operator==(const certificate_prices&, const certificate_prices&) = default;
};

/// One sub-problem of a proof.
struct certificate_step {
    /// Applied one after the other; each drops the candidates whose slack proves that no cover with them is below the bound.
    std::vector<certificate_prices> prices;
    /// Where the sub-problem is split: the steps that follow are about covers without this candidate, then about covers with it.
    std::optional<candidate_index> split;

    friend bool operator==(const certificate_step&, const certificate_step&) = default;
};

/// A proof that no cover of a problem, or none that contains some candidate, costs less than `bound`, which `verify_certificate` checks on
/// the problem as it was given.
struct certificate {
    double bound = 0;
    /// The prices count units of 2^-exponent.
    int exponent = 0;
    /// The sub-problems in preorder; the first is the whole problem.
    std::vector<certificate_step> steps;
    /// Where set, the proof is about covers that contain this candidate: it proves its marginal.
    std::optional<candidate_index> contains{};

    /// How many prices it holds.
    [[nodiscard]] std::size_t prices() const {
        std::size_t count = 0;
        for (const certificate_step& step : steps)
            for (const certificate_prices& sheet : step.prices) count += sheet.of_node.size() + sheet.of_reader.size();
        return count;
    }

    friend bool operator==(const certificate&, const certificate&) = default;
};

}  // namespace inlay

#endif
