// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_WORKER_METER_HPP
#define INLAY_MEASURE_WORKER_METER_HPP

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>  // a leaf: only those who measure include it
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>  // a leaf: only those who measure include it
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/measure/worker_batch.hpp>

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
    progress_ref progress;
    const std::atomic<bool>* stop = nullptr;  // where true, measuring ends and keeps what there is
};

namespace detail {

/// A file descriptor that closes itself.
class owned_descriptor {
public:
    owned_descriptor() = default;
    /// Takes the descriptor over; moves it out of the way of those that a worker is given by number.
    explicit owned_descriptor(int raw) : number_(raw) {
        if (raw < 0 || raw > 9) return;
        number_ = fcntl(raw, F_DUPFD_CLOEXEC, 10);
        ::close(raw);
    }
    owned_descriptor(owned_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    owned_descriptor& operator=(owned_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~owned_descriptor() { reset(); }
    void reset() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] int number() const { return number_; }

private:
    int number_ = -1;
};

/// A worker at work on one batch: a process, the page that it shares, the pipe it speaks through. Killed and waited for when it goes.
class worker_process {
public:
    worker_process() = default;
    worker_process(worker_process&&) = delete;
    ~worker_process() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
        }
        if (memory_ != nullptr) munmap(memory_, size_);
    }

    [[nodiscard]] outcome<void> start(const std::string& batch, const worker_options& options) {
        const auto refuse = [](const char* what) {
            return error{std::string("a measuring worker cannot be started (") + what + ": " + std::strerror(errno) +
                         "); free memory or processes and try again"};
        };
        owned_descriptor file(memfd_create("inlay_batch", MFD_CLOEXEC));
        size_ = worker_page::bytes + batch.size();
        if (file.number() < 0 || ftruncate(file.number(), static_cast<off_t>(size_)) != 0) return refuse("memory");
        void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
        if (memory == MAP_FAILED) return refuse("memory");
        memory_ = memory;
        new (memory_) worker_page{};
        std::memcpy(static_cast<char*>(memory_) + worker_page::bytes, batch.data(), batch.size());
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return refuse("pipe");
        results_ = owned_descriptor(ends[0]);
        owned_descriptor theirs(ends[1]);
        if (results_.number() < 0 || theirs.number() < 0) return refuse("pipe");
        fcntl(results_.number(), F_SETFL, O_NONBLOCK);

        posix_spawn_file_actions_t actions;
        if (posix_spawn_file_actions_init(&actions) != 0) return refuse("memory");
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (options.quiet) {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        } else {
            posix_spawn_file_actions_adddup2(&actions, 2, 1);
        }
        posix_spawn_file_actions_adddup2(&actions, file.number(), worker_batch_descriptor);
        posix_spawn_file_actions_adddup2(&actions, theirs.number(), worker_result_descriptor);
        std::string program = options.executable, flag(worker_flag), variable = std::string(worker_variable) + "=1";
        char* arguments[]{program.data(), flag.data(), nullptr};
        std::vector<char*> environment{variable.data()};
        for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
        environment.push_back(nullptr);
        errno = posix_spawn(&pid_, options.executable.c_str(), &actions, nullptr, arguments, environment.data());
        const int code = errno;
        posix_spawn_file_actions_destroy(&actions);
        if (code != 0) {
            pid_ = -1;
            errno = code;
            return refuse(options.executable.c_str());
        }
        return {};
    }

    [[nodiscard]] worker_page& page() { return *static_cast<worker_page*>(memory_); }

    /// Waits a moment for words and passes each to `hear(reader)`; false from it means nonsense. False once no more can come.
    template <class Hear>
    [[nodiscard]] bool listen(int milliseconds, Hear&& hear) {
        pollfd wait{results_.number(), POLLIN, 0};
        ::poll(&wait, 1, milliseconds);
        // Asked before reading: what a worker said before it ended is then in the pipe.
        const bool was_over = over();
        char block[4096];
        for (;;) {
            const ssize_t got = ::read(results_.number(), block, sizeof block);
            if (got > 0) {
                heard_.append(block, static_cast<std::size_t>(got));
                continue;
            }
            if (got < 0 && errno == EINTR) continue;
            closed_ = closed_ || got == 0;
            break;
        }
        for (std::uint32_t size = 0; heard_.size() >= sizeof size;) {
            std::memcpy(&size, heard_.data(), sizeof size);
            if (size > (1u << 20)) return false;
            if (heard_.size() < sizeof size + size) break;
            wire_reader r(std::string_view(heard_).substr(sizeof size, size));
            if (!hear(r)) return false;
            heard_.erase(0, sizeof size + size);
        }
        return !was_over && !closed_;
    }

    /// Ends the process, if it has not ended, and says how it ended.
    [[nodiscard]] std::string how_it_ended(bool by_force) {
        if (pid_ > 0 && by_force) ::kill(pid_, SIGKILL);
        // Its pipe may be closed a moment before it has ended; one that lives on without it is of no use.
        for (int patience = 0; pid_ > 0 && !over(); ++patience) {
            if (patience == 200) ::kill(pid_, SIGKILL);
            ::poll(nullptr, 0, 5);
        }
        if (WIFSIGNALED(status_)) return "died by signal " + std::to_string(WTERMSIG(status_)) + " (" + strsignal(WTERMSIG(status_)) + ")";
        return "ended with exit status " + std::to_string(WEXITSTATUS(status_));
    }

private:
    bool over() {
        if (pid_ <= 0) return true;
        const pid_t ended = waitpid(pid_, &status_, WNOHANG);
        if (ended == pid_ || (ended < 0 && errno != EINTR)) pid_ = -1;
        return pid_ <= 0;
    }

    pid_t pid_ = -1;
    int status_ = 0;
    void* memory_ = nullptr;
    std::size_t size_ = 0;
    owned_descriptor results_;
    std::string heard_;
    bool closed_ = false;
};

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
/// been the cause. Refers to the back ends, which must outlive it. One worker runs at a time, so that nothing disturbs the clock, unless
/// more are asked for: then each has cores of its own, and what was disturbed all the same is measured again by one worker alone.
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
        for (measurement& m : result)
            if (m.has_failed()) m.when = now;
        return result;
    }

    /// Why no worker could be started in the last call, if so: one sentence.
    [[nodiscard]] const std::optional<error>& fault() const { return fault_; }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

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
            const std::size_t culprit = measure_batch(jobs, batch, work, cores, result);
            const std::scoped_lock held(work.lock);
            for (std::size_t k = batch.size(); k-- > 0;) {
                const std::size_t i = batch[k];
                if (result[i].is_measured() || result[i].has_failed()) continue;
                if (i == culprit) {
                    work.suspect[i] = 1;
                    work.waiting.insert(work.waiting.begin(), i);  // alone, after all others
                } else {
                    work.waiting.push_back(i);
                }
            }
        }
    }

    /// Measures a batch in one worker. Results of jobs that got so far are noted. Gives the job that crashed and deserves another try.
    std::size_t measure_batch(std::span<const pricing_job> jobs, const std::vector<std::size_t>& batch, shared_work& work,
                              const std::vector<std::uint32_t>& cores, std::vector<measurement>& result) {
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
        for (const std::size_t i : batch) sent.jobs.push_back(detail::pack(jobs[i], *backends_));
        std::size_t done_before = 0;
        {
            const std::scoped_lock held(work.lock);
            sent.best_clock = options_.best_clock;
            done_before = done_;
        }
        detail::worker_process worker;
        if (auto started = worker.start(detail::write_batch(sent), options_); !started) return fail(started.failure());
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
                if (const std::scoped_lock held(work.lock); page.phase.load() == detail::worker_phase::emitting)
                    options_.progress("emitting", std::min(done_before + page.job.load(), jobs.size()), jobs.size());
            }
            if (stopped() && !asked_to_stop) {
                page.stop.store(1);
                asked_to_stop = now;
            }
            const double idle = std::chrono::duration<double>(now - last).count();
            // Starting takes its time on a busy machine, and is no kernel's fault.
            const double deadline = greeted ? options_.deadline : std::max(options_.deadline, 30.0);
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
        if ((phase != detail::worker_phase::emitting && phase != detail::worker_phase::running) || job >= batch.size()) {
            return fail(error{"a measuring worker " + end + " outside any job; what was measured before counts, try again for the rest"});
        }
        const std::size_t who = batch[job];
        if (!late && batch.size() > 1) return who;
        const std::string what = sent.jobs[job].what == pricing_job::subject::conversion ? std::string("the conversion")
                                                                                         : "back end '" + sent.jobs[job].kind + "'";
        const std::string doing = phase == detail::worker_phase::emitting ? " while it emitted code" : " while its kernel ran";
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%g", options_.deadline);
        result[who] = measurement::failed(late ? what + " did not end within " + seconds + " seconds" + doing : what + " " + end + doing);
        count_done();
        return nobody;
    }

    const List* backends_;
    worker_options options_;
    std::optional<error> fault_;
    std::size_t done_ = 0;
};

}  // namespace inlay

#endif
