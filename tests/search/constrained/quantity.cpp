// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/quantity.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "search/all_covers.hpp"

namespace {

/// By the words of the definition, with sets.
double plain_quantity(const inlay::problem& p, const inlay::quantity& m, const std::vector<inlay::candidate_index>& chosen) {
    double total = m.always;
    std::vector<inlay::candidate_index> owner(p.nodes);
    for (const auto c : chosen) {
        if (!m.of_candidate.empty()) total += m.of_candidate[c];
        for (const auto v : p.candidates[c].nodes) owner[v] = c;
    }
    const auto format = [](const std::vector<inlay::tensor_format>& exceptions, inlay::node_id u, inlay::format_index other) {
        for (const auto& e : exceptions)
            if (e.node == u) return e.format;
        return other;
    };
    // Node, format wanted, and the part that wants it where each pays for itself.
    std::set<std::tuple<inlay::node_id, inlay::format_index, inlay::candidate_index>> paid;
    for (const auto& e : p.edges) {
        if (owner[e.from] == owner[e.to]) continue;
        const auto& reader = p.candidates[owner[e.to]];
        paid.insert({e.from, format(reader.in_of, e.from, reader.in), p.share_conversions ? 0 : owner[e.to]});
    }
    for (const auto& [u, wanted, reader] : paid) {
        const auto& giver = p.candidates[owner[u]];
        const auto from = format(giver.out_of, u, giver.out);
        const std::vector<double>* table = m.conversions.empty() ? nullptr : &m.conversions;
        for (const auto& own : m.conversions_of)
            if (own.node == u) table = &own.prices;
        if (from != wanted && table != nullptr) total += (*table)[from * p.formats + wanted];
    }
    for (const auto& item : m.shared) {
        bool used = false;
        for (const auto c : item.users) used = used || std::find(chosen.begin(), chosen.end(), c) != chosen.end();
        if (used) total += item.amount;
    }
    return total;
}

}  // namespace

TEST_CASE("a quantity adds up what its definition says") {
    std::size_t looked_at = 0;
    inlay::each_coverable_problem(400, 6, [&](std::uint64_t seed, const inlay::problem& p) {
        const inlay::problem_index index(p);
        inlay::random_numbers numbers{seed + 77};
        const inlay::quantity m = inlay::random_quantity(p, numbers);
        REQUIRE(inlay::check(m, p));
        for (const auto& cover : inlay::all_covers(index)) {
            ++looked_at;
            CHECK(*inlay::quantity_of(index, m, cover.chosen) == doctest::Approx(plain_quantity(p, m, cover.chosen)).epsilon(1e-12));
        }
    });
    CHECK(looked_at > 5000);
}

TEST_CASE("what is no cover has no quantity") {
    inlay::problem p;
    p.nodes = 2;
    p.candidates = {{.nodes = {0}}, {.nodes = {0, 1}}};
    const inlay::problem_index index(p);
    const inlay::quantity m{.of_candidate = {1, 2}, .always = 4};
    CHECK_FALSE(inlay::quantity_of(index, m, std::vector<inlay::candidate_index>{0}));
    CHECK_FALSE(inlay::quantity_of(index, m, std::vector<inlay::candidate_index>{0, 1}));
    CHECK_FALSE(inlay::quantity_of(index, m, std::vector<inlay::candidate_index>{7}));
    CHECK(*inlay::quantity_of(index, m, std::vector<inlay::candidate_index>{1}) == 6);
}

TEST_CASE("unsound quantities are refused, in one sentence each") {
    inlay::problem p;
    p.nodes = 2;
    p.edges = {{0, 1}};
    p.formats = 2;
    p.conversions = inlay::uniform_conversions(2, 1);
    p.candidates = {{.nodes = {0}}, {.nodes = {1}}};
    const auto fault = [&](const inlay::quantity& m) {
        const auto sound = inlay::check(m, p);
        return sound ? std::string() : sound.failure().message;
    };
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(fault({}).empty());
    CHECK(fault({.of_candidate = {1, 2}, .conversions = {0, 1, 1, 0}, .conversions_of = {{1, {0, 2, 2, 0}}}, .shared = {{3, {0, 1}}}})
              .empty());
    CHECK(fault({.of_candidate = {1}}) == "of_candidate has 1 amounts, but there are 2 candidates; give one for each, or none.");
    CHECK(fault({.of_candidate = {1, inf}}) == "of_candidate[1] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.of_candidate = {1, std::nan("")}}) == "of_candidate[1] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.of_candidate = {-1, 1}}) == "of_candidate[0] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.always = -inf}) == "always is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.conversions = {0, 1, 1}}).find("conversions has 3 prices") == 0);
    CHECK(fault({.conversions = {0, inf, 1, 0}}) == "conversions[0][1] is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.conversions = {1, 1, 1, 0}}).find("conversions[0][0] is not 0") == 0);
    CHECK(fault({.conversions_of = {{2, {0, 1, 1, 0}}}}).find("conversions of node 2 is 2, but the nodes are numbered 0 to 1") == 0);
    CHECK(fault({.conversions_of = {{1, {0, 1, 1, 0}}, {1, {0, 1, 1, 0}}}}) == "conversions_of names node 1 more than once; name it once.");
    CHECK(fault({.shared = {{1, {}}}}) == "shared[0] has no users, and would never count; name some, or leave it out.");
    CHECK(fault({.shared = {{1, {2}}}}).find("shared[0].users is 2") == 0);
    CHECK(fault({.shared = {{1, {1, 1}}}}) == "shared[0].users names candidate 1 more than once; name it once.");
    CHECK(fault({.shared = {{-1, {1}}}}) == "shared[0].amount is no finite number of at least 0, but an amount is; give one.");
    CHECK(fault({.of_candidate = {9e299, 9e299}}) ==
          "the amounts may add up to more than 1e300, so that totals would leave the range of double; choose a larger unit.");
    CHECK(fault({.conversions = {0, 1.7e308, 0, 0}}).find("the amounts may add up") == 0);
    inlay::problem nothing;
    CHECK(inlay::check(inlay::quantity{}, nothing));
    CHECK_FALSE(inlay::check(inlay::quantity{.of_candidate = {1}}, nothing));
}
