// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/constrained/column_pool.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace {

/// Two nodes, each dear and frugal (candidates 0 and 2) or cheap and hungry (1 and 3).
struct bench {
    bench() {
        p.nodes = 2;
        p.edges = {{0, 1}};
        for (inlay::node_id v = 0; v < 2; ++v) {
            p.candidates.push_back({.nodes = {v}, .cost = 4});
            p.candidates.push_back({.nodes = {v}, .cost = 1});
        }
        energy.of_candidate = {1, 8, 1, 8};
        task.admitted.assign(4, 1);
        task.limited = {0};
        task.most = {9};
    }

    inlay::problem p;
    inlay::quantity energy;
    inlay::limited_task task;
};

}  // namespace

TEST_CASE("the best of the covers is the cheapest that keeps the limits, and the mix may be cheaper") {
    const bench b;
    const inlay::problem_index index(b.p);
    const std::vector<const inlay::quantity*> quantities = {&b.energy};
    inlay::detail::column_pool pool(index, quantities, b.task);
    pool.choose_scales({1, 3});
    CHECK(pool.add({1, 3}).second);
    CHECK_FALSE(pool.best());
    CHECK(pool.add({0, 2}).second);
    CHECK(pool.best() == 1);
    CHECK_FALSE(pool.add({1, 3}).second);
    CHECK(pool.covers().size() == 2);
    // The cheapest at no weights breaks the limit; half of each keeps it.
    pool.note_broken(0);
    const std::vector<std::size_t> columns = pool.columns_of(b.task.admitted, {});
    CHECK(columns == std::vector<std::size_t>{0, 1});
    const inlay::restricted_master mix = pool.mixed(columns);
    REQUIRE(mix.keeps_limits);
    CHECK(mix.shares[0] == doctest::Approx(0.5));
    CHECK(mix.shares[1] == doctest::Approx(0.5));
    const auto weights = pool.next_weights(mix, {});
    REQUIRE(weights.size() == 1);
    CHECK(weights[0].first == 0);
    CHECK(weights[0].second > 0);
    CHECK(pool.add({0, 3}).first == 2);
    CHECK(pool.best() == 2);
    CHECK(pool.closes(pool.covers()[2].value));
    CHECK_FALSE(pool.closes(pool.covers()[2].value * 0.9));
    // Without candidate 3 only one of the covers is left.
    CHECK(pool.columns_of(std::vector<std::uint8_t>{1, 1, 1, 0}, {}) == std::vector<std::size_t>{1});
}

TEST_CASE("a cover that breaks a join is not the best, and the join is told with the nodes that break it") {
    bench b;
    b.p.candidates[1].backend = b.p.candidates[3].backend = 1;
    const inlay::problem_index index(b.p);
    const std::vector<const inlay::quantity*> quantities = {&b.energy};
    const inlay::constraint together{inlay::constraint_rule::colocate, {0, 1}}, apart{inlay::constraint_rule::separate, {0, 1}};
    b.task.most = {100};
    for (const inlay::constraint* join : {&together, &apart}) {
        b.task.joins = {join};
        inlay::detail::column_pool pool(index, quantities, b.task);
        pool.choose_scales({1, 3});
        const bool is_apart = join == &apart;
        const std::vector<inlay::candidate_index> same = {1, 3}, different = {0, 3};
        const auto& breaks = is_apart ? same : different;
        CHECK(pool.add(breaks).second);
        CHECK_FALSE(pool.best());
        const auto broken = pool.first_broken(breaks);
        REQUIRE(broken);
        CHECK(broken->rule == join);
        CHECK(broken->first == 0);
        CHECK(broken->second == 1);
        CHECK(broken->backend == 1);
        CHECK_FALSE(pool.first_broken(is_apart ? different : same));
        CHECK(pool.add(is_apart ? different : same).second);
        CHECK(pool.best() == 1);
        CHECK(pool.best_own_value() == (is_apart ? 5 : 2));
        CHECK(pool.best_value() == pool.best_own_value() / pool.value_scale());
    }
}

TEST_CASE("rows are the limits, and weigh what is always there less what is allowed for") {
    bench b;
    b.energy.always = 2;
    const inlay::problem_index index(b.p);
    const std::vector<const inlay::quantity*> quantities = {&b.energy};
    inlay::detail::column_pool pool(index, quantities, b.task);
    REQUIRE(pool.rows().size() == 1);
    CHECK(pool.rows()[0].is_limit);
    CHECK(pool.rows()[0].most == 9);
    CHECK(pool.rows()[0].what == &b.energy);
    CHECK(pool.weigh({{0, 3}}) == doctest::Approx(3 * (2 - 9)));
    const inlay::problem combined = pool.combine(1, {{0, 0.5}});
    for (std::size_t c = 0; c < 4; ++c)
        CHECK(combined.candidates[c].cost == doctest::Approx(b.p.candidates[c].cost + 0.5 * b.energy.of_candidate[c]));
}
