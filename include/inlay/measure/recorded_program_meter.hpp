// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_RECORDED_PROGRAM_METER_HPP
#define INLAY_MEASURE_RECORDED_PROGRAM_METER_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/cost/recorded_meter.hpp>
#include <inlay/measure/measure_program.hpp>
#include <inlay/plan/plan_jobs.hpp>

namespace inlay {

/// A program_meter that writes down what it learns, and runs no programs that were run before, together: what a piece took hangs on the
/// program around it and, between programs that are compared, on their having run in the same rounds. Refers to all that it is given, which
/// must outlive it; `stop()` is asked between runs.
template <attributed_graph G, class List, class Stop>
class recorded_program_meter {
public:
    recorded_program_meter(const G& g, const List& backends, cost_database& database, recording_conditions conditions,
                           executor_ref executor, const measure_program_options& options, Stop stop, emitted_kernels* known = nullptr)
        : g_(&g),
          backends_(&backends),
          database_(&database),
          conditions_(std::move(conditions)),
          executor_(executor),
          options_(options),
          stop_(std::move(stop)),
          known_(known) {
        // Prices in place and prices alone are not the same thing.
        conditions_.measuring = digest_builder()
                                    .add("in place")
                                    .add(conditions_.measuring)
                                    .add(std::uint64_t{options.warm_up})
                                    .add(std::uint64_t{options.least_runs})
                                    .add(std::uint64_t{options.most_runs})
                                    .add(options.seconds)
                                    .add(options.bytes_between)
                                    .finish();
        conditions_.place += ", in a program";
    }

    [[nodiscard]] std::vector<program_timing> operator()(const candidate_set& set, std::span<const std::vector<std::size_t>> covers) {
        std::vector<std::vector<digest>> keys;
        for (const auto& cover : covers) keys.push_back(keys_of(set, cover));
        const digest together = key_of(keys);
        std::vector<program_timing> told(covers.size());
        bool known = conditions_.keeps_known || !conditions_.programs_again;
        for (std::size_t i = 0; i < covers.size() && known; ++i) known = recall(set, covers[i], keys[i], program_key(together, i), told[i]);
        if (known) {
            count_disturbed(told);
            return told;
        }
        told = measure_programs(*g_, *backends_, set, covers, executor_, options_, stop_, known_);
        run_ += told.size();
        count_disturbed(told);
        std::vector<cost_record> records;
        for (std::size_t i = 0; i < told.size(); ++i) {
            const digest program = program_key(together, i);
            for (const auto& [number, m] : told[i].candidates) add_record(records, pricing_job::of(set.candidates[number]), program, m);
            for (const auto& [c, m] : told[i].conversions) add_record(records, job_of(*g_, c), program, m);
        }
        if (auto stored = database_->put(records); !stored) fault_ = stored.failure();
        return told;
    }

    /// How many programs were run, over all calls.
    [[nodiscard]] std::size_t programs_run() const { return run_; }
    /// How many programs, run or looked up, were disturbed when they ran.
    [[nodiscard]] std::size_t disturbed() const { return disturbed_; }
    /// What the database last refused, if it did: one sentence. The prices are in its memory.
    [[nodiscard]] const std::optional<error>& fault() const { return fault_; }

private:
    [[nodiscard]] digest key_of(const pricing_job& job) const { return job_key(job, *backends_, conditions_); }
    [[nodiscard]] std::vector<digest> keys_of(const candidate_set& set, const std::vector<std::size_t>& cover) const {
        std::vector<digest> keys;
        for (const std::size_t number : cover) keys.push_back(key_of(pricing_job::of(set.candidates[number])));
        return keys;
    }
    /// Programs that are run together: by their pieces.
    [[nodiscard]] static digest key_of(const std::vector<std::vector<digest>>& programs) {
        digest_builder all;
        for (const auto& pieces : programs) {
            all.add(std::uint64_t{pieces.size()});
            for (const digest& piece : pieces) all.add(piece);
        }
        return all.finish();
    }
    [[nodiscard]] static digest program_key(const digest& together, std::size_t number) {
        return digest_builder().add(together).add(std::uint64_t{number}).finish();
    }
    [[nodiscard]] static digest piece_key(const digest& program, const digest& job) {
        return digest_builder().add(program).add(job).finish();
    }

    [[nodiscard]] bool recall(const candidate_set& set, const std::vector<std::size_t>& cover, const std::vector<digest>& keys,
                              const digest& program, program_timing& into) {
        for (std::size_t i = 0; i < cover.size(); ++i) {
            auto known = database_->get(piece_key(program, keys[i]));
            if (!known || !known->is_measured() || conditions_.measures_again(*known)) return false;
            into.candidates.emplace_back(cover[i], *std::move(known));
        }
        for (const conversion& c : partition(*g_, set, cover).conversions) {
            auto known = database_->get(piece_key(program, key_of(job_of(*g_, c))));
            if (!known || !known->is_measured() || conditions_.measures_again(*known)) return false;
            into.conversions.emplace_back(c, *std::move(known));
        }
        return true;
    }
    void add_record(std::vector<cost_record>& records, const pricing_job& job, const digest& program, const measurement& m) const {
        records.push_back({piece_key(program, key_of(job)), m, job_label(job, *backends_), conditions_.place});
    }

    void count_disturbed(const std::vector<program_timing>& told) {
        for (const program_timing& t : told) disturbed_ += !t.candidates.empty() && t.candidates.front().second.disturbed;
    }

    const G* g_;
    const List* backends_;
    cost_database* database_;
    recording_conditions conditions_;
    executor_ref executor_;
    measure_program_options options_;
    Stop stop_;
    emitted_kernels* known_;
    std::size_t run_ = 0, disturbed_ = 0;
    std::optional<error> fault_;
};

}  // namespace inlay

#endif
