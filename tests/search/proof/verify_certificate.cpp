// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/proof/verify_certificate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>
#include <inlay/search/proof/certify.hpp>
#include <inlay/search/proof/verify_cover.hpp>

#include "search/random_problem.hpp"

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

/// A small problem that falls into blocks: a chain with a few skips, and a tensor that many read.
inlay::problem small_chain(std::uint64_t seed) {
    inlay::random_numbers numbers{seed * 31 + 7};
    std::pair<std::uint32_t, inlay::topology::edges> wiring{4 + numbers.below(4), {}};
    const bool has_hub = numbers.chance(40);
    for (inlay::node_id v = 1; v < wiring.first; ++v) {
        wiring.second.push_back({v - 1, v});
        if (v > 1 && numbers.chance(15)) wiring.second.push_back({v - 2, v});
        if (has_hub && v > 2 && numbers.chance(60)) wiring.second.push_back({0, v});
    }
    inlay::random_candidates shape;
    shape.formats = 2 + numbers.below(2);
    shape.fusions = numbers.below(3);
    shape.share_conversions = numbers.chance(60);
    shape.acyclic = numbers.chance(50);
    inlay::problem p = inlay::random_network(wiring, seed, shape);
    // An edge once only.
    std::sort(p.edges.begin(), p.edges.end(),
              [](const auto& a, const auto& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
    p.edges.erase(std::unique(p.edges.begin(), p.edges.end()), p.edges.end());
    if (numbers.chance(30)) p.conversions[1] = inlay::impossible;
    return p;
}

/// A certificate that is true but for some of its prices, with splits thrown in.
inlay::certificate bent(inlay::certificate proof, std::size_t candidates, inlay::random_numbers& numbers) {
    constexpr std::int64_t most = inlay::proof_prices::largest - 1;
    const std::uint32_t kind = numbers.below(5);
    const auto bend = [&](std::int64_t& price) {
        if (!numbers.chance(kind == 4 ? 60 : 12)) return;
        const std::int64_t far = most - static_cast<std::int64_t>(numbers.below(3)) * static_cast<std::int64_t>(numbers.below(1u << 31));
        const std::int64_t near = static_cast<std::int64_t>(numbers.below(1u << 31)) - (1 << 30);
        const std::int64_t sum = kind == 0   ? price
                                 : kind == 1 ? (numbers.chance(50) ? far : -far)
                                 : kind == 2 ? price + near * 4096
                                 : kind == 3 ? price + near
                                             : price / 2;
        price = std::clamp(sum, -most, most);
    };
    for (inlay::certificate_step& step : proof.steps)
        for (inlay::certificate_prices& sheet : step.prices) {
            for (std::int64_t& price : sheet.of_node) bend(price);
            for (std::int64_t& price : sheet.of_reader) bend(price);
        }
    // A step that is split anew, at any candidate: its prices stand for both halves too.
    for (std::uint32_t times = numbers.below(3); times > 0; --times) {
        std::size_t at = 0;
        while (at < proof.steps.size() && proof.steps[at].split) ++at;
        const inlay::certificate_step leaf = proof.steps[at];
        proof.steps[at].split = numbers.below(static_cast<std::uint32_t>(candidates));
        if (numbers.chance(30)) proof.steps[at].prices.clear();
        proof.steps.insert(proof.steps.begin() + static_cast<std::ptrdiff_t>(at) + 1, 2, leaf);
    }
    return proof;
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

TEST_CASE("a certificate that was true once proves nothing false, block by block neither") {
    std::size_t held = 0, refused = 0, blocks = 0, splits = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        const inlay::problem p = seed % 3 == 0 ? inlay::random_small_problem(seed, 7) : small_chain(seed);
        if (inlay::first_uncovered(p) != inlay::no_node) continue;
        const auto best = inlay::exhaustive(p);
        REQUIRE(best);
        if (!best->cost || *best->cost == 0) continue;
        const auto proof = inlay::certify(p, *best->cost * (1 - inlay::certificate_slack));
        if (!proof) continue;
        for (const std::size_t least_block : {1u, 2u, 3u}) CHECK(inlay::verify_certificate(p, *proof, 100'000, least_block).holds);
        inlay::random_numbers numbers{seed};
        for (int i = 0; i < 30; ++i) {
            inlay::certificate other = bent(*proof, p.candidates.size(), numbers);
            const double shares[] = {1 - 1e-9, 1 + 1e-6, 1 + 1e-3, 1.1, 0.97};
            other.bound = *best->cost * shares[numbers.below(5)];
            const int exponents[] = {proof->exponent, proof->exponent, proof->exponent, proof->exponent + 4, 20, 3, 0, -60, -999, 999};
            other.exponent = exponents[numbers.below(10)];
            const inlay::certificate_report report =
                inlay::verify_certificate(p, other, numbers.chance(10) ? 20 : 100'000, 1 + numbers.below(4));
            ++(report.holds ? held : refused);
            if (report.holds) CHECK_MESSAGE(other.bound <= *best->cost, "try " << i);
            blocks += report.blocks;
            splits += report.sub_problems > 1 ? 1u : 0u;
        }
    }
    CHECK(held > 3000);
    CHECK(refused > 3000);
    CHECK(blocks > 3000);
    CHECK(splits > 3000);
}

TEST_CASE("a large problem of a bad kind is checked in one go") {
    constexpr std::uint32_t many = 20'000;
    const auto holds = [](const inlay::problem& p, const std::vector<inlay::candidate_index>& cover) {
        const inlay::cover_report known = inlay::verify_cover(p, cover);
        REQUIRE_MESSAGE(known.covers, known.fault);
        const std::vector<std::int64_t> slots(inlay::proof_tables(p).slots(), 0);
        // Split once, so that partners are looked for.
        const inlay::certificate_prices sheet{std::vector<std::int64_t>(p.nodes, (std::int64_t{1} << 20) - 100), slots};
        const inlay::certificate_report report =
            inlay::verify_certificate(p, {known.cost * 0.999, 20, {{{sheet}, 0}, {{sheet}, {}}, {{sheet}, {}}}});
        CHECK_MESSAGE(report.holds, report.fault);
    };
    std::vector<inlay::candidate_index> cover(many);
    for (std::uint32_t v = 0; v < many; ++v) cover[v] = v;
    inlay::problem p;
    p.nodes = many;
    p.formats = 2;
    p.conversions = {0, inlay::impossible, inlay::impossible, 0};
    for (inlay::node_id v = 0; v < many; ++v) p.candidates.push_back({.nodes = {v}, .cost = 1});
    SUBCASE("a chain of conversions that fall one after the other") {
        for (inlay::node_id v = 1; v < many; ++v) p.edges.push_back({v - 1, v});
        // Node 0 is missing, and so are all.
        for (inlay::node_id v = 1; v < many; ++v) p.candidates.push_back({.nodes = {v}, .cost = 0, .in = 1, .out = 1});
    }
    SUBCASE("one node that reads all") {
        for (inlay::node_id v = 0; v + 1 < many; ++v) p.edges.push_back({v, many - 1});
    }
    SUBCASE("one tensor that all read, half of them inside") {
        p.acyclic = false;
        p.conversions = inlay::uniform_conversions(2, 1);
        for (inlay::node_id v = 1; v < many; ++v) p.edges.push_back({0, v});
        p.candidates.push_back({.nodes = {}, .cost = many});
        for (inlay::node_id v = 0; v < many; v += 2) p.candidates.back().nodes.push_back(v);
    }
    SUBCASE("one node in many candidates") {
        for (std::uint32_t i = 0; i < many; ++i) p.candidates.push_back({.nodes = {7}, .cost = 1 + i * 1e-6});
    }
    SUBCASE("candidates that span all there is") {
        for (inlay::node_id v = 1; v + 1 < many; ++v) p.edges.push_back({v - 1, v});
        for (inlay::node_id v = 0; v + 1 < many; v += 2) p.candidates.push_back({.nodes = {v, many - 1}, .cost = 2});
    }
    holds(p, cover);
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
    CHECK(inlay::verify_certificate(p, proof).fault ==
          "sub-problem 0 of the certificate has prices too large to be added up; make the certificate anew.");
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

TEST_CASE("a certificate that splits again and again at what is decided, or more often than there is room for, is refused soon") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {1}, .cost = 2}, {.nodes = {1}, .cost = 5, .backend = 1}};
    const inlay::certificate_prices good{{16, 32}, {0}};
    inlay::certificate deep{3, 4, {}, {}};
    for (int i = 0; i < 1000; ++i) {
        deep.steps.push_back({{}, inlay::candidate_index{0}});
        deep.steps.push_back({{good}, {}});
    }
    deep.steps.push_back({{good}, {}});
    const inlay::certificate_report twice = inlay::verify_certificate(p, deep);
    CHECK_FALSE(twice.holds);
    CHECK(twice.fault.find("is decided already") != std::string::npos);
    CHECK(twice.sub_problems < 5);

    // Every candidate in a format of its own: many pairs of formats to go through for each of the sub-problems.
    inlay::problem wide;
    wide.nodes = 2;
    wide.edges = {{0, 1}};
    wide.formats = 2000;
    wide.conversions = inlay::uniform_conversions(wide.formats, 1.0);
    for (std::uint32_t f = 0; f < wide.formats; ++f)
        for (inlay::node_id v = 0; v < 2; ++v) wide.candidates.push_back({.nodes = {v}, .cost = 1, .in = f, .out = f});
    inlay::certificate many{1, 4, {}, {}};
    for (std::uint32_t i = 0; i < 100'000; ++i) many.steps.push_back({{}, i % 4000});
    const inlay::certificate_report refused = inlay::verify_certificate(wide, many);
    CHECK_FALSE(refused.holds);
    CHECK(refused.fault.find("too many sub-problems") != std::string::npos);
    CHECK(refused.sub_problems == 0);
}
