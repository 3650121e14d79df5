// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/side_by_side.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/runtime/tbb.hpp>

#include "random_program.hpp"

using namespace inlay;

namespace {

using reads_list = std::vector<std::vector<std::uint32_t>>;

/// The least predicted time of all schedules, by going through all sets of steps that may be done and all groups that may come next.
struct exhaustive {
    const reads_list& reads;
    const std::vector<step_cost>& costs;
    lane_costs where;

    /// The least longest lane of so many components.
    double packed(const std::vector<double>& components, std::size_t next, std::vector<double>& lanes, double best) const {
        const double longest = *std::max_element(lanes.begin(), lanes.end());
        if (longest >= best) return best;
        if (next == components.size()) return longest;
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            lanes[l] += components[next];
            best = packed(components, next + 1, lanes, best);
            lanes[l] -= components[next];
            if (lanes[l] == 0) break;  // the other empty lanes are like this one
        }
        return best;
    }
    double group(std::uint32_t steps) const {
        std::vector<std::size_t> root(reads.size());
        const auto find = [&](std::size_t i) {
            while (root[i] != i) i = root[i];
            return i;
        };
        for (std::size_t i = 0; i < reads.size(); ++i) {
            root[i] = i;
            if (!(steps >> i & 1)) continue;
            if (costs[i].runs_alone) return std::numeric_limits<double>::infinity();
            for (const std::uint32_t r : reads[i])
                if (steps >> r & 1) root[find(r)] = i;
        }
        std::vector<double> sums(reads.size()), components;
        for (std::size_t i = 0; i < reads.size(); ++i)
            if (steps >> i & 1) sums[find(i)] += costs[i].one_thread;
        for (std::size_t i = 0; i < reads.size(); ++i)
            if ((steps >> i & 1) && root[i] == i) components.push_back(sums[i]);
        if (components.size() < 2 || where.threads < 2) return std::numeric_limits<double>::infinity();
        std::vector<double> lanes(std::min(where.threads, components.size()));
        return where.barrier + packed(components, 0, lanes, std::numeric_limits<double>::infinity());
    }
    double least() const {
        const std::uint32_t all = (1u << reads.size()) - 1;
        std::vector<double> best(all + 1, std::numeric_limits<double>::infinity());
        best[0] = 0;
        for (std::uint32_t done = 0; done < all; ++done) {
            if (std::isinf(best[done])) continue;
            const std::uint32_t left = all & ~done;
            for (std::uint32_t next = left; next != 0; next = (next - 1) & left) {
                bool legal = true;
                for (std::size_t i = 0; i < reads.size(); ++i)
                    for (const std::uint32_t r : reads[i]) legal = legal && (!(next >> i & 1) || ((done | next) >> r & 1));
                if (!legal) continue;
                const double seconds =
                    std::has_single_bit(next) ? costs[static_cast<std::size_t>(std::countr_zero(next))].all_threads : group(next);
                best[done | next] = std::min(best[done | next], best[done] + seconds);
            }
        }
        return best[all];
    }
};

struct random_case {
    reads_list reads;
    std::vector<step_cost> costs;
    lane_costs where;

    random_case(std::uint64_t seed, std::size_t steps) {
        detail::splitmix random{seed};
        where.threads = random.below(10) == 0 ? 1 : 2 + random.below(3);
        where.barrier = random.unit();
        const std::size_t chains = 1 + random.below(6);
        for (std::uint32_t i = 0; i < steps; ++i) {
            std::vector<std::uint32_t>& from = reads.emplace_back();
            for (std::uint32_t r = 0; r < i; ++r)
                if (random.below(i + 3) == 0 || (r + chains == i && random.below(3) != 0)) from.push_back(r);
            step_cost c;
            c.one_thread = static_cast<double>(random.below(9)) * 0.5;
            const double share = random.below(3) != 0 ? 1 : static_cast<double>(where.threads) * (0.4 + 0.6 * random.unit());
            c.all_threads = c.one_thread / std::max(share, 1.0) + 0.1 * random.unit();
            c.runs_alone = random.below(8) == 0;
            costs.push_back(c);
        }
    }
};

}  // namespace

TEST_CASE("a schedule that is decided is legal, and predicted to take between the least there is and the serial one") {
    std::size_t equal = 0, cases = 0;
    double worst = 1;
    const auto look = [&](const random_case& c) {
        const decided_schedule found = side_by_side(c.reads, c.costs, c.where);
        RC_ASSERT(check_schedule(found.schedule, c.reads, [](std::size_t) { return true; }).has_value());
        RC_ASSERT(found.schedule.most_lanes() <= std::max<std::size_t>(c.where.threads, 1));
        RC_ASSERT(std::abs(predicted_seconds(found.schedule, c.costs, c.where) - found.seconds) <= 1e-9 * found.seconds);
        RC_ASSERT(found.seconds <= found.serial_seconds);
        for (const step_group& g : found.schedule.groups)
            for (const auto& lane : g.lanes)
                for (const std::uint32_t i : lane) RC_ASSERT(g.lanes.size() == 1 || !c.costs[i].runs_alone);
        RC_ASSERT(side_by_side(c.reads, c.costs, c.where).schedule == found.schedule);
        const double least = exhaustive{c.reads, c.costs, c.where}.least();
        RC_ASSERT(found.seconds >= least - 1e-9);
        if (least >= found.serial_seconds - 1e-9) return;  // nothing to be gained
        ++cases;
        equal += found.seconds <= least + 1e-9;
        worst = std::max(worst, least > 0 ? found.seconds / least : 1);
    };
    CHECK(rc::check("random small step graphs", [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const auto steps = *rc::gen::inRange<std::size_t>(0, 10);
        for (std::uint64_t more = 0; more < 4; ++more) look(random_case(seed + more, steps));
    }));
    MESSAGE("the least there is in " << equal << " of " << cases << " graphs where lanes are cheaper; at most " << worst << " times that");
    CHECK(cases > 20);
    CHECK(10 * equal >= 8 * cases);
    CHECK(worst < 1.34);
}

TEST_CASE("branches of chains are a lane each, steps that share well stand alone, and threads that are few take several chains") {
    // A step that shares well, three chains of two steps, and a sum of all.
    const reads_list reads{{}, {0}, {1}, {0}, {3}, {0}, {5}, {2, 4, 6}};
    std::vector<step_cost> costs(8, {1, 1});
    costs[0] = {1, 4};
    const decided_schedule four = side_by_side(reads, costs, {4, 0.5});
    CHECK(four.schedule.groups == std::vector<step_group>{{{{0}}}, {{{1, 2}, {3, 4}, {5, 6}}}, {{{7}}}});
    CHECK(four.seconds == 4.5);
    CHECK(four.serial_seconds == 8);
    const decided_schedule two = side_by_side(reads, costs, {2, 0.5});
    CHECK(two.schedule.most_lanes() == 2);
    CHECK(two.seconds == 6);  // four steps in two lanes, then the last two of the chains
    CHECK(side_by_side(reads, costs, {1, 0}).schedule == step_schedule::serial(8));
    CHECK(side_by_side(reads, costs, {4, 4}).schedule == step_schedule::serial(8));
    // Nothing may run beside a step that keeps a library's threads busy.
    costs[3].runs_alone = costs[4].runs_alone = true;
    const decided_schedule less = side_by_side(reads, costs, {4, 0.5});
    CHECK(less.seconds == 6.5);
    for (const step_group& g : less.schedule.groups)
        for (const auto& lane : g.lanes) CHECK((g.lanes.size() == 1 || (lane != std::vector<std::uint32_t>{3, 4} && lane.front() != 3)));
    CHECK(side_by_side({}, {}, {4, 0}).schedule == step_schedule());
}

TEST_CASE("cells of many chains are told apart quickly, however many there are") {
    reads_list reads{{}};
    std::vector<step_cost> costs{{1, 4}};
    double chains = 0;
    for (std::size_t cell = 0; cell < 18; ++cell) {
        const auto begin = static_cast<std::uint32_t>(reads.size() - 1);
        std::vector<std::uint32_t> ends;
        for (std::size_t chain = 0; chain < 10; ++chain)
            for (std::size_t at = 0; at < 6; ++at) {
                reads.push_back({at == 0 ? begin : static_cast<std::uint32_t>(reads.size() - 1)});
                costs.push_back({1, 1});
                if (at == 5) ends.push_back(static_cast<std::uint32_t>(reads.size() - 1));
            }
        chains += 60;
        reads.push_back(ends);
        costs.push_back({1, 4});
    }
    const decided_schedule found = side_by_side(reads, costs, {5, 0.25});
    CHECK(found.schedule.groups_of_lanes() == 18);
    CHECK(found.serial_seconds == chains + 19);
    CHECK(found.seconds == doctest::Approx(chains / 5 + 18 * 0.25 + 19));
}

TEST_CASE("random programs give by schedules that were decided byte for byte what they give one step after the other") {
    tbb_executor one(1), two(2), four(4);
    random_programs::thread_executor own{4};
    std::size_t lanes = 0;
    CHECK(rc::check("random programs and costs", [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const int steps = *rc::gen::inRange(0, 40);
        auto p = random_programs::random_builder(seed, steps, false).finish();
        RC_ASSERT(p.has_value());
        const tensor in[]{random_programs::input_of(3)};
        const auto wanted = p->run(in);
        RC_ASSERT(wanted.has_value());
        detail::splitmix random{seed};
        std::vector<step_cost> costs;
        for (std::size_t i = 0; i < p->steps().size(); ++i) {
            const double seconds = random.unit();
            costs.push_back({random.below(4) == 0 ? seconds / 4 : seconds, seconds, random.below(10) == 0});
        }
        const decided_schedule found = side_by_side(p->reads(), costs, {4, 0.1 * random.unit()});
        lanes += found.schedule.groups_of_lanes();
        auto planned = random_programs::random_builder(seed, steps, false).finish();
        RC_ASSERT(planned.has_value());
        RC_ASSERT(planned->follow(found.schedule).has_value());
        auto frame = planned->make_frame();
        RC_ASSERT(frame.has_value());
        for (const executor_ref e : {executor_ref(), executor_ref(one), executor_ref(two), executor_ref(four), executor_ref(own)}) {
            auto got = planned->make_results();
            RC_ASSERT(planned->run(*frame, in, *got, e).has_value());
            RC_ASSERT(random_programs::same_bytes(*got, *wanted));
        }
    }));
    CHECK(lanes > 50);
}
