// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/recorded_program_meter.hpp>

#include <doctest/doctest.h>

#include "runtime/toy_plan.hpp"

using namespace inlay;

TEST_CASE("what a program showed is looked up the next time, and is not taken for a price alone") {
    const ir_module m = toys::random_program(7, 10);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    const std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    cost_database database;
    measure_program_options few;
    few.least_runs = few.most_runs = 2;
    few.bytes_between = 0;
    const auto go_on = [] { return false; };
    recorded_program_meter first(m, backends, database, recording_conditions{}, executor_ref(), few, go_on);
    static_assert(program_meter<decltype(first)>);
    const auto told = first(made.set, covers);
    CHECK(first.programs_run() == 1);
    REQUIRE(told.size() == 1);
    CHECK(told[0].candidates.size() == covers[0].size());

    recorded_program_meter second(m, backends, database, recording_conditions{}, executor_ref(), few, go_on);
    const auto again = second(made.set, covers);
    CHECK(second.programs_run() == 0);
    REQUIRE(again[0].candidates.size() == told[0].candidates.size());
    CHECK(again[0].conversions.size() == told[0].conversions.size());

    // Beside another program it is another matter: what is compared is run in the same rounds.
    const std::vector<std::vector<std::size_t>> both{covers[0], covers[0]};
    CHECK(second(made.set, both).size() == 2);
    CHECK(second.programs_run() == 2);
    (void)second(made.set, both);
    CHECK(second.programs_run() == 2);

    // Prices of equal pieces are one record, so what comes back is one of those that went in.
    for (const auto& [number, seconds] : again[0].candidates) {
        bool came_in = false;
        for (const auto& [other, measured] : told[0].candidates) came_in = came_in || measured == seconds;
        CHECK(came_in);
    }

    // The database holds no price alone of any of them.
    toys::even_meter alone;
    recorded_meter<toys::even_meter, toys::list> meter(alone, database, backends, recording_conditions{});
    const candidate& c = made.set.candidates[covers[0][0]];
    const user_lists users(m);
    const std::vector<node_id> results = results_of(m);
    const region body(m, users, results, c.nodes);
    pricing_job job;
    job.backend = c.backend;
    job.region = body.view(c.formats.inputs, c.formats.results);
    const pricing_job jobs[] = {job};
    (void)meter.price(jobs);
    CHECK(meter.asked() == 1);
}

TEST_CASE("a program that is old is run again, and is looked up where what is known is kept") {
    const ir_module m = toys::random_program(7, 10);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    const std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
    cost_database database;
    measure_program_options few;
    few.least_runs = few.most_runs = 2;
    few.bytes_between = 0;
    const auto programs_run = [&](const recording_conditions& conditions) {
        recorded_program_meter meter(m, backends, database, conditions, executor_ref(), few, [] { return false; });
        CHECK(meter(made.set, covers).size() == 1);
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
