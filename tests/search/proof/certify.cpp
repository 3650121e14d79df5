// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/certify.hpp>

#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>

#include "search/random_problem.hpp"

TEST_CASE("every optimum has a certificate that holds, and what is above it is not proved") {
    std::size_t proved = 0, split = 0, looked = 0;
    inlay::each_coverable_problem(3000, 8, [&](std::uint64_t seed, const inlay::problem& p) {
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        if (!best->cost) return;
        const double below = *best->cost * (1 - 1e-9);
        const std::optional<inlay::certificate> proof = inlay::certify(p, below);
        CHECK_MESSAGE(proof, "seed " << seed);
        if (!proof) return;
        const inlay::certificate_report report = inlay::verify_certificate(p, *proof);
        CHECK_MESSAGE(report.holds, "seed " << seed << ": " << report.fault);
        ++proved;
        split += proof->steps.size() > 1 ? 1u : 0u;
        looked += report.states > 0 ? 1u : 0u;
        CHECK_MESSAGE(proof->bound == below, "seed " << seed);
        if (*best->cost == 0) return;
        // More than there is to prove: what is proved is so.
        const std::optional<inlay::certificate> less = inlay::certify(p, *best->cost * 1.01);
        if (!less) return;
        CHECK_MESSAGE(less->bound <= *best->cost, "seed " << seed);
        CHECK_MESSAGE(inlay::verify_certificate(p, *less).holds, "seed " << seed);
    });
    CHECK(proved > 1500);
    MESSAGE(proved << " proved, " << split << " with a split, " << looked << " with a look at what prices left");
}

TEST_CASE("every marginal has a certificate that holds, and what is above it is not proved") {
    std::size_t proved = 0, above = 0;
    inlay::each_coverable_problem(400, 7, [&](std::uint64_t seed, const inlay::problem& p) {
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        for (std::size_t i = 0; i < p.candidates.size(); ++i) {
            const auto c = static_cast<inlay::candidate_index>(i);
            if (!best->marginals[c]) continue;
            const double below = *best->marginals[c] * (1 - 1e-9);
            const auto proof = inlay::certify(p, below, inlay::deadline({}, nullptr), c);
            REQUIRE_MESSAGE(proof, "seed " << seed << ", candidate " << c);
            CHECK(proof->bound == below);
            CHECK(proof->contains == c);
            const auto report = inlay::verify_certificate(p, *proof);
            CHECK_MESSAGE(report.holds, "seed " << seed << ", candidate " << c << ": " << report.fault);
            ++proved;
            if (below <= *best->cost) continue;
            // About all covers the same prices prove too much.
            inlay::certificate of_all = *proof;
            of_all.contains.reset();
            CHECK_FALSE(inlay::verify_certificate(p, of_all).holds);
            ++above;
        }
    });
    CHECK(proved > 2000);
    CHECK(above > 1000);
}
