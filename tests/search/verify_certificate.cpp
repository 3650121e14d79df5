// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/verify_certificate.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>

#include "random_problem.hpp"

namespace {

/// Any certificate at all for a problem: of the right size, sensible in nothing else.
inlay::certificate random_certificate(const inlay::problem& p, double bound, inlay::random_numbers& numbers) {
    const inlay::proof_tables tables(p);
    inlay::certificate made;
    made.bound = bound;
    made.exponent = 20;
    const auto price = [&] { return (static_cast<std::int64_t>(numbers.below(1 << 24)) - (1 << 22)) / (1 + numbers.below(4)); };
    std::size_t open = 1;
    while (open > 0 && made.steps.size() < 12) {
        inlay::certificate_step step;
        for (std::uint32_t sheets = 1 + numbers.below(2); sheets > 0; --sheets) {
            inlay::certificate_prices sheet;
            for (std::size_t v = 0; v < p.nodes; ++v) sheet.of_node.push_back(price());
            for (std::size_t s = 0; s < tables.slots(); ++s) sheet.of_reader.push_back(numbers.chance(50) ? 0 : price());
            step.prices.push_back(std::move(sheet));
        }
        --open;
        if (numbers.chance(40)) {
            step.split = numbers.below(static_cast<std::uint32_t>(p.candidates.size()));
            open += 2;
        }
        made.steps.push_back(std::move(step));
    }
    return made;
}

/// Two nodes in a row that cost 1 and 2; the second alone costs 5 on another back end.
inlay::problem two_nodes() {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.candidates.resize(3);
    p.candidates[0] = {.nodes = {0}, .cost = 1};
    p.candidates[1] = {.nodes = {1}, .cost = 2};
    p.candidates[2] = {.nodes = {1}, .cost = 5, .backend = 1};
    return p;
}

inlay::certificate of_two_nodes(double bound) { return {bound, 4, {{{{{16, 32}, {0}}}, std::nullopt}}}; }

}  // namespace

TEST_CASE("a proof that adds up holds, and one of more does not") {
    const inlay::certificate_report report = inlay::verify_certificate(two_nodes(), of_two_nodes(3));
    CHECK_MESSAGE(report.holds, report.fault);
    CHECK(report.sub_problems == 1);
    CHECK(report.prices == 3);
    CHECK(report.states == 0);
    const inlay::certificate_report beyond = inlay::verify_certificate(two_nodes(), of_two_nodes(3.25));
    CHECK_FALSE(beyond.holds);
    CHECK(beyond.fault == "sub-problem 0 of the certificate is left open by its prices; the bound is not proved.");
}

TEST_CASE("prices that prove less than the bound are made up for by looking at what they leave") {
    inlay::certificate proof = of_two_nodes(3);
    proof.steps[0].prices[0].of_node = {0, 0};
    const inlay::certificate_report report = inlay::verify_certificate(two_nodes(), proof);
    CHECK_MESSAGE(report.holds, report.fault);
    proof.steps[0].prices[0].of_node = {16, 40};
    CHECK(inlay::verify_certificate(two_nodes(), proof).holds);
}

TEST_CASE("whatever a certificate says, what it proves is so") {
    std::size_t held = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const inlay::problem p = inlay::random_small_problem(seed, 6);
        if (inlay::first_uncovered(p) != inlay::no_node) continue;
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        inlay::random_numbers numbers{seed * 77 + 5};
        for (int i = 0; i < 20; ++i) {
            const double around = best->cost ? *best->cost * (0.5 + numbers.real(0.8)) : 10 + numbers.real(10);
            const inlay::certificate proof = random_certificate(p, around, numbers);
            const inlay::certificate_report report = inlay::verify_certificate(p, proof);
            ++(report.holds ? held : refused);
            if (report.holds && best->cost) CHECK_MESSAGE(proof.bound <= *best->cost * (1 + 1e-5), "seed " << seed << " try " << i);
        }
    }
    CHECK(held > 1000);
    CHECK(refused > 1000);
}

TEST_CASE("a certificate that is none is refused in a sentence") {
    const inlay::problem p = two_nodes();
    const auto fault = [&](const inlay::certificate& proof) {
        const inlay::certificate_report report = inlay::verify_certificate(p, proof);
        CHECK_FALSE(report.holds);
        return report.fault;
    };
    inlay::certificate proof = of_two_nodes(3);
    proof.exponent = 2000;
    CHECK(fault(proof) == "the bound of the certificate cannot be told in its unit; make the certificate anew.");
    proof = of_two_nodes(3);
    proof.bound = 1e300;
    CHECK(fault(proof) == "the bound of the certificate cannot be told in its unit; make the certificate anew.");
    proof = of_two_nodes(3);
    proof.steps[0].prices[0].of_node.pop_back();
    CHECK(fault(proof) == "sub-problem 0 of the certificate has too few or too many prices, or some too large; make the certificate anew.");
    proof = of_two_nodes(3);
    proof.steps[0].prices[0].of_reader[0] = std::int64_t{1} << 60;
    CHECK(fault(proof) == "sub-problem 0 of the certificate has too few or too many prices, or some too large; make the certificate anew.");
    proof = of_two_nodes(3);
    proof.steps[0].split = 7;
    CHECK(fault(proof) == "sub-problem 0 of the certificate is split at a candidate that there is not; make the certificate anew.");
    proof = of_two_nodes(3);
    proof.steps[0].split = 0;
    CHECK(fault(proof) == "the certificate ends before all of its sub-problems are proved; make it anew.");
    proof = of_two_nodes(3);
    proof.steps.push_back(proof.steps[0]);
    CHECK(fault(proof) == "sub-problem 1 of the certificate belongs to no split; make the certificate anew.");
    proof = of_two_nodes(3);
    proof.steps[0].prices.clear();
    CHECK(fault(proof) == "sub-problem 0 of the certificate has no prices; make the certificate anew.");
    CHECK(fault(inlay::certificate{3, 4, {}}) == "the certificate ends before all of its sub-problems are proved; make it anew.");
}

TEST_CASE("sums that leave their range where the rest is looked through prove nothing") {
    constexpr std::int64_t most = inlay::proof_prices::largest - 1;
    inlay::problem p;
    p.nodes = 12;
    p.edges = {{0, 10}, {1, 11}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {2, 7}, {2, 8}, {2, 9}};
    for (inlay::node_id v = 0; v < p.nodes; ++v) p.candidates.push_back({.nodes = {v}});
    inlay::certificate proof{0x1p58, 0, {}};
    proof.steps.push_back({{{std::vector<std::int64_t>(12, 0), {-most, -most, -most, -most, most, most, most, most, most}}}, {}});
    CHECK(inlay::verify_certificate(p, proof).fault == "sub-problem 0 of the certificate has prices too large to be added up; make the certificate anew.");
}

TEST_CASE("a bound that is nothing in its unit is refused") {
    inlay::problem p;
    p.nodes = 1;
    p.candidates.push_back({.nodes = {0}});
    CHECK_FALSE(inlay::verify_certificate(p, {1e-30, -999, {{{{{0}, {}}}, {}}}}).holds);
    CHECK(inlay::verify_certificate(p, {0, -999, {{{{{0}, {}}}, {}}}}).holds);
}

TEST_CASE("prices at the edge of their range end in an answer") {
    // Pairs that are owed almost all there is, in a chain of blocks.
    constexpr std::int64_t most = inlay::proof_prices::largest - (std::int64_t{1} << 55);
    inlay::problem p;
    p.nodes = 204;
    for (inlay::node_id v = 0; v < p.nodes; ++v) p.candidates.push_back({.nodes = {v}, .cost = v == 201 ? 0x1p58 - 256 : 0});
    std::vector<std::int64_t> of_node(p.nodes, 0);
    for (const inlay::node_id a : {192u, 194u, 196u, 198u, 200u}) {
        p.candidates.push_back({.nodes = {a, a + 1}, .cost = a == 200 ? 0x1p58 - 256 : 0});
        if (a != 200) of_node[a + 1] = -most;
    }
    CHECK_FALSE(inlay::verify_certificate(p, {0x1p58, 0, {{{{of_node, {}}}, {}}}}).holds);
}

TEST_CASE("what is too large to be checked is refused at once") {
    inlay::problem p;
    p.nodes = 0xFFFF'FFFEu;
    p.candidates.push_back({.nodes = {0}});
    CHECK_FALSE(inlay::verify_certificate(p, {1, 4, {{{}, {}}}}).holds);
    CHECK_FALSE(inlay::verify_certificate(two_nodes(), {3, 4, std::vector<inlay::certificate_step>(100'000'000'000 / 6'000'000)}).holds);
    // One tensor in many formats with many readers: sets of formats for each of many steps.
    inlay::problem wide;
    wide.nodes = 301;
    wide.formats = 14;
    wide.conversions = inlay::uniform_conversions(14, 1);
    for (inlay::node_id v = 0; v <= 300; ++v) {
        if (v > 0) wide.edges.push_back({0, v});
        for (inlay::format_index f = 0; f < 14; ++f) wide.candidates.push_back({.nodes = {v}, .cost = 1, .in = f, .out = f});
    }
    const inlay::proof_tables tables(wide);
    inlay::certificate proof{302, 20, {}};
    proof.steps.push_back({{{std::vector<std::int64_t>(wide.nodes, 0), std::vector<std::int64_t>(tables.slots(), 0)}}, {}});
    CHECK_FALSE(inlay::verify_certificate(wide, proof).holds);
}
