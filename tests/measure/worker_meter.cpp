// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/worker_meter.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/measure/worker.hpp>

#include "moody_backend.hpp"

using namespace inlay;

static_assert(meter<worker_meter<moody::list>>);

namespace {

/// The test's `main` is doctest's, so the worker is entered before it.
[[gnu::constructor]] void enter_worker(int argc, char** argv) {
    if (const auto code = worker_main(argc, argv, moody::list())) std::_Exit(*code);
}

worker_options quick() {
    worker_options o;
    o.measuring.least_samples = 3;
    o.measuring.most_samples = 5;
    o.measuring.bytes_between = 0;
    o.measuring.patience = 0;  // the machine of a test may be busy
    o.deadline = 20;
    return o;
}

std::vector<measurement> price(const std::vector<std::string>& moods, worker_options options = quick(), const moody::list& backends = {}) {
    std::deque<moody::job_of> makers;
    std::vector<pricing_job> jobs;
    for (const std::string& m : moods) jobs.push_back(m == "convert" ? moody::conversion_job() : makers.emplace_back(m).job());
    worker_meter meter(backends, options);
    auto result = meter.price(jobs);
    CHECK_FALSE(meter.fault().has_value());
    return result;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

TEST_CASE("jobs are measured in a worker, in their order, conversions among them") {
    const auto m = price({"good", "convert", "good"});
    REQUIRE(m.size() == 3);
    for (const measurement& x : m) {
        CHECK(x.is_measured());
        CHECK(x.samples >= 3);
    }
    CHECK(m[0].minimum >= 0.9e-5);
}

TEST_CASE("the configured instance reaches the worker, blanks and all") {
    moody::backend configured;
    configured.seconds = 2e-3;
    const auto m = price({"good", "read the sentence"}, quick(), moody::list(configured));
    CHECK(m[0].minimum >= 1.9e-3);
    CHECK(m[1].failure == "the sentence is 'two words'");
    configured.sentence = "three more words";
    CHECK(price({"read the sentence"}, quick(), moody::list(configured))[0].is_measured());
}

TEST_CASE("what misbehaves has its reason and an infinite price, and costs the others nothing") {
    const auto m = price({"good", "abort", "refuse", "good", "throw", "abort while emitting", "fail", "empty", "exit", "convert", "good",
                          "throw when run", "throw an int"});
    for (const std::size_t good : {0u, 3u, 9u, 10u}) CHECK(m[good].is_measured());
    CHECK(m[1].failure == "back end 'moody' died by signal 6 (Aborted) while its kernel ran");
    CHECK(std::isinf(m[1].median));
    CHECK(m[2].failure == "the region is not to my liking");
    CHECK(m[4].failure == "back end 'moody' threw an exception while it emitted code: no such primitive");
    CHECK(m[5].failure == "back end 'moody' died by signal 6 (Aborted) while it emitted code");
    CHECK(m[6].failure == "the kernel reported a failure");
    CHECK(m[7].failure == "back end 'moody' emitted an empty kernel");
    CHECK(m[8].failure == "back end 'moody' ended with exit status 7 while its kernel ran");
    CHECK(m[11].failure == "back end 'moody' died by signal 6 (Aborted) while its kernel ran");
    CHECK(m[12].failure == "back end 'moody' threw something while it emitted code");
    for (const std::size_t bad : {1u, 2u, 4u, 5u, 6u, 7u, 8u, 11u, 12u}) CHECK(std::isinf(m[bad].median));
}

TEST_CASE("what hangs is ended at the deadline, the others are measured") {
    worker_options o = quick();
    o.deadline = 2;
    const auto m = price({"good", "hang", "good", "hang while emitting"}, o);
    CHECK(m[0].is_measured());
    CHECK(m[2].is_measured());
    CHECK(m[1].failure == "back end 'moody' did not end within 2 seconds while its kernel ran");
    CHECK(m[3].failure == "back end 'moody' did not end within 2 seconds while it emitted code");
}

TEST_CASE("who dies of what another did is measured alone") {
    worker_options o = quick();
    o.measuring.warm_up = 3;
    const auto m = price({"mark", "marked"}, o);
    CHECK(m[0].is_measured());
    CHECK(m[1].is_measured());
}

TEST_CASE("batches of any size give all results") {
    for (const std::size_t size : {0u, 1u, 2u, 100u}) {
        worker_options o = quick();
        o.batch_jobs = size;
        const auto m = price({"good", "good", "abort", "good"}, o);
        CHECK(m[0].is_measured());
        CHECK(m[2].has_failed());
        CHECK(m[3].is_measured());
    }
    CHECK(price({}).empty());
}

TEST_CASE("workers side by side have cores of their own and give all results, or the refusal has the numbers") {
    const std::size_t cores = detail::usable_cores().size();
    REQUIRE(cores > 0);
    worker_options o = quick();
    o.workers = cores + 1;
    const moody::list backends;
    moody::job_of maker("good");
    const pricing_job job = maker.job();
    worker_meter meter(backends, o);
    CHECK_FALSE(meter.price(std::span(&job, 1))[0].is_measured());
    REQUIRE(meter.fault().has_value());
    CHECK(meter.fault()->message == std::to_string(cores + 1) + " workers side by side on 1 thread each want " + std::to_string(cores + 1) +
                                        " cores, and this process may use " + std::to_string(cores) + "; ask for fewer workers or threads");
    CHECK(have_cores_for(cores, 1).has_value());
    CHECK(have_cores_for(1, 100 * cores).has_value());
    if (cores < 2) return;
    CHECK_FALSE(have_cores_for(cores, 2).has_value());
    o.workers = 2;
    const std::vector<std::string> moods{"count cores", "good", "abort", "count cores", "convert", "good", "refuse", "count cores", "good"};
    const auto m = price(moods, o);
    for (std::size_t i = 0; i < moods.size(); ++i) {
        CAPTURE(moods[i]);
        CHECK(m[i].is_measured() == (moods[i] == "good" || moods[i] == "convert"));
        CHECK(m[i].when > 1'700'000'000);
        if (moods[i] == "count cores") CHECK(m[i].failure == "there are 1 cores");
    }
}

TEST_CASE("progress counts every job once") {
    std::size_t last = 0, calls = 0;
    auto report = [&](std::string_view phase, std::size_t done, std::size_t total) {
        if (phase != "measured") return;
        CHECK(total == 4);
        CHECK(done == last + 1);
        last = done;
        ++calls;
    };
    worker_options o = quick();
    o.progress = report;
    (void)price({"good", "abort", "refuse", "good"}, o);
    CHECK(calls == 4);
}

TEST_CASE("stopping ends soon and keeps what was measured") {
    std::atomic<bool> stop = false;
    worker_options o = quick();
    o.stop = &stop;
    o.batch_jobs = 2;
    o.measuring.most_samples = 100000;
    o.measuring.seconds_per_kernel = 0.2;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(900));
        stop = true;
    });
    const double start = now();
    const auto m = price(std::vector<std::string>(60, "good"), o);
    other.join();
    CHECK(now() - start < 10);
    CHECK(m.front().is_measured());
    CHECK_FALSE(m.back().is_measured());
    CHECK_FALSE(m.back().has_failed());
    CHECK_FALSE(price({"good"}, o)[0].is_measured());
}

TEST_CASE("stopping does not wait for what hangs") {
    std::atomic<bool> stop = false;
    worker_options o = quick();
    o.stop = &stop;
    o.deadline = 600;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        stop = true;
    });
    const double start = now();
    const auto m = price({"hang"}, o);
    other.join();
    CHECK(now() - start < 30);
    CHECK_FALSE(m[0].is_measured());
    CHECK_FALSE(m[0].has_failed());
}

TEST_CASE("an executable that is no worker is a fault of the meter, and no price") {
    const moody::list backends;
    std::deque<moody::job_of> makers;
    const std::vector<pricing_job> jobs{makers.emplace_back("good").job()};
    const auto fault = [&](const std::string& executable) {
        worker_options o = quick();
        o.executable = executable;
        worker_meter meter(backends, o);
        const auto m = meter.price(jobs);
        CHECK_FALSE(m[0].is_measured());
        CHECK_FALSE(m[0].has_failed());
        REQUIRE(meter.fault().has_value());
        return meter.fault()->message;
    };
    CHECK(fault("/bin/true") ==
          "the executable '/bin/true' does not measure when it is started as a worker (it ended with exit status 0); call "
          "inlay::worker_main first in main");
    CHECK(fault("/no/such/program") ==
          "a measuring worker cannot be started (/no/such/program: No such file or directory); free memory or processes and try again");
}

TEST_CASE("a worker that would measure by workers of its own says so") {
    setenv(worker_variable, "1", 1);
    const moody::list backends;
    moody::job_of maker("good");
    const pricing_job job = maker.job();
    worker_meter meter(backends, quick());
    const auto m = meter.price(std::span(&job, 1));
    unsetenv(worker_variable);
    CHECK_FALSE(m[0].is_measured());
    REQUIRE(meter.fault().has_value());
    CHECK(meter.fault()->message == "this process is a measuring worker itself; call inlay::worker_main first in main");
}
