// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/exact/exact.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/exhaustive.hpp>
#include <inlay/search/model/make_cover_network.hpp>

#include "search/random_problem.hpp"

namespace {

/// Everything that an exact search of a problem refers to.
struct searched {
    explicit searched(const inlay::problem& p, double table_limit)
        : index(p),
          unit(inlay::scaling::for_total(inlay::largest_price(index))),
          covers(inlay::make_cover_network(index, unit, convex())),
          end(std::nullopt, nullptr),
          search(index, covers, unit, {table_limit}, end, effort) {}

    [[nodiscard]] std::vector<bool> convex() const {
        std::vector<bool> admitted;
        for (const auto shape : inlay::shapes_of(index).of) {
            admitted.push_back(!index.of().acyclic || shape != inlay::candidate_shape::not_convex);
        }
        return admitted;
    }

    inlay::problem_index index;
    inlay::scaling unit;
    inlay::cover_network covers;
    inlay::deadline end;
    inlay::search_effort effort;
    inlay::exact_search search;
};

}  // namespace

TEST_CASE("requiring a candidate gives its marginal, forbidding it gives a cover without it, by elimination and by dual ascent") {
    std::size_t compared = 0;
    inlay::each_coverable_problem(400, 7, [&](std::uint64_t seed, const inlay::problem& p) {
        const auto tried = inlay::exhaustive(p);
        REQUIRE(tried.has_value());
        searched s(p, seed % 2 == 0 ? 1e6 : 0);
        for (inlay::candidate_index c = 0; c < p.candidates.size(); ++c) {
            if (s.covers.representative[c] != c) continue;
            CAPTURE(c);
            inlay::domain with = s.search.domains().whole();
            s.search.domains().require(with, c);
            const auto found = s.search.solve(with, {});
            CHECK(found.proved());
            CHECK((found.cost < inlay::infinite_cost) == tried->marginals[c].has_value());
            if (tried->marginals[c]) {
                CHECK(s.unit.back(found.cost) == doctest::Approx(*tried->marginals[c]).epsilon(1e-12));
                CHECK(s.search.price_of(found.chosen) == found.cost);
                CHECK(std::binary_search(found.chosen.begin(), found.chosen.end(), c));
            }
            inlay::domain without = s.search.domains().whole();
            s.search.domains().forbid(without, c);
            const auto other = s.search.solve(without, {});
            CHECK(other.proved());
            CHECK_FALSE(std::binary_search(other.chosen.begin(), other.chosen.end(), c));
            ++compared;
        }
    });
    CHECK(compared > 2000);
}

TEST_CASE("a search that may look at one sub-problem only still encloses the optimum") {
    inlay::each_coverable_problem(300, 8, [&](std::uint64_t, const inlay::problem& p) {
        const auto tried = inlay::exhaustive(p);
        REQUIRE(tried.has_value());
        searched s(p, 0);
        const auto found = s.search.solve(s.search.domains().whole(), {}, 1);
        if (tried->cost) {
            CHECK(s.unit.back(found.bound) <= *tried->cost * (1 + 1e-12));
            if (found.cost < inlay::infinite_cost) CHECK(s.unit.back(found.cost) >= *tried->cost * (1 - 1e-12));
        } else {
            CHECK(found.cost == inlay::infinite_cost);
        }
    });
}
