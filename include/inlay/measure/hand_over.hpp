// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_HAND_OVER_HPP
#define INLAY_MEASURE_HAND_OVER_HPP

#include <algorithm>
#include <chrono>  // a leaf: only those who measure include it
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <inlay/codegen/kernel/own_threads.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/cost/database.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/cost/recorded_meter.hpp>
#include <inlay/cost/statistics.hpp>

namespace inlay {

/// Seconds that it costs to leave the threads of one executor for those of another and to come back, beyond what the work takes: threads
/// that slept are woken, and those that still spin hold a core. The median over `rounds` steps of some microseconds on each thread, in
/// turns on both, less the medians of such steps one after the other on either. About 0.3 ms a round.
template <executor Ours, executor Theirs>
[[nodiscard]] double hand_over_seconds(Ours& ours, Theirs& theirs, std::size_t rounds = 100) {
    using clock = std::chrono::steady_clock;
    const auto step = [](auto& on) {
        on.run(static_cast<std::size_t>(on.threads()), [](std::size_t) {
            const auto start = clock::now();
            while (clock::now() - start < std::chrono::microseconds(20)) {}
        });
    };
    const auto median = [&](auto&& run) {
        std::vector<double> seconds;
        for (std::size_t r = 0; r < rounds; ++r) {
            const auto start = clock::now();
            run();
            seconds.push_back(std::chrono::duration<double>(clock::now() - start).count());
        }
        return quantile_of(seconds, 0.5);
    };
    if (rounds == 0) return 0;
    const double alone = median([&] { step(ours), step(ours); }) / 2 + median([&] { step(theirs), step(theirs); }) / 2;
    return std::max(0.0, median([&] { step(ours), step(theirs); }) - alone);
}

/// The same under a meter's conditions: as the database has it, else measured now and written down. 0 where either has one thread. `fault`
/// gets what the database refused, if it did.
template <executor Ours, executor Theirs>
[[nodiscard]] double recorded_hand_over(Ours& ours, Theirs& theirs, cost_database& database, const recording_conditions& conditions,
                                        std::optional<error>* fault = nullptr) {
    if (ours.threads() < 2 || theirs.threads() < 2) return 0;
    const digest key = digest_builder().add("hand-over").add(conditions.machine).add(conditions.measuring).add(conditions.threads).finish();
    if (const auto known = database.get(key)) return known->median;
    measurement m;
    m.median = m.minimum = hand_over_seconds(ours, theirs);
    m.samples = 1;
    m.when = conditions.started;
    if (auto stored = database.put({{key, m, "hand-over between pools of threads", conditions.place}}); !stored && fault != nullptr)
        *fault = stored.failure();
    return m.median;
}

/// Another meter with so many seconds more for each kernel that runs on threads of a library's own: pieces by themselves do not show what
/// waking these costs, nor do programs of one library alone. Refers to meter and back ends, which must outlive it.
template <meter M, class List>
class hand_over_meter {
public:
    hand_over_meter(M& inner, const List& backends, double seconds) : inner_(&inner), backends_(&backends), seconds_(seconds) {}

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        std::vector<measurement> found = inner_->price(jobs);
        for (std::size_t i = 0; i < found.size(); ++i) add_to(found[i], jobs[i]);
        return found;
    }

    /// Adds it to a price that another one gave.
    void add_to(measurement& m, const pricing_job& job) const {
        const auto wakes = [&](const auto& b) { return wakes_own_threads(b, job.name); };
        if (!m.is_measured() || job.what != pricing_job::subject::region || !backends_->visit(job.backend, wakes)) return;
        m.median += seconds_;
        m.minimum += seconds_;
        m.spread += seconds_;
    }

private:
    M* inner_;
    const List* backends_;
    double seconds_;
};

}  // namespace inlay

#endif
