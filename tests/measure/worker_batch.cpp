// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/worker_batch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "moody_backend.hpp"

using namespace inlay;

namespace {

std::string example() {
    moody::backend configured;
    configured.sentence = "it's -odd=true";
    const moody::list backends(configured);
    moody::job_of maker("good");
    detail::travelling_batch batch;
    batch.measuring.least_samples = 9;
    batch.measuring.bytes_between = 12345;
    batch.measuring.window_seconds = 0.25;
    batch.measuring.patience = 3;
    batch.measuring.far_above = 1.75;
    batch.measuring.beside_load = true;
    batch.threads = 2;
    batch.deadline = 12.5;
    batch.best_clock = 19e-6;
    batch.cores = {1, 3};
    batch.jobs.push_back(detail::pack(maker.job(), backends));
    batch.jobs.back().rival = 2e-3;
    batch.jobs.back().contest = 9;
    batch.jobs.push_back(detail::pack(moody::conversion_job(), backends));
    return detail::write_batch(batch);
}

}  // namespace

TEST_CASE("a batch arrives as it was sent") {
    const auto batch = detail::read_batch(example());
    REQUIRE(batch.has_value());
    CHECK(batch->measuring.least_samples == 9);
    CHECK(batch->measuring.bytes_between == 12345);
    CHECK(batch->measuring.window_seconds == 0.25);
    CHECK(batch->measuring.patience == 3);
    CHECK(batch->measuring.far_above == 1.75);
    CHECK(batch->measuring.beside_load);
    CHECK(batch->threads == 2);
    CHECK(batch->deadline == 12.5);
    CHECK(batch->best_clock == 19e-6);
    CHECK(batch->cores == std::vector<std::uint32_t>{1, 3});
    REQUIRE(batch->jobs.size() == 2);
    const detail::travelling_job& job = batch->jobs[0];
    CHECK(job.kind == "moody");
    CHECK(job.rival == 2e-3);
    CHECK(job.contest == 9);
    CHECK(std::isinf(batch->jobs[1].rival));
    CHECK(job.version == "1");
    CHECK(job.options == std::vector<std::string>{"seconds", "1e-05", "sentence", "it's -odd=true"});
    CHECK(batch->jobs[1].what == pricing_job::subject::conversion);
    CHECK(batch->jobs[1].kind.empty());
}

TEST_CASE("a cut batch is none, a damaged one is none or a sound one") {
    const std::string bytes = example();
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_FALSE(detail::read_batch(std::string_view(bytes).substr(0, length)).has_value());
    CHECK_FALSE(detail::read_batch(bytes + "x").has_value());
    CHECK(rc::check("random damage", [&] {
        std::string damaged = bytes;
        for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
            damaged[*rc::gen::inRange<std::size_t>(0, damaged.size())] = *rc::gen::arbitrary<char>();
        const auto batch = detail::read_batch(damaged);
        if (!batch) return;
        RC_ASSERT(batch->threads >= 1u);
        for (const auto& job : batch->jobs) RC_ASSERT(job.options.size() % 2 == 0u);
    }));
}

TEST_CASE("a result arrives as it was said") {
    measurement watched{1.5, 1, 0.25, 7, {}};
    watched.windows = 3;
    watched.disturbed = true;
    watched.when = 1'800'000'000;
    watched.clock = 19e-6;
    for (const measurement& m : {watched, measurement{1.5, 1, 0.25, 7, {}}, measurement::failed("it died"), measurement()}) {
        const std::string said = detail::write_result(3, m);
        wire_reader r(said);
        CHECK(r.get_enum(detail::worker_word::end) == detail::worker_word::result);
        CHECK(r.get<std::uint32_t>() == 3);
        CHECK(detail::read_measurement(r) == m);
        CHECK(r.at_end());
    }
}
