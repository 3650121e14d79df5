// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/recorded_meter.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sample_region.hpp"

using namespace inlay;

namespace {

struct fake_backend {
    static constexpr std::string_view kind = "fake";
    static std::string version() { return "1"; }
    int level = 0;
    using options = option_list<option<"level", &fake_backend::level, "how hard to try">>;
};
struct fake_list {
    fake_backend backend;
    template <class F>
    auto visit(std::size_t, F&& f) const {
        return f(backend);
    }
};

/// Gives each job the number of jobs asked so far as its seconds; stops after `limit`; the job of number `fails` fails.
struct counting_meter {
    std::size_t asked = 0, calls = 0, limit = 1000, fails = 1000;
    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        ++calls;
        std::vector<measurement> m(jobs.size());
        for (auto& x : m) {
            if (asked >= limit) break;
            x = asked == fails ? measurement::failed("it died") : measurement{static_cast<double>(asked + 1), 1, 0, 3, {}};
            ++asked;
        }
        return m;
    }
};

pricing_job conversion_of(std::int64_t size) {
    pricing_job job;
    job.what = pricing_job::subject::conversion;
    job.type = tensor_type(element_type::float32, {1, size});
    job.from = plain_format(element_type::float32);
    job.to = {{}, layout::channels_last(), element_type::float32};
    return job;
}

}  // namespace

static_assert(meter<recorded_meter<counting_meter, fake_list>>);

TEST_CASE("jobs of equal content are asked for once, now and later") {
    counting_meter inner;
    cost_database db;
    const fake_list backends;
    recorded_meter m(inner, db, backends, {});
    const std::vector<pricing_job> jobs{conversion_of(1), conversion_of(2), conversion_of(1)};
    const auto first = m.price(jobs);
    CHECK(inner.asked == 2);
    CHECK(first[0] == first[2]);
    CHECK(first[0].median == 1);
    CHECK(first[1].median == 2);
    CHECK(m.price(jobs) == first);
    CHECK(inner.asked == 2);
    CHECK(m.asked() == 2);
    CHECK(m.known() == 3);
    CHECK_FALSE(m.fault().has_value());
}

TEST_CASE("threads, machine, ways of measuring and options have prices of their own") {
    counting_meter inner;
    cost_database db;
    fake_list backends;
    const sample::sample_region s = sample::example();
    pricing_job job;
    job.region = s.view();
    const auto ask = [&](recording_conditions c) {
        return recorded_meter(inner, db, backends, std::move(c)).price(std::span(&job, 1))[0].median;
    };
    CHECK(ask({}) == 1);
    CHECK(ask({{}, 2, {}, "", 64, false}) == 2);
    CHECK(ask({{1, 1}, 1, {}, "", 64, false}) == 3);
    CHECK(ask({{}, 1, {1, 1}, "", 64, false}) == 4);
    backends.backend.level = 3;
    CHECK(ask({}) == 5);
    backends.backend.level = 0;
    CHECK(ask({}) == 1);
    CHECK(ask({{}, 1, {}, "another word for the place", 1, false}) == 1);
}

TEST_CASE("what an interrupted meter did not get to is asked for the next time") {
    counting_meter inner;
    inner.limit = 2;
    cost_database db;
    const fake_list backends;
    recording_conditions conditions;
    conditions.jobs_at_once = 2;
    recorded_meter m(inner, db, backends, conditions);
    const std::vector<pricing_job> jobs{conversion_of(1), conversion_of(2), conversion_of(3)};
    const auto first = m.price(jobs);
    CHECK(first[1].is_measured());
    CHECK_FALSE(first[2].is_measured());
    CHECK_FALSE(first[2].has_failed());
    inner.limit = 100;
    CHECK(m.price(jobs)[2].median == 3);
    CHECK(inner.calls == 3);
}

TEST_CASE("failures are remembered, and tried anew on request") {
    counting_meter inner;
    inner.fails = 0;
    cost_database db;
    const fake_list backends;
    const pricing_job job = conversion_of(1);
    recorded_meter m(inner, db, backends, {});
    CHECK(m.price(std::span(&job, 1))[0].failure == "it died");
    CHECK(m.price(std::span(&job, 1))[0].failure == "it died");
    CHECK(inner.asked == 1);
    recording_conditions again;
    again.failures_again = true;
    recorded_meter bold(inner, db, backends, again);
    CHECK(bold.price(std::span(&job, 1))[0].is_measured());
    CHECK(m.price(std::span(&job, 1))[0].is_measured());
}

TEST_CASE("known prices stay, failed or doubted as they may be, where they are to be kept") {
    counting_meter inner;
    inner.fails = 0;
    cost_database db;
    const fake_list backends;
    pricing_job job = conversion_of(1);
    recording_conditions kept;
    kept.failures_again = true;
    kept.old_before = kept.started = 1000;
    kept.keeps_known = true;
    recorded_meter m(inner, db, backends, kept);
    CHECK(m.price(std::span(&job, 1))[0].failure == "it died");
    job.again = true;
    CHECK(m.price(std::span(&job, 1))[0].failure == "it died");
    CHECK(inner.asked == 1);
    kept.keeps_known = false;
    recorded_meter anew(inner, db, backends, kept);
    CHECK(anew.price(std::span(&job, 1))[0].is_measured());
}

TEST_CASE("what was disturbed, is old or is doubted is measured again, once in a run, and only where that can be of use") {
    // Gives 5, 4, 3, ..., disturbed or not as asked for.
    struct watched_meter {
        double next = 5;
        bool disturbed = true;
        std::int64_t when = 100;
        std::vector<measurement> price(std::span<const pricing_job> jobs) {
            std::vector<measurement> m(jobs.size());
            for (auto& x : m) {
                x = {next, next, 0, 3, {}};
                x.disturbed = disturbed;
                x.when = when;
                next -= 1;
            }
            return m;
        }
    };
    watched_meter inner;
    cost_database db;
    const fake_list backends;
    const auto asked = [&](recording_conditions c, bool again = false) {
        pricing_job job = conversion_of(1);
        job.again = again;
        recorded_meter m(inner, db, backends, std::move(c));
        const double seconds = m.price(std::span(&job, 1))[0].median;
        CHECK(m.asked() + m.known() == 1);
        return seconds;
    };
    recording_conditions at_once, later, busy, old, all;
    at_once.started = 100;
    later.started = busy.started = old.started = all.started = 200;
    busy.is_calm = [] { return false; };
    later.is_calm = [] { return true; };
    old.old_before = 150;
    CHECK(asked({}) == 5);
    CHECK(asked({}) == 5);
    CHECK(asked(at_once) == 5);
    CHECK(asked(busy) == 5);
    CHECK(inner.next == 4);
    // Disturbed again, and quicker.
    CHECK(asked(later) == 4);
    inner.next = 9;
    // Disturbed again, and slower: what was known stays.
    CHECK(asked(later) == 4);
    CHECK(inner.next == 8);
    inner.disturbed = false;
    inner.when = 160;
    CHECK(asked(later) == 8);
    // Now it is calm and not old.
    CHECK(asked(later) == 8);
    CHECK(asked(old) == 8);
    old.old_before = 170;
    inner.when = 201;
    CHECK(asked(old) == 7);
    CHECK(asked(old) == 7);
    CHECK(asked({}, true) == 6);
    CHECK(asked({}) == 6);
}

TEST_CASE("a database that refuses is told of, and the prices are there all the same") {
    counting_meter inner;
    cost_database db;
    REQUIRE_FALSE(db.open("/nowhere/at/all.sqlite").has_value());
    const fake_list backends;
    recorded_meter m(inner, db, backends, {});
    const pricing_job job = conversion_of(1);
    CHECK(m.price(std::span(&job, 1))[0].is_measured());
    REQUIRE(m.fault().has_value());
    CHECK(m.fault()->message.find("kept in memory") != std::string::npos);
    CHECK(m.price(std::span(&job, 1))[0].is_measured());
    CHECK(inner.asked == 1);
}

TEST_CASE("labels are for people") {
    counting_meter inner;
    cost_database db;
    const fake_list backends;
    recorded_meter m(inner, db, backends, {});
    CHECK(m.label_of(conversion_of(4)) == "convert float32[1,4] from float32:plain to float32:channels_last");
    const sample::sample_region s = sample::example();
    pricing_job job;
    job.region = s.view();
    CHECK(m.label_of(job) == "fake: Conv+Add+Reshape+Pow+Split");
}
