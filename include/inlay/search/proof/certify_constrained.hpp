// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_CERTIFY_CONSTRAINED_HPP
#define INLAY_SEARCH_PROOF_CERTIFY_CONSTRAINED_HPP

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/lagrangian_costs.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_under.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/proof/certify.hpp>
#include <inlay/search/proof/verify_certificate.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/select_among.hpp>
#include <inlay/search/select_options.hpp>

namespace inlay {

/// A proof that no cover that keeps to constraints and limits costs less than some bound: multipliers, and a certificate of the plain
/// problem in which candidates are ruled out or dearer as the constraints say, and the limited quantities are paid for.
///
/// What has such a proof: pin, forbid, keep, part limits and preferences, without loss; limits, as far as multipliers bound them, so
/// without what branching added. What has none: colocations and separations (the proof holds, but takes no notice of them), and that
/// nothing keeps to all of them (a clash).
struct constrained_certificate {
    /// Per limit, finite, at least 0.
    std::vector<double> multipliers;
    certificate proof;

    friend bool operator==(const constrained_certificate&, const constrained_certificate&) = default;
};

/// What it is worth.
struct constrained_certificate_report {
    bool holds = false;
    /// Where it holds: no cover that keeps to the constraints and limits costs less.
    double bound = 0;
    /// One sentence, where it does not hold.
    std::string fault;
};

namespace detail {

/// The problem in which limited quantities are paid for, and no cover is cheaper by more than what the limits weigh.
[[nodiscard]] inline problem paid_problem(const problem& given, std::span<const constraint> constraints, std::span<const limit> limits,
                                          std::span<const double> multipliers) {
    const problem dearer = with_preferences(given, constraints);
    const problem_index index(dearer);
    std::vector<std::uint8_t> admitted = admitted_by(index, constraints);
    std::vector<const quantity*> quantities;
    std::vector<quantity_weight> weights;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        quantities.push_back(&limits[i].what);
        if (multipliers[i] > 0) weights.push_back({i, multipliers[i]});
    }
    if (weights.empty()) return problem_among(dearer, admitted);
    const problem paid = lagrangian_costs(index, quantities)(1, weights);
    admitted.resize(paid.candidates.size(), 1);
    return problem_among(paid, admitted);
}

/// What a bound of the paid problem is worth: less what the limits weigh, and what rounding may have added to the prices.
[[nodiscard]] inline double bound_within(double paid_bound, std::span<const limit> limits, std::span<const double> multipliers) {
    constexpr double rounding = 1e-12;
    bool is_paid = false;
    double weight = 0;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        if (!(multipliers[i] > 0)) continue;
        is_paid = true;
        weight += multipliers[i] * (limits[i].most * (1 + limit_slack)) * (1 + rounding) -
                  multipliers[i] * limits[i].what.always * (1 - rounding);
    }
    return is_paid ? paid_bound - paid_bound * rounding - weight : paid_bound;
}

}  // namespace detail

/// A proof of what `select` says of the paid problem at some multipliers, such as `constrained_selection::multipliers` (none: all 0), as
/// far as it is found in time. None where nothing is proved, or some node is left without candidates. `check` must accept problem,
/// constraints and limits.
[[nodiscard]] inline std::optional<constrained_certificate> certify_constrained(const problem& given,
                                                                                std::span<const constraint> constraints,
                                                                                std::span<const limit> limits = {},
                                                                                std::span<const double> multipliers = {},
                                                                                const select_options& options = {}) {
    if (given.nodes == 0 || first_uncovered(given) != no_node) return std::nullopt;
    constrained_certificate made;
    made.multipliers.assign(multipliers.begin(), multipliers.end());
    made.multipliers.resize(limits.size(), 0);
    for (const double m : made.multipliers)
        if (!(m >= 0 && m < impossible)) return std::nullopt;
    const deadline end(options.budget_ms, options.cancel);
    const problem paid = detail::paid_problem(given, constraints, limits, made.multipliers);
    select_options how;
    how.budget_ms = options.budget_ms;
    how.cancel = options.cancel;
    how.table_limit = options.table_limit;
    const selection found = select(paid, how);
    if (!found.lower_bound) return std::nullopt;
    std::optional<certificate> proof = certify(paid, *found.lower_bound * (1 - certificate_slack), end);
    if (!proof) return std::nullopt;
    made.proof = *std::move(proof);
    return made;
}

/// Checks such a proof on the problem, the constraints and the limits as they are given, all of which `check` must accept; the proof may
/// come from anybody. It shares `problem_under` and `lagrangian_costs` with the search, which state the paid problem, and none of the
/// search itself.
[[nodiscard]] inline constrained_certificate_report verify_certificate(const problem& given, std::span<const constraint> constraints,
                                                                       std::span<const limit> limits,
                                                                       const constrained_certificate& proof) {
    constrained_certificate_report made;
    const auto fails = [&](std::string why) {
        made.fault = std::move(why);
        return made;
    };
    if (proof.multipliers.size() != limits.size())
        return fails("the proof has " + std::to_string(proof.multipliers.size()) + " multipliers for " + std::to_string(limits.size()) +
                     " limits; make it anew.");
    for (const double m : proof.multipliers)
        if (!(m >= 0 && m < impossible)) return fails("a multiplier of the proof is no finite number of at least 0; make it anew.");
    if (given.nodes == 0 || first_uncovered(given) != no_node)
        return fails("the problem has nodes that no candidate covers, or no nodes; there is nothing to be proved.");
    certificate_report plain = verify_certificate(detail::paid_problem(given, constraints, limits, proof.multipliers), proof.proof);
    if (!plain.holds) return fails(std::move(plain.fault));
    const double bound = detail::bound_within(proof.proof.bound, limits, proof.multipliers);
    if (!std::isfinite(bound)) return fails("the multipliers of the proof are too large to be added up; make it anew.");
    made.holds = true;
    made.bound = bound;
    return made;
}

}  // namespace inlay

#endif
