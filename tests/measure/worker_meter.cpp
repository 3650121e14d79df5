// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/worker_meter.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include <inlay/backend/cpu_loops/backend.hpp>
#include <inlay/measure/worker.hpp>

#include "../io/temporary_folder.hpp"
#include "moody_backend.hpp"

using namespace inlay;

static_assert(meter<worker_meter<moody::list>>);

namespace {

/// Makes one module of many regions, and misbehaves where it meets one of that mood.
struct moody_modules : moody::backend {
    static constexpr std::string_view kind = "moody_modules";
    using options = option_list<>;
    struct nest {
        std::string mood;
    };
    static outcome<nest> lower(const region_view& r) { return nest{std::string(r.calls()[0].op)}; }
    static outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) {
        std::vector<kernel> made;
        for (const nest& n : nests) {
            if (n.mood == "abort") std::abort();
            if (n.mood == "hang")
                for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
            made.emplace_back(moody::spin{1e-5});
        }
        return made;
    }
    static outcome<kernel> emit(const nest& n) {
        auto made = emit_together(std::span(&n, 1));
        if (!made) return made.failure();
        return std::move(made->front());
    }
};
static_assert(emits_together<moody_modules>);

using all_moods = backend_list<moody::backend, moody_modules, cpu_loops>;

/// The test's `main` is doctest's, so the worker is entered before it.
[[gnu::constructor]] void enter_worker(int argc, char** argv) {
    if (const auto code = worker_main(argc, argv, all_moods())) std::_Exit(*code);
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

/// The same for jobs of back ends by number.
std::vector<measurement> price_by(const std::vector<std::pair<std::uint32_t, std::string>>& jobs_of, const worker_options& options,
                                  const all_moods& backends = {}) {
    std::deque<moody::job_of> makers;
    std::vector<pricing_job> jobs;
    for (const auto& [backend, op] : jobs_of) {
        jobs.push_back(makers.emplace_back(op).job());
        jobs.back().backend = backend;
    }
    worker_meter meter(backends, options);
    auto result = meter.price(jobs);
    CHECK_FALSE(meter.fault().has_value());
    return result;
}

/// A C compiler that says which one it is, and does these lines instead of compiling `$text`.
struct false_compiler {
    inlay_test::temporary_folder folder;
    std::string path = folder / "slow_cc";

    explicit false_compiler(const std::string& lines) {
        std::ofstream(path) << "#!/bin/sh\ncase \"$*\" in *--version) echo slow_cc 1.0; exit 0;; esac\n"
                               "for word; do case $word in *source.c) text=$word;; esac; done\n"
                            << lines << "\n";
        REQUIRE(::chmod(path.c_str(), 0700) == 0);
    }
    [[nodiscard]] all_moods backends() const {
        cpu_loops loops;
        loops.cc = path;
        return all_moods({}, {}, loops);
    }
    [[nodiscard]] std::string late(const std::string& seconds) const {
        return "the compiler '" + path + "' took more than " + seconds +
               " seconds and was ended; allow it more, or ask for less optimization";
    }
};

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

TEST_CASE("a compiler that hangs costs the kernels of its module their prices, once, and no others") {
    const false_compiler hanging("sleep 100");
    worker_options o = quick();
    o.deadline = 5;
    const double start = now();
    const auto m =
        price_by({{0, "good"}, {2, "onnx.Relu"}, {0, "refuse"}, {2, "onnx.Abs"}, {2, "onnx.Relu"}, {1, "good"}}, o, hanging.backends());
    CHECK(now() - start < 30);
    for (const std::size_t good : {0u, 5u}) CHECK(m[good].is_measured());
    CHECK(m[2].failure == "the region is not to my liking");
    for (const std::size_t late : {1u, 3u, 4u}) CHECK(m[late].failure == hanging.late("6.5"));
}

TEST_CASE("a compiler that is late for one kernel is not waited for again") {
    const false_compiler picky("if grep -q inlay_entry_1 $text; then exit 3; fi; sleep 100");
    worker_options o = quick();
    o.deadline = 5;
    const double start = now();
    const auto m = price_by({{2, "onnx.Relu"}, {0, "good"}, {2, "onnx.Abs"}, {2, "onnx.Neg"}}, o, picky.backends());
    CHECK(now() - start < 30);
    CHECK(m[0].failure == picky.late("4.5"));
    CHECK(m[1].is_measured());
    for (const std::size_t other : {2u, 3u})
        CHECK(m[other].failure == "it was not tried, since for an earlier kernel " + picky.late("4.5"));
}

TEST_CASE("kernels that are made together are ended together where that hangs, and tried one by one where it crashes") {
    worker_options o = quick();
    o.deadline = 2;
    const auto hung = price_by({{0, "good"}, {1, "good"}, {1, "hang"}}, o);
    CHECK(hung[0].is_measured());
    for (const std::size_t bad : {1u, 2u})
        CHECK(hung[bad].failure == "back end 'moody_modules' did not end within 4 seconds while it emitted code for 2 kernels together");
    const auto crashed = price_by({{0, "good"}, {1, "good"}, {1, "abort"}, {1, "good"}}, quick());
    for (const std::size_t good : {0u, 1u, 3u}) CHECK(crashed[good].is_measured());
    CHECK(crashed[2].failure == "back end 'moody_modules' died by signal 6 (Aborted) while it emitted code");
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
