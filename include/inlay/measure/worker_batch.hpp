// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_WORKER_BATCH_HPP
#define INLAY_MEASURE_WORKER_BATCH_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/measure/measure.hpp>
#include <inlay/measure/region_wire.hpp>
#include <inlay/measure/wire.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// The first argument of an executable that is to measure and nothing else. Where its batch and its results stand: the file
/// descriptors 3 and 4. The environment variable tells a process that it is a worker.
inline constexpr std::string_view worker_flag = "--inlay-worker";
inline constexpr int worker_batch_descriptor = 3;
inline constexpr int worker_result_descriptor = 4;
inline constexpr const char* worker_variable = "INLAY_WORKER";

namespace detail {

enum class worker_phase : std::uint32_t { starting, emitting_together, emitting, checking, running, reporting };

/// Memory that a worker and who waits for it share: what it is doing, so that a crash or a hang has a culprit, without a word that
/// would disturb the timing. The batch stands behind it.
struct worker_page {
    static constexpr std::size_t bytes = 4096;

    std::atomic<std::uint64_t> beats{0};  // counts every step forward
    std::atomic<std::uint32_t> job{0};    // where several are emitted together, the first of them
    std::atomic<worker_phase> phase{worker_phase::starting};
    std::atomic<std::uint32_t> stop{0};  // set by who waits: end early, with what there is
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free &&
              sizeof(worker_page) <= worker_page::bytes);

/// One job as it travels: the instance by kind, version and options, the rest in bytes of its own, so that damage stays its own.
struct travelling_job {
    pricing_job::subject what = pricing_job::subject::region;
    std::uint32_t backend = 0, composite = 0;
    std::string kind, version;
    std::vector<std::string> options;  // name, value, name, value
    std::string body;
    double rival = 0;
    std::uint32_t contest = 0;
};
struct travelling_batch {
    measure_options measuring;
    std::uint64_t threads = 1;
    double deadline = 60;              // seconds for emitting one kernel
    double best_clock = 0;             // the least reading of the clock kernel that is known; 0: none
    bool checks = false;               // kernels are compared with the meaning of their regions before they are timed
    std::vector<std::uint32_t> cores;  // the worker's own; none: all that the process may use
    std::vector<travelling_job> jobs;
};

/// Seconds that a compiler has for one kernel under a worker's deadline: fewer, so that the back end tells that it was late before the
/// worker is ended.
[[nodiscard]] inline double compiler_seconds(double deadline) { return 0.9 * deadline; }
/// Seconds that a worker has for so many kernels of one module.
[[nodiscard]] inline double module_seconds(double deadline, std::size_t kernels) { return deadline + static_cast<double>(kernels); }

template <class List>
[[nodiscard]] travelling_job pack(const pricing_job& job, const List& backends) {
    travelling_job t;
    t.what = job.what;
    t.backend = job.backend;
    t.composite = job.composite;
    t.rival = job.rival;
    t.contest = job.contest;
    wire_writer body;
    if (job.what == pricing_job::subject::conversion) {
        write(body, node_type(job.type));
        write(body, job.from);
        write(body, job.to);
    } else {
        backends.visit(job.backend, [&](const auto& b) {
            t.kind = std::string_view(b.kind);
            t.version = b.version();
            for_each_argument(b, [&](std::string_view name, std::string text) {
                t.options.emplace_back(name);
                t.options.push_back(std::move(text));
            });
        });
        if (job.match != nullptr) {
            body.put(std::uint8_t{1});
            write_match(body, *job.match, job.region);
        } else {
            body.put(std::uint8_t{0});
            write_match(body, matched_region({}), job.region);
        }
    }
    t.body = body.take();
    return t;
}

[[nodiscard]] inline std::string write_batch(const travelling_batch& batch) {
    wire_writer w;
    const measure_options& m = batch.measuring;
    w.put(m.warm_up)
        .put(m.least_samples)
        .put(m.most_samples)
        .put(m.seconds_per_kernel)
        .put(m.far_above)
        .put(m.most_seconds)
        .put(m.window_seconds)
        .put(m.patience)
        .put(m.bytes_between)
        .put(static_cast<std::uint8_t>(m.beside_load))
        .put(batch.threads)
        .put(batch.deadline)
        .put(batch.best_clock)
        .put(static_cast<std::uint8_t>(batch.checks))
        .put_list(batch.cores);
    w.put(static_cast<std::uint64_t>(batch.jobs.size()));
    for (const travelling_job& t : batch.jobs) {
        w.put(t.what)
            .put(t.backend)
            .put(t.composite)
            .put(std::string_view(t.kind))
            .put(std::string_view(t.version))
            .put_list(t.options)
            .put(std::string_view(t.body))
            .put(t.rival)
            .put(t.contest);
    }
    return w.take();
}

/// The batch, or nothing where the bytes are none.
[[nodiscard]] inline std::optional<travelling_batch> read_batch(std::string_view bytes) {
    wire_reader r(bytes);
    travelling_batch batch;
    measure_options& m = batch.measuring;
    m.warm_up = r.get<std::uint32_t>();
    m.least_samples = r.get<std::uint32_t>();
    m.most_samples = r.get<std::uint32_t>();
    m.seconds_per_kernel = r.get<double>();
    m.far_above = r.get<double>();
    m.most_seconds = r.get<double>();
    m.window_seconds = r.get<double>();
    m.patience = r.get<double>();
    m.bytes_between = r.get<std::uint64_t>();
    m.beside_load = r.get_bool();
    batch.threads = r.get<std::uint64_t>();
    batch.deadline = r.get<double>();
    batch.best_clock = r.get<double>();
    batch.checks = r.get_bool();
    batch.cores = r.get_list<std::uint32_t>();
    batch.jobs.resize(r.get_count(32));
    for (travelling_job& t : batch.jobs) {
        t.what = r.get_enum(pricing_job::subject::conversion);
        t.backend = r.get<std::uint32_t>();
        t.composite = r.get<std::uint32_t>();
        t.kind = r.get_text();
        t.version = r.get_text();
        t.options = r.get_texts();
        t.body = r.get_text();
        t.rival = r.get<double>();
        t.contest = r.get<std::uint32_t>();
        if (t.options.size() % 2 != 0) r.refuse();
    }
    if (!r.at_end() || batch.threads == 0 || batch.threads > 4096) return std::nullopt;
    return batch;
}

/// What a worker says: that it is there, the result of a job, that it has said all.
enum class worker_word : std::uint8_t { hello, result, end };

[[nodiscard]] inline std::string write_result(std::uint32_t job, const measurement& m) {
    wire_writer w;
    w.put(worker_word::result).put(job).put(m.median).put(m.minimum).put(m.spread).put(m.samples).put(std::string_view(m.failure));
    w.put(m.windows).put(static_cast<std::uint8_t>(m.disturbed)).put(m.when).put(m.clock);
    w.put(std::string_view(m.unchecked)).put(m.check_seconds);
    return w.take();
}
[[nodiscard]] inline measurement read_measurement(wire_reader& r) {
    measurement m;
    m.median = r.get<double>();
    m.minimum = r.get<double>();
    m.spread = r.get<double>();
    m.samples = r.get<std::uint32_t>();
    m.failure = r.get_text();
    m.windows = r.get<std::uint32_t>();
    m.disturbed = r.get_bool();
    m.when = r.get<std::int64_t>();
    m.clock = r.get<double>();
    m.unchecked = r.get_text();
    m.check_seconds = r.get<double>();
    return m;
}

}  // namespace detail

}  // namespace inlay

#endif
