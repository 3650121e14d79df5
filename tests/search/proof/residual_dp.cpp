// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/residual_dp.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/cover_cost.hpp>
#include <inlay/search/exhaustive.hpp>
#include <inlay/search/proof/certify.hpp>
#include <inlay/search/select.hpp>

#include "search/random_problem.hpp"
#include "search/wide_problem.hpp"

TEST_CASE("without any prices it finds the cheapest cover, or that none is below the bound") {
    std::size_t found = 0;
    inlay::each_coverable_problem(900, 7, [&](std::uint64_t seed, inlay::problem p) {
        p.acyclic = false;
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        const inlay::proof_tables tables(p);
        const inlay::certificate_prices nothing{std::vector<std::int64_t>(p.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)};
        const auto look = [&](double bound, std::vector<inlay::candidate_index>* cover) {
            // Told roughly or not, and in blocks or not, the answer is the same.
            inlay::proof_prices prices(tables, 20, bound, seed % 2 == 0 ? std::size_t{1} << 13 : 0);
            inlay::residual_dp remainder(tables, prices, 1 + seed % 5);
            std::vector<std::uint8_t> alive(p.candidates.size(), 1);
            if (prices.apply(nothing, alive) >= prices.target()) return inlay::residual_dp::verdict::no_cover;
            const auto verdict = remainder(alive, 1'000'000);
            if (cover != nullptr) *cover = remainder.cover();
            return verdict;
        };
        if (!best->cost) {
            CHECK_MESSAGE(look(1e6, nullptr) == inlay::residual_dp::verdict::no_cover, "seed " << seed);
            return;
        }
        if (*best->cost == 0) return;
        ++found;
        std::vector<inlay::candidate_index> cover;
        CHECK_MESSAGE(look(*best->cost * (1 - 1e-4), nullptr) == inlay::residual_dp::verdict::no_cover, "seed " << seed);
        CHECK_MESSAGE(look(*best->cost * (1 + 1e-4) + 1e-3, &cover) == inlay::residual_dp::verdict::cover, "seed " << seed);
        const inlay::problem_index index(p);
        const auto cost = inlay::cover_cost(index, cover);
        REQUIRE(cost);
        CHECK_MESSAGE(*cost <= *best->cost * (1 + 1e-4) + 1e-3, "seed " << seed);
    });
    CHECK(found > 300);
}

TEST_CASE("with any prices, told roughly or not, it finds a cover below the bound just where there is one") {
    std::size_t found = 0, none = 0;
    inlay::each_coverable_problem(900, 7, [&](std::uint64_t seed, inlay::problem p) {
        p.acyclic = false;
        p.share_conversions = p.share_conversions || seed % 2 == 0;
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        if (!best->cost || *best->cost == 0) return;
        const inlay::proof_tables tables(p);
        inlay::random_numbers numbers{seed};
        inlay::certificate_prices sheet;
        for (std::size_t v = 0; v < p.nodes; ++v) sheet.of_node.push_back(static_cast<std::int64_t>(numbers.below(1 << 22)));
        for (std::size_t s = 0; s < tables.slots(); ++s)
            sheet.of_reader.push_back(static_cast<std::int64_t>(numbers.below(1 << 22)) - (1 << 20));
        for (const bool roughly : {false, true})
            for (const double share : {1 - 1e-4, 1 + 1e-4}) {
                const double bound = *best->cost * share + (share > 1 ? 1e-3 : 0);
                inlay::proof_prices prices(tables, 20, bound, roughly ? 0 : std::size_t{1} << 13);
                inlay::residual_dp remainder(tables, prices, 1 + seed % 3);
                std::vector<std::uint8_t> alive(p.candidates.size(), 1);
                const bool is_closed =
                    prices.apply(sheet, alive) >= prices.target() || remainder(alive, 1'000'000) == inlay::residual_dp::verdict::no_cover;
                CHECK_FALSE(prices.too_large());
                CHECK_MESSAGE(is_closed == (share < 1), "seed " << seed << " roughly " << roughly << " share " << share);
                ++(is_closed ? none : found);
            }
    });
    CHECK(found > 500);
    CHECK(none > 500);
}

TEST_CASE("it stops at as many states as it may look at") {
    const inlay::problem p = inlay::read_by_all_later();
    const inlay::proof_tables tables(p);
    inlay::proof_prices prices(tables, 20, 1e6);
    inlay::residual_dp remainder(tables, prices);
    std::vector<std::uint8_t> alive(p.candidates.size(), 1);
    const inlay::certificate_prices nothing{std::vector<std::int64_t>(p.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)};
    prices.apply(nothing, alive);
    CHECK(remainder(alive, 1000) == inlay::residual_dp::verdict::too_many_states);
    CHECK(remainder.states() > 1000);
    CHECK(remainder.states() < 50'000);
}

TEST_CASE("a long chain is looked through block by block") {
    // Per layer one way that the prices leave 1 above the least: the gap of the whole is what the layers have together.
    for (const bool share : {true, false}) {
        inlay::random_numbers numbers{17};
        inlay::problem p;
        p.nodes = 400;
        p.formats = 3;
        p.share_conversions = share;
        p.conversions = {0, 3, 4, 2, 0, 5, 3, 3, 0};
        for (inlay::node_id v = 0; v < p.nodes; ++v) {
            for (inlay::format_index f = 0; f < 3; ++f)
                p.candidates.push_back({.nodes = {v}, .cost = 1 + numbers.quarters(6), .backend = f, .in = f, .out = f});
            if (v == 0) continue;
            p.edges.push_back({v - 1, v});
            // A tensor that all read from time to time, which joins all blocks.
            if (v % 7 == 3) p.edges.push_back({0, v});
            if (v % 5 == 4) p.edges.push_back({v - 3, v});
            p.candidates.push_back(
                {.nodes = {v - 1, v}, .cost = 2 + numbers.quarters(9), .backend = v % 3, .in = v % 3, .out = (v + 1) % 3});
        }
        const inlay::selection best = inlay::select(p);
        REQUIRE(best.status == inlay::selection_status::optimal);
        const inlay::proof_tables tables(p);
        // The prices of a certificate of the whole, less some: what they leave open is what the walk is for.
        const auto proof = inlay::certify(p, *best.cost * (1 - 1e-9));
        REQUIRE(proof);
        inlay::certificate_prices sheet = proof->steps[0].prices[0];
        for (std::size_t s = 0; s < sheet.of_reader.size(); s += 29) sheet.of_reader[s] += std::int64_t{1} << (proof->exponent - 2);
        for (const double bound : {*best.cost * (1 - 1e-7), *best.cost * (1 + 1e-7)}) {
            inlay::proof_prices prices(tables, proof->exponent, bound);
            inlay::residual_dp remainder(tables, prices);
            std::vector<std::uint8_t> alive(p.candidates.size(), 1);
            REQUIRE(prices.apply(sheet, alive) < prices.target());
            const auto verdict = remainder(alive, 2'000'000);
            if (bound < *best.cost) {
                CHECK(verdict == inlay::residual_dp::verdict::no_cover);
            } else {
                CHECK(verdict == inlay::residual_dp::verdict::cover);
                CHECK(*inlay::cover_cost(inlay::problem_index(p), remainder.cover()) == *best.cost);
            }
            CHECK(remainder.states() < 200'000);
        }
    }
}
