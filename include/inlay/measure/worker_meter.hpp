// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_WORKER_METER_HPP
#define INLAY_MEASURE_WORKER_METER_HPP

#include <algorithm>
#include <atomic>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>  // a leaf: only those who measure include it
#include <utility>
#include <vector>

#include <sched.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/measure/prepared_job.hpp>
#include <inlay/measure/worker_batch.hpp>
#include <inlay/measure/worker_process.hpp>

namespace inlay {

/// How a `worker_meter` works.
struct worker_options {
    measure_options measuring;
    std::uint64_t threads = 1;
    double deadline = 60;                                    // seconds for emitting one kernel, or for one run
    std::size_t batch_jobs = 64;                             // that one worker measures in turns
    std::uint64_t batch_weights = std::uint64_t{512} << 20;  // bytes of constants in one batch; a larger job goes alone
    std::size_t workers = 1;                                 // side by side, each on `threads` cores of its own
    double best_clock = 0;                                   // the least reading of the clock kernel that is known; 0: none
    std::string executable = "/proc/self/exe";               // calls `worker_main` first
    bool quiet = true;                                       // what workers print goes nowhere
    bool checks = true;                                      // kernels are checked before they are timed, where the worker has meanings
    progress_ref progress;
    const std::atomic<bool>* stop = nullptr;  // where true, measuring ends and keeps what there is
};

namespace detail {

/// The cores that this process may use.
[[nodiscard]] inline std::vector<std::uint32_t> usable_cores() {
    std::vector<std::uint32_t> cores;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (std::uint32_t i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &allowed)) cores.push_back(i);
    return cores;
}

}  // namespace detail

/// Whether so many workers of so many threads each have cores of their own here. The error is a sentence with the numbers.
[[nodiscard]] inline outcome<void> have_cores_for(std::size_t workers, std::uint64_t threads) {
    const std::size_t cores = detail::usable_cores().size();
    if (workers <= 1 || workers * threads <= cores) return {};
    return error{std::to_string(workers) + " workers side by side on " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
                 " each want " + std::to_string(workers * threads) + " cores, and this process may use " + std::to_string(cores) +
                 "; ask for fewer workers or threads"};
}

/// A meter that runs jobs in worker processes: the same executable, started anew with a hidden first argument, whose `main` calls
/// `worker_main`. Jobs are measured in batches, in turns. A kernel that crashes, hangs or fails costs that job its price and nothing
/// else: the rest of its batch goes to a fresh worker, and who crashed among others gets one more try alone, since another may have
/// been the cause. Kernels of one module share its fate: where its compiler is late, all of them fail, and those of others do not. Refers
/// to the back ends, which must outlive it. One worker runs at a time, so that nothing disturbs the clock, unless more are asked for: then
/// each has cores of its own, and what was disturbed all the same is measured again by one worker alone.
template <class List>
class worker_meter {
public:
    worker_meter(const List& backends, worker_options options) : backends_(&backends), options_(std::move(options)) {}

    /// One measurement per job; one that was stopped, or for which no worker could be started, has neither samples nor a reason.
    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        std::vector<measurement> result(jobs.size());
        fault_.reset();
        if (std::getenv(worker_variable) != nullptr) {
            fault_ = error{"this process is a measuring worker itself; call inlay::worker_main first in main"};
            return result;
        }
        const std::size_t workers = std::max<std::size_t>(options_.workers, 1);
        if (auto room = have_cores_for(workers, options_.threads); !room) {
            fault_ = room.failure();
            return result;
        }
        done_ = 0;
        std::vector<std::size_t> all(jobs.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        measure_all(jobs, all, workers, result);
        if (workers > 1) {
            std::vector<std::size_t> again;
            for (const std::size_t i : all)
                if (result[i].is_measured() && result[i].disturbed) again.push_back(i);
            std::vector<measurement> alone(jobs.size());
            measure_all(jobs, again, 1, alone);
            for (const std::size_t i : again)
                if ((alone[i].is_measured() || alone[i].has_failed()) && alone[i].replaces(result[i])) result[i] = std::move(alone[i]);
        }
        const std::int64_t now =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
        for (measurement& m : result) {
            if (m.has_failed()) m.when = now;
            if (m.check_seconds > 0) check_seconds_.push_back(m.check_seconds);
        }
        return result;
    }

    /// Seconds that the check of each kernel took, of all calls.
    [[nodiscard]] const std::vector<double>& check_seconds() const { return check_seconds_; }
    /// Why no worker could be started in the last call, if so: one sentence.
    [[nodiscard]] const std::optional<error>& fault() const { return fault_; }

private:
    using clock = std::chrono::steady_clock;

    [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
    static std::uint64_t weights_of(const pricing_job& job) {
        std::uint64_t bytes = 0;
        for (const region_value& v : job.region.constants())
            if (v.value != nullptr) bytes += v.value->bytes();
        return bytes;
    }

    /// What threads share, each of which waits for one worker at a time.
    struct shared_work {
        std::mutex lock;                   // of all below, of `done_`, `fault_`, the best clock, and calls of `progress`
        std::vector<std::size_t> waiting;  // jobs; the next one stands last
        std::vector<char> suspect;         // by job: crashed among others, so it goes alone
        std::size_t most_at_once = 1;      // jobs in a batch
    };

    void measure_all(std::span<const pricing_job> jobs, const std::vector<std::size_t>& some, std::size_t workers,
                     std::vector<measurement>& result) {
        shared_work work;
        work.waiting.assign(some.rbegin(), some.rend());
        work.suspect.assign(jobs.size(), 0);
        work.most_at_once =
            std::clamp<std::size_t>((some.size() + workers - 1) / workers, 1, std::max<std::size_t>(options_.batch_jobs, 1));
        if (workers == 1) return measure_waiting(jobs, work, {}, result);
        const std::vector<std::uint32_t> cores = detail::usable_cores();
        std::vector<std::thread> hands;
        for (std::size_t w = 0; w < workers; ++w) {
            const auto first = cores.begin() + static_cast<std::ptrdiff_t>(w * options_.threads);
            std::vector<std::uint32_t> own(first, first + static_cast<std::ptrdiff_t>(options_.threads));
            hands.emplace_back([&, own = std::move(own)] { measure_waiting(jobs, work, own, result); });
        }
        for (std::thread& hand : hands) hand.join();
    }

    /// Measures batch after batch until none waits.
    void measure_waiting(std::span<const pricing_job> jobs, shared_work& work, const std::vector<std::uint32_t>& cores,
                         std::vector<measurement>& result) {
        for (;;) {
            std::vector<std::size_t> batch;
            {
                const std::scoped_lock held(work.lock);
                if (stopped() || fault_) return;
                std::uint64_t weights = 0;
                while (!work.waiting.empty() && batch.size() < work.most_at_once) {
                    const std::size_t next = work.waiting.back();
                    weights += weights_of(jobs[next]);
                    const bool alone = work.suspect[next] != 0;
                    if (!batch.empty() && (alone || weights > options_.batch_weights)) break;
                    batch.push_back(next);
                    work.waiting.pop_back();
                    if (alone) break;
                }
            }
            if (batch.empty()) return;
            const std::vector<std::size_t> culprits = measure_batch(jobs, batch, work, cores, result);
            const std::scoped_lock held(work.lock);
            for (std::size_t k = batch.size(); k-- > 0;) {
                const std::size_t i = batch[k];
                if (result[i].is_measured() || result[i].has_failed()) continue;
                if (std::find(culprits.begin(), culprits.end(), i) != culprits.end()) {
                    work.suspect[i] = 1;
                    work.waiting.insert(work.waiting.begin(), i);  // alone, after all others
                } else {
                    work.waiting.push_back(i);
                }
            }
        }
    }

    /// Measures a batch in one worker. Results of jobs that got so far are noted. Gives the jobs one of which crashed and which deserve
    /// another try.
    std::vector<std::size_t> measure_batch(std::span<const pricing_job> jobs, const std::vector<std::size_t>& batch, shared_work& work,
                                           const std::vector<std::uint32_t>& cores, std::vector<measurement>& result) {
        const std::vector<std::size_t> nobody;
        const auto fail = [&](error why) {
            const std::scoped_lock held(work.lock);
            fault_ = std::move(why);
            return nobody;
        };
        const auto count_done = [&] {
            const std::scoped_lock held(work.lock);
            options_.progress("measured", std::min(++done_, jobs.size()), jobs.size());
        };
        detail::travelling_batch sent;
        sent.cores = cores;
        sent.measuring = options_.measuring;
        sent.threads = std::max<std::uint64_t>(options_.threads, 1);
        sent.deadline = options_.deadline;
        sent.checks = options_.checks;
        for (const std::size_t i : batch) sent.jobs.push_back(detail::pack(jobs[i], *backends_));
        const std::vector<std::vector<std::size_t>> sets = detail::jobs_together(sent, *backends_);
        // What is under way, where that is the making of code or a run: numbers in the batch.
        const auto under_way = [&](detail::worker_phase phase, std::uint32_t job) {
            std::vector<std::size_t> found;
            if ((phase == detail::worker_phase::emitting || phase == detail::worker_phase::checking ||
                 phase == detail::worker_phase::running) &&
                job < batch.size())
                found = {job};
            if (phase == detail::worker_phase::emitting_together)
                for (const std::vector<std::size_t>& set : sets)
                    if (set.front() == job) found = set;
            return found;
        };
        const auto patience = [&](detail::worker_phase phase, std::uint32_t job) {
            return phase == detail::worker_phase::emitting_together
                       ? detail::module_seconds(options_.deadline, under_way(phase, job).size())
                       : options_.deadline;
        };
        std::size_t done_before = 0;
        {
            const std::scoped_lock held(work.lock);
            sent.best_clock = options_.best_clock;
            done_before = done_;
        }
        detail::worker_process worker;
        if (auto started = worker.start(detail::write_batch(sent), options_.executable, options_.quiet); !started)
            return fail(started.failure());
        bool greeted = false, complete = false, late = false;
        const auto hear = [&](wire_reader& r) {
            switch (r.get_enum(detail::worker_word::end)) {
                case detail::worker_word::hello:
                    greeted = true;
                    return r.at_end();
                case detail::worker_word::end:
                    complete = true;
                    return r.at_end();
                case detail::worker_word::result:
                    break;
            }
            const auto job = r.get<std::uint32_t>();
            measurement m = detail::read_measurement(r);
            if (!r.at_end() || job >= batch.size()) return false;
            if (const std::scoped_lock held(work.lock); m.clock > 0)
                options_.best_clock = options_.best_clock > 0 ? std::min(options_.best_clock, m.clock) : m.clock;
            result[batch[job]] = std::move(m);
            count_done();
            return true;
        };
        std::uint64_t beats = 0;
        clock::time_point last = clock::now();
        std::optional<clock::time_point> asked_to_stop;
        bool listening = true;
        while (listening && !complete) {
            listening = worker.listen(20, hear);
            const auto now = clock::now();
            detail::worker_page& page = worker.page();
            if (const std::uint64_t b = page.beats.load(); b != beats) {
                beats = b;
                last = now;
                const detail::worker_phase phase = page.phase.load();
                if (const std::scoped_lock held(work.lock);
                    phase == detail::worker_phase::emitting || phase == detail::worker_phase::emitting_together)
                    options_.progress("emitting", std::min(done_before + page.job.load(), jobs.size()), jobs.size());
            }
            if (stopped() && !asked_to_stop) {
                page.stop.store(1);
                asked_to_stop = now;
            }
            const double idle = std::chrono::duration<double>(now - last).count();
            // Starting takes its time on a busy machine, and is no kernel's fault.
            const double deadline = greeted ? patience(page.phase.load(), page.job.load()) : std::max(options_.deadline, 30.0);
            const bool patient = !asked_to_stop || std::chrono::duration<double>(now - *asked_to_stop).count() < 5;
            if (listening && !complete && (idle > deadline || !patient)) {
                late = idle > deadline;
                break;
            }
        }
        if (complete) return nobody;
        // What it was doing when it ended, read once it can no longer change.
        const std::string end = worker.how_it_ended(listening);
        const detail::worker_phase phase = worker.page().phase.load();
        if (!greeted) {
            return fail(error{"the executable " + quoted_text(options_.executable, 400) +
                              " does not measure when it is started as a worker (it " + (late ? "was silent" : end) +
                              "); call inlay::worker_main first in main"});
        }
        if (asked_to_stop && !late) return nobody;
        const std::uint32_t job = worker.page().job.load();
        const std::vector<std::size_t> numbers = under_way(phase, job);
        if (numbers.empty())
            return fail(error{"a measuring worker " + end + " outside any job; what was measured before counts, try again for the rest"});
        if (!late && batch.size() > 1) {
            std::vector<std::size_t> culprits;
            for (const std::size_t k : numbers) culprits.push_back(batch[k]);
            return culprits;
        }
        const detail::travelling_job& first = sent.jobs[numbers.front()];
        const std::string what =
            first.what == pricing_job::subject::conversion ? std::string("the conversion") : "back end '" + first.kind + "'";
        std::string doing = phase == detail::worker_phase::running    ? " while its kernel ran"
                            : phase == detail::worker_phase::checking ? " while its kernel was checked"
                                                                      : " while it emitted code";
        if (numbers.size() > 1) doing += " for " + std::to_string(numbers.size()) + " kernels together";
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%g", patience(phase, job));
        for (const std::size_t k : numbers) {
            result[batch[k]] =
                measurement::failed(late ? what + " did not end within " + seconds + " seconds" + doing : what + " " + end + doing);
            count_done();
        }
        return nobody;
    }

    const List* backends_;
    worker_options options_;
    std::vector<double> check_seconds_;
    std::optional<error> fault_;
    std::size_t done_ = 0;
};

}  // namespace inlay

#endif
