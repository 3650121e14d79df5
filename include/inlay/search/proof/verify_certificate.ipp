// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_VERIFY_CERTIFICATE_IPP
#define INLAY_SEARCH_PROOF_VERIFY_CERTIFICATE_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/search/proof/verify_certificate.hpp>

#include <inlay/search/proof/arc_consistency.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/proof/proof_cycles.hpp>
#include <inlay/search/proof/proof_prices.hpp>
#include <inlay/search/proof/proof_tables.hpp>
#include <inlay/search/proof/residual_dp.hpp>

namespace inlay {

/// Drops the candidates that overlap one. O(nodes of all candidates).
inline void leave_only(const proof_tables& tables, candidate_index required, std::vector<std::uint8_t>& alive) {
    std::vector<std::uint8_t> covered(tables.of().nodes, 0);
    for (const node_id v : tables.members(required)) covered[v] = 1;
    for (std::size_t c = 0; c < alive.size(); ++c) {
        const auto members = tables.members(static_cast<candidate_index>(c));
        if (c != required && std::any_of(members.begin(), members.end(), [&](node_id v) { return covered[v] != 0; })) alive[c] = 0;
    }
}

certificate_report verify_certificate(const problem& given, const certificate& proof, std::size_t most_states, std::size_t least_block) {
    certificate_report made;
    made.prices = proof.prices();
    const auto fails = [&](std::string why) {
        made.fault = std::move(why);
        return made;
    };
    if (!proof_prices::fits(proof.exponent, proof.bound))
        return fails("the bound of the certificate cannot be told in its unit; make the certificate anew.");
    const std::optional<std::size_t> borders = proof_tables::borders(given);
    if (!borders) return fails("the problem has nodes that no candidate covers, or too many borders between candidates to be checked.");
    // What a certificate may ask for, in bytes that are kept for sub-problems to come and in things that are gone through.
    constexpr std::size_t most_kept = std::size_t{1} << 30;
    const std::size_t kept_for_one = 128 + given.candidates.size() + given.nodes * sizeof(candidate_index);
    constexpr double most_work = 3e10;
    std::size_t rounds = proof.steps.size();
    for (const certificate_step& step : proof.steps) rounds += step.prices.size();
    const double size = static_cast<double>(*borders) + static_cast<double>(given.candidates.size()) +
                        static_cast<double>(given.edges.size()) + given.nodes;
    const std::string too_many = "the certificate has too many sub-problems for a problem of this size to be checked; make one with fewer.";
    if (static_cast<double>(rounds) * size > most_work) return fails(too_many);
    const proof_tables tables(given);
    arc_consistency partners(tables);
    if (proof.steps.size() > 1 && static_cast<double>(proof.steps.size()) * static_cast<double>(partners.pairs()) > most_work)
        return fails(too_many);
    proof_prices prices(tables, proof.exponent, proof.bound);
    std::optional<residual_dp> remainder;

    struct sub_problem {
        std::vector<std::uint8_t> alive;
        std::vector<candidate_index> required;
    };
    const auto too_large = [&] {
        return prices.too_much() ? " has too many prices, formats and readers to be added up in time; make the certificate anew."
                                 : " has prices too large to be added up; make the certificate anew.";
    };
    std::vector<sub_problem> open(1);
    open[0].alive = possible_candidates(tables);
    if (proof.contains) {
        if (*proof.contains >= given.candidates.size())
            return fails("the certificate is about a candidate that there is not; make it anew.");
        leave_only(tables, *proof.contains, open[0].alive);
        open[0].required.assign(1, *proof.contains);
    }
    for (std::size_t at = 0; at < proof.steps.size(); ++at) {
        const std::string here = "sub-problem " + std::to_string(at) + " of the certificate";
        if (open.empty()) return fails(here + " belongs to no split; make the certificate anew.");
        sub_problem sub = std::move(open.back());
        open.pop_back();
        ++made.sub_problems;
        if (at != 0 || proof.contains || partners.matter()) partners(sub.alive);
        const certificate_step& step = proof.steps[at];
        bool closed = false;
        for (const certificate_prices& sheet : step.prices) {
            if (!prices.reads(sheet)) return fails(here + " has too few or too many prices, or some too large; make the certificate anew.");
            closed = closed || prices.apply(sheet, sub.alive) >= prices.target();
        }
        if (prices.too_large()) return fails(here + too_large());
        if (step.split) {
            if ((open.size() + 2) * kept_for_one > most_kept)
                return fails(here + " is split too often to be checked; make the certificate anew.");
            if (*step.split >= given.candidates.size())
                return fails(here + " is split at a candidate that there is not; make the certificate anew.");
            // Candidates that are there together are disjoint, so that there are no more of them than nodes.
            if (sub.required.size() == given.nodes ||
                std::find(sub.required.begin(), sub.required.end(), *step.split) != sub.required.end())
                return fails(here + " is split at a candidate that is decided already; make the certificate anew.");
            sub_problem with = sub;
            with.required.push_back(*step.split);
            leave_only(tables, *step.split, with.alive);
            sub.alive[*step.split] = 0;
            open.push_back(std::move(with));
            open.push_back(std::move(sub));
            continue;
        }
        if (closed || (given.acyclic && !sub.required.empty() && close_a_cycle(given, sub.required))) continue;
        if (step.prices.empty()) return fails(here + " has no prices; make the certificate anew.");
        if (!remainder) remainder.emplace(tables, prices, least_block);
        const residual_dp::verdict verdict = (*remainder)(sub.alive, most_states);
        made.states += remainder->states();
        made.blocks += remainder->blocks();
        if (prices.too_large()) return fails(here + too_large());
        if (verdict == residual_dp::verdict::too_many_states)
            return fails(here + " is left open by its prices, and is too large to be looked through; make the certificate anew.");
        if (verdict == residual_dp::verdict::cover) return fails(here + " is left open by its prices; the bound is not proved.");
    }
    if (!open.empty()) return fails("the certificate ends before all of its sub-problems are proved; make it anew.");
    made.holds = true;
    return made;
}

}  // namespace inlay

#endif
