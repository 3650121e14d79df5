// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/recorded_program_meter.hpp>

#include <doctest/doctest.h>

#include "runtime/toy_plan.hpp"

using namespace inlay;

namespace {

/// A planned program, and a database for what it shows.
struct planned_once {
    ir_module m = toys::random_program(7, 10);
    toys::list backends;
    plan made = toys::planned(m, backends);
    std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    cost_database database;

    template <class GoOn>
    [[nodiscard]] auto meter(const recording_conditions& conditions, GoOn go_on) {
        measure_program_options few;
        few.least_runs = few.most_runs = 2;
        few.bytes_between = 0;
        return recorded_program_meter(m, backends, database, conditions, executor_ref(), few, go_on);
    }
};

}  // namespace

TEST_CASE("what a program showed is looked up the next time, and is not taken for a price alone") {
    planned_once p;
    const auto go_on = [] { return false; };
    auto first = p.meter({}, go_on);
    static_assert(program_meter<decltype(first)>);
    const auto told = first(p.made.set, p.covers);
    CHECK(first.programs_run() == 1);
    REQUIRE(told.size() == 1);
    CHECK(told[0].candidates.size() == p.covers[0].size());

    auto second = p.meter({}, go_on);
    const auto again = second(p.made.set, p.covers);
    CHECK(second.programs_run() == 0);
    REQUIRE(again[0].candidates.size() == told[0].candidates.size());
    CHECK(again[0].conversions.size() == told[0].conversions.size());

    // Beside another program it is another matter: what is compared is run in the same rounds.
    const std::vector<std::vector<std::size_t>> both{p.covers[0], p.covers[0]};
    CHECK(second(p.made.set, both).size() == 2);
    CHECK(second.programs_run() == 2);
    (void)second(p.made.set, both);
    CHECK(second.programs_run() == 2);

    // Prices of equal pieces are one record, so what comes back is one of those that went in.
    for (const auto& [number, seconds] : again[0].candidates) {
        bool came_in = false;
        for (const auto& [other, measured] : told[0].candidates) came_in = came_in || measured == seconds;
        CHECK(came_in);
    }

    // The database holds no price alone of any of them.
    toys::even_meter alone;
    recorded_meter<toys::even_meter, toys::list> meter(alone, p.database, p.backends, recording_conditions{});
    const candidate& c = p.made.set.candidates[p.covers[0][0]];
    const user_lists users(p.m);
    const std::vector<node_id> results = results_of(p.m);
    const region body(p.m, users, results, c.nodes);
    pricing_job job;
    job.backend = c.backend;
    job.region = body.view(c.formats.inputs, c.formats.results);
    const pricing_job jobs[] = {job};
    (void)meter.price(jobs);
    CHECK(meter.asked() == 1);
}

TEST_CASE("a program that is old is run again, and is looked up where what is known is kept") {
    planned_once p;
    const auto programs_run = [&](const recording_conditions& conditions) {
        auto meter = p.meter(conditions, [] { return false; });
        CHECK(meter(p.made.set, p.covers).size() == 1);
        return meter.programs_run();
    };
    recording_conditions kept;
    kept.old_before = kept.started = std::int64_t{1} << 40;  // whatever was measured by now is old
    kept.programs_again = true;
    kept.keeps_known = true;
    CHECK(programs_run(kept) == 1);
    CHECK(programs_run(kept) == 0);
    kept.programs_again = false;
    CHECK(programs_run(kept) == 0);
    kept.keeps_known = false;
    CHECK(programs_run(kept) == 1);
}
