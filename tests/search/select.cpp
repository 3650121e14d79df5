// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/search/select.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "random_problem.hpp"
#include "repeated_problem.hpp"
#include "wide_problem.hpp"

namespace {

bool same(const std::optional<double>& a, const std::optional<double>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return std::fabs(*a - *b) <= 1e-9 * std::max(1.0, std::fabs(*b));
}

struct tally {
    std::size_t optimal = 0;
    std::size_t infeasible = 0;
    std::size_t by_dual_ascent = 0;
    std::size_t cut = 0;
    std::size_t inexact = 0;
};

/// Runs the last task first, each on a thread of its own, and counts them.
struct backwards {
    std::size_t ran = 0;
    [[nodiscard]] static std::size_t threads() { return 4; }
    template <class Task>
    void run(std::size_t count, Task&& task) {
        ran += count;
        std::vector<std::thread> running;
        for (std::size_t i = count; i-- > 0;) running.emplace_back([&task, i] { task(i); });
        for (std::thread& t : running) t.join();
    }
};

/// Multiplies some prices by up to 10^15, as users do who mean "only if there is nothing else".
void make_some_dear(inlay::problem& p, std::uint64_t seed) {
    inlay::random_numbers numbers{seed * 77 + 5};
    for (auto& c : p.candidates) {
        if (numbers.chance(25)) c.cost *= std::pow(10.0, numbers.below(16));
    }
    for (double& price : p.conversions) {
        if (numbers.chance(10) && std::isfinite(price)) price *= std::pow(10.0, numbers.below(14));
    }
}

/// Everything that answers to a few hundred problems say but for the time, in one number (FNV-1a over its bytes).
std::uint64_t digest_of_answers(inlay::executor_ref executor) {
    std::uint64_t digest = 0xCBF2'9CE4'8422'2325u;
    const auto note = [&](std::uint64_t word) {
        for (int byte = 0; byte < 8; ++byte) digest = (digest ^ ((word >> (8 * byte)) & 0xFFu)) * 0x0000'0100'0000'01B3u;
    };
    const auto note_price = [&](const std::optional<double>& price) {
        note(price ? std::bit_cast<std::uint64_t>(*price) : ~std::uint64_t{0});
    };
    for (std::uint64_t seed = 50000; seed < 50200; ++seed) {
        const bool repeats = seed % 10 == 0;
        const inlay::problem p = repeats ? inlay::random_repeated_problem(seed, 30) : inlay::random_small_problem(seed, 9);
        for (const double table_limit : {2e7, repeats ? 1e5 : 200.0}) {
            inlay::select_options options;
            options.marginals = seed % 3 == 0 && !repeats;
            options.table_limit = table_limit;
            options.executor = executor;
            const inlay::selection found = inlay::select(p, options);
            note(static_cast<std::uint64_t>(found.status));
            note_price(found.cost);
            note_price(found.lower_bound);
            for (const inlay::candidate_index c : found.chosen) note(c);
            for (const auto& marginal : found.marginals) note_price(marginal);
            for (const bool exact : found.marginals_exact) note(exact ? 1 : 0);
            note(found.effort.branches);
            note(found.effort.table_entries);
        }
    }
    return digest;
}

/// Compares the exact search with plain enumeration on random problems, everything that an answer says.
tally compare(std::uint64_t first, std::uint64_t last, std::uint32_t most_nodes, double table_limit, bool penalties = false) {
    tally seen;
    for (std::uint64_t seed = first; seed < last; ++seed) {
        CAPTURE(seed);
        inlay::problem p = inlay::random_small_problem(seed, most_nodes);
        if (penalties) make_some_dear(p, seed);
        REQUIRE(inlay::check(p).has_value());
        inlay::select_options options;
        options.marginals = true;
        options.table_limit = table_limit;
        const inlay::selection found = inlay::select(p, options);
        const auto tried = inlay::exhaustive(p);
        if (!tried) continue;
        CHECK(found.status == tried->status);
        CHECK(same(found.cost, tried->cost));
        CHECK(std::is_sorted(found.chosen.begin(), found.chosen.end()));
        // Without marginals less is looked at: dominated candidates are left out. The same cover is chosen.
        options.marginals = false;
        const inlay::selection alone = inlay::select(p, options);
        CHECK(alone.status == tried->status);
        CHECK(same(alone.cost, tried->cost));
        CHECK(alone.chosen == found.chosen);
        if (alone.cost) CHECK(alone.cost == inlay::cover_cost(inlay::problem_index(p), alone.chosen));
        REQUIRE(found.marginals.size() == p.candidates.size());
        if (found.cost) {
            CHECK(found.lower_bound.has_value());
            CHECK(*found.lower_bound <= *found.cost);
            CHECK(*found.cost <= *found.lower_bound + 1e-9 * std::max(1.0, *found.cost));
            CHECK(found.cost == inlay::cover_cost(inlay::problem_index(p), found.chosen));
            CHECK(found.reason.empty());
            ++seen.optimal;
        } else {
            CHECK(found.chosen.empty());
            CHECK_FALSE(found.lower_bound.has_value());
            CHECK(found.reason.back() == '.');
            ++seen.infeasible;
        }
        for (std::size_t c = 0; c < p.candidates.size(); ++c) {
            CAPTURE(c);
            if (found.marginals_exact.empty() || found.marginals_exact[c]) {
                CHECK(same(found.marginals[c], tried->marginals[c]));
                continue;
            }
            ++seen.inexact;
            REQUIRE(found.marginals[c].has_value());
            if (tried->marginals[c]) CHECK(*found.marginals[c] <= *tried->marginals[c] + 1e-9 * std::max(1.0, *tried->marginals[c]));
        }
        seen.by_dual_ascent += found.effort.passes > 0 ? 1u : 0u;
        seen.cut += found.effort.cuts > 0 ? 1u : 0u;
    }
    return seen;
}

inlay::problem worked() {
    inlay::problem p;
    p.nodes = 4;
    p.edges = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
    p.formats = 2;
    p.conversions = {0, 3, 3, 0};
    p.conversions_of = {{0, {0, 5, inlay::impossible, 0}}};
    p.candidates = {{{0}, 1.5, 0, 0, 0, {}, {}},
                    {{1, 2}, 2.0, 1, 1, 1, {{0, 0}}, {{2, 1}}},
                    {{3}, 1.0, 0, 0, 0, {}, {}},
                    {{2, 3}, 4.0, 1, 1, 1, {}, {}},
                    {{1}, 1.0, 0, 0, 0, {}, {}}};
    return p;
}

}  // namespace

TEST_CASE("the worked example of the format is solved as worked out") {
    inlay::select_options options;
    options.marginals = true;
    for (const auto rule : {inlay::selection_rule::exact, inlay::selection_rule::exhaustive}) {
        options.partitioner = rule;
        const inlay::selection found = inlay::select(worked(), options);
        CHECK(found.status == inlay::selection_status::optimal);
        CHECK(found.cost == 7.5);
        CHECK(found.lower_bound == 7.5);
        CHECK(found.chosen == std::vector<inlay::candidate_index>{0, 1, 2});
        CHECK(found.marginals == std::vector<std::optional<double>>{7.5, 7.5, 7.5, 14.5, 14.5});
        CHECK(found.marginals_exact.empty());
    }
}

TEST_CASE("exact selection equals plain enumeration on random problems with every feature") {
    const tally seen = compare(0, 6400, 8, 4e6);
    CHECK(seen.optimal > 3000);
    CHECK(seen.infeasible > 50);
    CHECK(seen.cut > 10);
    CHECK(seen.inexact == 0);
}

TEST_CASE("exact selection equals plain enumeration where tables are thought too wide for elimination") {
    const tally seen = compare(10000, 11500, 8, 0);
    CHECK(seen.optimal > 1000);
    CHECK(seen.by_dual_ascent > 1000);
    CHECK(seen.cut > 2);
}

TEST_CASE("exact selection equals plain enumeration where only some sub-problems are too wide") {
    const tally seen = compare(20000, 20500, 11, 100);
    CHECK(seen.optimal > 350);
    CHECK(seen.by_dual_ascent > 100);
}

TEST_CASE("exact selection equals plain enumeration where prices differ by many orders of magnitude") {
    CHECK(compare(30000, 31500, 8, 4e6, true).optimal > 1000);
    CHECK(compare(40000, 40300, 8, 0, true).optimal > 200);
}

TEST_CASE("the answer is the same, byte for byte, on every run, on any number of threads and with any compiler") {
    // Changes where the search is changed: it is told here so that one compiler can be held against another.
    constexpr std::uint64_t of_all_compilers = 325061553400908165u;
    for (int run = 0; run < 3; ++run) {
        CHECK(digest_of_answers({}) == of_all_compilers);
        backwards threads;
        CHECK(digest_of_answers(inlay::executor_ref(threads)) == of_all_compilers);
        CHECK(threads.ran > 0);
    }
}

TEST_CASE("no nodes: the empty cover is optimal and free") {
    const inlay::selection found = inlay::select(inlay::problem{});
    CHECK(found.status == inlay::selection_status::optimal);
    CHECK(found.cost == 0);
    CHECK(found.chosen.empty());
}

TEST_CASE("what cannot be covered is named, and why") {
    inlay::problem p = worked();
    p.candidates.erase(p.candidates.begin());
    inlay::selection found = inlay::select(p);
    CHECK(found.status == inlay::selection_status::infeasible);
    CHECK(found.uncoverable == inlay::node_id{0});
    CHECK(found.reason == "no candidate covers node 0; give one that does.");

    p = worked();
    p.nodes = 5;
    p.edges.push_back({3, 4});
    p.candidates.push_back({{4, 0}, 1, 0, 0, 0, {}, {}});
    found = inlay::select(p);
    CHECK(found.status == inlay::selection_status::infeasible);
    CHECK(found.uncoverable == inlay::node_id{4});
    CHECK(found.reason == "no candidate covers node 4 without closing a cycle with itself; give one that does.");
    p.acyclic = false;
    p.candidates[5].in = 1;
    CHECK(inlay::select(p).status == inlay::selection_status::optimal);

    p = worked();
    p.candidates = {{{0, 1}, 1, 0, 0, 0, {}, {}}, {{1, 2}, 1, 0, 0, 0, {}, {}}, {{3}, 1, 0, 0, 0, {}, {}}};
    found = inlay::select(p);
    CHECK(found.status == inlay::selection_status::infeasible);
    CHECK(found.reason.find("disjoint candidates") != std::string::npos);
}

TEST_CASE("the eager rule proves nothing, and no exact selection is dearer than it, nor than any back end's own candidates") {
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        const inlay::problem p = inlay::random_small_problem(seed, 9);
        inlay::select_options eager;
        eager.partitioner = inlay::selection_rule::eager;
        const inlay::selection quick = inlay::select(p, eager);
        const inlay::selection best = inlay::select(p);
        if (quick.status != inlay::selection_status::infeasible) {
            CHECK(quick.status == inlay::selection_status::gap);
            CHECK(quick.lower_bound == 0);
            CHECK((quick.cost.has_value() || !quick.reason.empty()));
        }
        if (quick.cost) {
            ++compared;
            REQUIRE(best.cost.has_value());
            CHECK(*best.cost <= *quick.cost + 1e-9);
        }
        for (inlay::backend_id only = 0; only < 3; ++only) {
            inlay::problem single = p;
            single.candidates.clear();
            for (const auto& c : p.candidates) {
                if (c.backend == only) single.candidates.push_back(c);
            }
            const inlay::selection alone = inlay::select(single);
            if (!alone.cost) continue;
            REQUIRE(best.cost.has_value());
            CHECK(*best.cost <= *alone.cost + 1e-9);
        }
    }
    CHECK(compared > 300);
}

TEST_CASE("the same problem has the same answer every time, effort included") {
    const inlay::problem p = inlay::random_network(inlay::topology::residual(6, 5), 3);
    inlay::select_options options;
    options.marginals = true;
    for (const double limit : {4e6, 0.0}) {
        options.table_limit = limit;
        const inlay::selection a = inlay::select(p, options);
        const inlay::selection b = inlay::select(p, options);
        CHECK(a.status == inlay::selection_status::optimal);
        CHECK(a.cost == b.cost);
        CHECK(a.chosen == b.chosen);
        CHECK(a.marginals == b.marginals);
        CHECK(a.effort == b.effort);
    }
}

TEST_CASE("the answer is the same on any number of threads, and they are used where the whole is too wide at once") {
    const inlay::problem p = inlay::random_network(inlay::topology::residual(6, 5), 3);
    backwards four;
    for (const double limit : {2e7, 2000.0, 0.0}) {
        CAPTURE(limit);
        inlay::select_options alone;
        alone.table_limit = limit;
        inlay::select_options together = alone;
        together.executor = inlay::executor_ref(four);
        const inlay::selection a = inlay::select(p, alone), b = inlay::select(p, together);
        CHECK(a.cost == b.cost);
        CHECK(a.chosen == b.chosen);
        CHECK(a.effort == b.effort);
    }
    CHECK(four.ran > 1);
}

TEST_CASE("elimination and dual ascent with branching agree on networks") {
    inlay::select_options wide;
    wide.table_limit = 2000;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        CAPTURE(seed);
        const auto random = inlay::topology::random_wiring(40, 6, seed);
        for (const auto& wiring : {inlay::topology::residual(5, 4), inlay::topology::inception(3), random}) {
            const inlay::problem p = inlay::random_network(wiring, seed);
            REQUIRE(inlay::check(p).has_value());
            const inlay::selection a = inlay::select(p);
            const inlay::selection b = inlay::select(p, wide);
            CHECK(a.status == inlay::selection_status::optimal);
            CHECK(b.status == inlay::selection_status::optimal);
            CHECK(same(a.cost, b.cost));
        }
    }
}

TEST_CASE("a search that is stopped encloses the optimum and is no worse than eager and known covers") {
    const inlay::problem p = inlay::random_network(inlay::topology::dense({4, 5}), 11);
    inlay::select_options options;
    options.table_limit = 100;
    options.budget_ms = 0;
    inlay::selection stopped = inlay::select(p, options);
    const inlay::selection best = inlay::select(p);
    REQUIRE(best.status == inlay::selection_status::optimal);
    REQUIRE(stopped.cost.has_value());
    CHECK(*stopped.lower_bound <= *best.cost * (1 + 1e-12));
    CHECK(*stopped.cost >= *best.cost * (1 - 1e-12));
    inlay::select_options eager;
    eager.partitioner = inlay::selection_rule::eager;
    const inlay::selection quick = inlay::select(p, eager);
    if (quick.cost) CHECK(*stopped.cost <= *quick.cost);

    options.known_covers = {{0}, {4000000000u}, best.chosen};
    const std::atomic<bool> cancel = true;
    options.budget_ms.reset();
    options.cancel = &cancel;
    stopped = inlay::select(p, options);
    CHECK(stopped.cost == best.cost);
    CHECK(stopped.chosen == best.chosen);
}

TEST_CASE("a search that is stopped after its first sub-problem is no worse than eager either") {
    std::size_t stopped_early = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        CAPTURE(seed);
        const inlay::problem p = inlay::random_small_problem(seed, 9);
        const std::atomic<bool> cancel = true;
        inlay::select_options options;
        options.cancel = &cancel;
        const inlay::selection stopped = inlay::select(p, options);
        if (stopped.status != inlay::selection_status::gap) continue;
        ++stopped_early;
        options.partitioner = inlay::selection_rule::eager;
        const inlay::selection quick = inlay::select(p, options);
        if (!quick.cost) continue;
        REQUIRE(stopped.cost.has_value());
        CHECK(*stopped.cost <= *quick.cost + 1e-9);
    }
    CHECK(stopped_early > 0);
}

TEST_CASE("plain enumeration that is refused says so") {
    inlay::select_options options;
    options.partitioner = inlay::selection_rule::exhaustive;
    const inlay::selection refused = inlay::select(inlay::random_network(inlay::topology::residual(6, 8), 1), options);
    CHECK(refused.status == inlay::selection_status::gap);
    CHECK_FALSE(refused.cost.has_value());
    CHECK(refused.reason.find("plain enumeration") != std::string::npos);
}

TEST_CASE("tables that would not fit the memory limit are not made: the best cover without a search is given, and a sentence") {
    const inlay::problem p = inlay::chain_of_many_formats(1);
    const auto all = inlay::select(p);
    REQUIRE(all.status == inlay::selection_status::optimal);
    CHECK(all.reason.empty());
    inlay::select_options options;
    options.memory_limit = 1e5;
    options.marginals = true;
    const auto some = inlay::select(p, options);
    CHECK(some.status == inlay::selection_status::gap);
    REQUIRE(some.cost);
    CHECK(*some.cost >= *all.cost);
    CHECK(*some.lower_bound == 0);
    CHECK(some.reason.find("memory limit") != std::string::npos);
    CHECK(some.marginals == std::vector<std::optional<double>>(p.candidates.size(), 0.0));
    CHECK(some.marginals_exact == std::vector<bool>(p.candidates.size(), false));
    // Nor is anything known where there was no time.
    inlay::select_options at_once;
    at_once.budget_ms = 0;
    at_once.marginals = true;
    const auto first = inlay::select(p, at_once);
    CHECK(first.status == inlay::selection_status::gap);
    CHECK(first.cost == some.cost);
    CHECK(first.marginals == some.marginals);
    CHECK(first.marginals_exact == some.marginals_exact);
    // Where only the messages are too large there is still an answer.
    options.memory_limit = 6e5;
    options.marginals = false;
    CHECK(inlay::select(p, options).status == inlay::selection_status::optimal);
}

TEST_CASE("a dear candidate and small prices do not make the answer coarse") {
    // In a unit for a total of 1e20 all that matters here is nothing.
    inlay::problem tiny;
    tiny.nodes = 2;
    tiny.edges = {{0, 1}};
    tiny.candidates = {{.nodes = {0}, .cost = 1}, {.nodes = {1}, .cost = 1}, {.nodes = {0, 1}, .cost = 1.5}, {.nodes = {1}, .cost = 1e20}};
    CHECK(*inlay::select(tiny).cost == 1.5);
    std::size_t compared = 0;
    inlay::each_coverable_problem(800, 6, [&](std::uint64_t seed, inlay::problem p) {
        inlay::random_numbers numbers{seed + 77};
        const double small = std::ldexp(1.0, -static_cast<int>(numbers.below(60)));
        for (inlay::problem_candidate& c : p.candidates) c.cost *= small;
        for (double& price : p.conversions) price *= small;
        for (inlay::node_conversions& own : p.conversions_of)
            for (double& price : own.prices) price *= small;
        inlay::problem_candidate dear = p.candidates[numbers.below(static_cast<std::uint32_t>(p.candidates.size()))];
        dear.cost = std::ldexp(1.0, static_cast<int>(numbers.below(80)));
        p.candidates.push_back(dear);
        const auto all = inlay::exhaustive(p);
        REQUIRE(all);
        const inlay::selection found = inlay::select(p);
        REQUIRE(found.status == all->status);
        if (!found.cost) return;
        CHECK(*found.cost <= *all->cost * (1 + 1e-10));
        ++compared;
    });
    CHECK(compared > 500);
}
