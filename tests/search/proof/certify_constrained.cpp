// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/certify_constrained.hpp>

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/constrained/select_constrained.hpp>

#include "search/all_covers.hpp"

TEST_CASE("proofs under constraints and limits hold, and never say too much") {
    std::size_t proofs = 0, of_all = 0, limited = 0;
    inlay::each_coverable_problem(500, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 321};
        std::vector<inlay::constraint> constraints;
        for (std::uint32_t count = numbers.below(3); count > 0; --count) {
            inlay::constraint one{static_cast<inlay::constraint_rule>(numbers.below(5)), {}, numbers.below(3), numbers.quarters(6)};
            for (inlay::node_id v = 0; v < p.nodes; ++v)
                if (numbers.chance(25)) one.nodes.push_back(v);
            if (!one.nodes.empty()) constraints.push_back(one);
        }
        std::vector<inlay::limit> limits;
        if (numbers.chance(60)) limits.push_back({inlay::random_quantity(p, numbers), numbers.real(20), ""});
        REQUIRE(inlay::check(constraints, p));
        const auto answer = inlay::select_constrained(p, constraints, limits);
        if (!answer.found.cost) return;
        const auto proof = inlay::certify_constrained(p, constraints, limits, answer.multipliers);
        if (!proof) return;
        ++proofs;
        const auto report = inlay::verify_certificate(p, constraints, limits, *proof);
        CHECK_MESSAGE(report.holds, "seed " << seed << ": " << report.fault);
        CHECK_MESSAGE(report.bound <= *answer.found.cost, "seed " << seed);
        limited += limits.empty() ? 0u : 1u;
        bool has_joins = false;
        for (const auto& one : constraints)
            has_joins = has_joins || one.rule == inlay::constraint_rule::colocate || one.rule == inlay::constraint_rule::separate;
        if (!has_joins && limits.empty()) {
            ++of_all;
            CHECK_MESSAGE(report.bound >= *answer.found.cost * (1 - 1e-8), "seed " << seed);
        }
        inlay::constrained_certificate too_much = *proof;
        too_much.proof.bound = too_much.proof.bound * 1.01 + 1;
        const auto lie = inlay::verify_certificate(p, constraints, limits, too_much);
        if (lie.holds) CHECK(lie.bound <= *answer.found.cost);
    });
    CHECK(proofs > 150);
    CHECK(of_all > 40);
    CHECK(limited > 80);
}

TEST_CASE("multipliers that are none are refused") {
    inlay::problem p;
    p.nodes = 1;
    p.candidates = {{.nodes = {0}, .cost = 2}, {.nodes = {0}, .cost = 3}};
    const std::vector<inlay::limit> limits = {{{.of_candidate = {4, 1}}, 2, ""}};
    const auto made = inlay::certify_constrained(p, {}, limits, std::vector<double>{1.0});
    REQUIRE(made);
    const auto report = inlay::verify_certificate(p, {}, limits, *made);
    REQUIRE(report.holds);
    CHECK(report.bound == doctest::Approx(2).epsilon(1e-6));
    for (const double wrong : {-1.0, std::nan(""), static_cast<double>(inlay::impossible)}) {
        CHECK_FALSE(inlay::certify_constrained(p, {}, limits, std::vector<double>{wrong}));
        auto bad = *made;
        bad.multipliers = {wrong};
        CHECK_FALSE(inlay::verify_certificate(p, {}, limits, bad).holds);
        bad.multipliers = {1, 1};
        CHECK_FALSE(inlay::verify_certificate(p, {}, limits, bad).holds);
    }
    auto huge = *made;
    huge.multipliers = {1e308};
    CHECK_FALSE(inlay::verify_certificate(p, {}, limits, huge).holds);
}
