// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_WORKER_HPP
#define INLAY_MEASURE_WORKER_HPP

#include <chrono>  // a leaf: only those who measure include it
#include <concepts>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/referee_ref.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/measure/measure.hpp>
#include <inlay/measure/prepared_job.hpp>
#include <inlay/measure/worker_batch.hpp>

namespace inlay {

namespace detail {

inline bool say(std::string_view frame) {
    const auto send = [](const char* at, std::size_t size) {
        while (size != 0) {
            const ssize_t sent = ::write(worker_result_descriptor, at, size);
            if (sent <= 0) return false;
            at += sent;
            size -= static_cast<std::size_t>(sent);
        }
        return true;
    };
    const auto size = static_cast<std::uint32_t>(frame.size());
    return send(reinterpret_cast<const char*>(&size), sizeof size) && send(frame.data(), frame.size());
}
inline bool say(worker_word word) {
    const auto number = static_cast<char>(word);
    return say(std::string_view(&number, 1));
}

/// The back ends with so much time for their compilers that these end before who waits for the worker loses patience, and say why.
template <class List>
[[nodiscard]] List with_compiler_seconds(List backends, double deadline) {
    backends.for_each([&](auto& b, std::size_t) {
        if constexpr (requires { b.compile_seconds = 1.0; }) b.compile_seconds = compiler_seconds(deadline);
    });
    return backends;
}

/// Makes a referee that compares nothing.
struct no_referee {
    [[nodiscard]] referee_ref operator()(executor_ref) const { return {}; }
};

/// Checks kernels of jobs by a referee.
template <class Beat>
struct refereed_jobs {
    referee_ref referee;
    const Beat& beat;
    double& seconds;  // that checks took

    [[nodiscard]] outcome<std::string> region(const kernel& code, const region_view& view, double rounding = 0) const {
        return unchecked_of([&] { return referee.judge({&code, &view, {}, {}, {}, {}, {}, rounding}); });
    }
    [[nodiscard]] outcome<std::string> conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                                                  const format& to) const {
        return unchecked_of([&] { return referee.judge_conversion(code, extents, from, to); });
    }

private:
    template <class Judge>
    [[nodiscard]] outcome<std::string> unchecked_of(Judge&& judge) const {
        if (!referee) return std::string();
        beat(worker_phase::checking);
        const auto start = std::chrono::steady_clock::now();
        auto verdict = judge();
        seconds += measuring_ground::seconds_since(start);
        if (!verdict) return verdict.failure();
        return std::move(verdict->unchecked);
    }
};

/// Measures a batch and says the results. `page` is what it shares with who waits.
template <class Executor, class List, class MakeReferee>
[[nodiscard]] int work(const travelling_batch& batch, worker_page& page, const List& listed, const MakeReferee& make_referee) {
    auto executor = [&] {
        if constexpr (std::constructible_from<Executor, std::size_t>)
            return Executor(static_cast<std::size_t>(batch.threads));
        else
            return Executor();
    }();
    auto referee = make_referee(executor_ref(executor));
    const auto beat = [&](std::size_t job, worker_phase phase) {
        page.job.store(static_cast<std::uint32_t>(job));
        page.phase.store(phase);
        page.beats.fetch_add(1);
    };
    const auto stopped = [&] { return page.stop.load(std::memory_order_relaxed) != 0; };
    const List backends = with_compiler_seconds(listed, batch.deadline);
    emitted_modules modules = emit_modules(batch, backends, [&](std::size_t first) { beat(first, worker_phase::emitting_together); });
    bool heard = true;
    const auto say_failed = [&](std::size_t job, std::string why) {
        heard = say(write_result(static_cast<std::uint32_t>(job), measurement::failed(std::move(why)))) && heard;
    };
    // At once: what the others do to this worker has no part in it.
    for (const auto& [job, why] : modules.late) say_failed(job, why);
    std::map<backend_key, std::string> late;  // why a back end is not waited for again
    std::vector<prepared_job> ready;
    std::vector<std::size_t> number;
    for (std::size_t i = 0; i < batch.jobs.size() && !stopped(); ++i) {
        if (modules.late.contains(i)) continue;
        beat(i, worker_phase::emitting);
        const auto start = std::chrono::steady_clock::now();
        const bool is_region = batch.jobs[i].what == pricing_job::subject::region;
        if (const auto before = late.find(key_of(batch.jobs[i])); before != late.end() && is_region && !modules.kernels.contains(i)) {
            say_failed(i, "it was not tried, since for an earlier kernel " + before->second);
            continue;
        }
        const auto beat_here = [&](worker_phase phase) { beat(i, phase); };
        double check_seconds = 0;
        const refereed_jobs<decltype(beat_here)> check{batch.checks ? referee_ref(referee) : referee_ref(), beat_here, check_seconds};
        auto made = guarded("back end '" + batch.jobs[i].kind + "'", "emitted code",
                            [&] { return prepare(batch.jobs[i], backends, modules.kernels.extract(i), check); });
        if (made) {
            ready.push_back(std::move(*made));
            ready.back().check_seconds = check_seconds;
            number.push_back(i);
            continue;
        }
        const std::string& why = made.failure().message;
        if (is_region && measuring_ground::seconds_since(start) >= compiler_seconds(batch.deadline))
            late.emplace(key_of(batch.jobs[i]), why);
        if (!why.empty()) say_failed(i, why);
    }
    std::vector<measured_kernel> kernels;
    for (const prepared_job& p : ready) {
        kernels.push_back(p.how);
        kernels.back().code = &p.code;
        const travelling_job& job = batch.jobs[number[kernels.size() - 1]];
        kernels.back().rival = job.rival;
        kernels.back().contest = job.contest;
    }
    auto results = [&] {
        const auto before = [&](std::size_t k) { beat(number[k], worker_phase::running); };
        return with_watch(batch.measuring.beside_load, batch.best_clock,
                          [&](auto& watch) { return measure(kernels, batch.measuring, executor, watch, before, stopped); });
    }();
    page.phase.store(worker_phase::reporting);
    page.beats.fetch_add(1);
    for (std::size_t k = 0; k < results.size(); ++k) {
        results[k].unchecked = std::move(ready[k].unchecked);
        results[k].check_seconds = ready[k].check_seconds;
        if (results[k].is_measured() || results[k].has_failed())
            heard = say(write_result(static_cast<std::uint32_t>(number[k]), results[k])) && heard;
    }
    return say(worker_word::end) && heard ? 0 : 1;
}

}  // namespace detail

/// The first thing that `main` of a program that measures does: `if (auto code = worker_main(argc, argv, backends)) return *code;`.
/// Where the process was started as a measuring worker, it measures its batch and gives the exit status; else nothing, at once.
/// `backends` is a `backend_list` in its default state, equal to that of the process that measures. `Executor` is what kernels get
/// their threads from; it is made from the number of threads where it can be. `make_referee(executor)` makes what compares kernels with the
/// meanings of their regions before they are timed, as a `kernel_referee`; without it none is checked.
template <class Executor = serial_executor, class List, class MakeReferee = detail::no_referee>
[[nodiscard]] std::optional<int> worker_main(int argc, char** argv, const List& backends, const MakeReferee& make_referee = {}) {
    if (argc < 2 || std::string_view(argv[1]) != worker_flag) return std::nullopt;
    // An interrupt or an end that is asked for may reach the whole group. The process that waits decides, and takes the worker along.
    for (const int one : {SIGINT, SIGTERM}) std::signal(one, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct stat status {};
    if (fstat(worker_batch_descriptor, &status) != 0 || status.st_size <= static_cast<off_t>(detail::worker_page::bytes)) return 2;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, worker_batch_descriptor, 0);
    if (memory == MAP_FAILED) return 2;
    const auto batch =
        detail::read_batch({static_cast<const char*>(memory) + detail::worker_page::bytes, size - detail::worker_page::bytes});
    if (!batch || !detail::say(detail::worker_word::hello)) return 2;
    if (!batch->cores.empty()) {
        // Before the first thread is made, so that all have them.
        cpu_set_t own;
        CPU_ZERO(&own);
        for (const std::uint32_t core : batch->cores)
            if (core < CPU_SETSIZE) CPU_SET(core, &own);
        (void)sched_setaffinity(0, sizeof own, &own);
    }
    return detail::work<Executor>(*batch, *static_cast<detail::worker_page*>(memory), backends, make_referee);
}

}  // namespace inlay

#endif
