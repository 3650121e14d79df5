// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_RECORDED_METER_HPP
#define INLAY_COST_RECORDED_METER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/content_key.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/database.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/cost/memory_shortage.hpp>
#include <inlay/cost/meter.hpp>

namespace inlay {

/// What a recorded price holds for, beside the job.
struct recording_conditions {
    digest machine;  // `content_of(this_machine())`
    std::uint64_t threads = 1;
    digest measuring;               // of how the meter measures
    std::string place;              // machine and threads in words
    std::size_t jobs_at_once = 64;  // after so many, what was found is written to the database
    bool failures_again = false;    // whether jobs that failed before are tried anew
    bool programs_again = false;    // whether programs that were run before are run anew
    bool keeps_known = false;       // whether what is known stays, old, disturbed, failed or doubted as it may be
    std::int64_t started = 0;       // when this run began, in seconds since 1970; 0: nothing that is known counts as old or disturbed
    std::int64_t old_before = 0;    // what was measured before that is measured again
    /// Asked when a price was disturbed; where it says yes, or is not there, the price is measured again.
    bool (*is_calm)() = nullptr;

    /// Whether a known price is measured again: it is doubted, it failed and is tried anew or for want of memory, or it is old or was
    /// disturbed and not by this run already.
    [[nodiscard]] bool measures_again(const measurement& known, bool is_doubted = false) const {
        if (keeps_known) return false;
        if (is_memory_shortage(known.failure)) return true;
        if (is_doubted || (failures_again && known.has_failed())) return true;
        if (known.when >= started) return false;
        return known.when < old_before || (known.disturbed && (is_calm == nullptr || is_calm()));
    }
};

/// The key of a job's measurement under given conditions.
template <class List>
[[nodiscard]] digest job_key(const pricing_job& job, const List& backends, const recording_conditions& conditions) {
    return measurement_key(job_content(job, backends), conditions.machine, conditions.threads, conditions.measuring);
}

/// `onednn.convolution_winograd: Conv+Relu`, `convert float32[1,3] from float32:plain to float32:channels_last`: for people who read the
/// database.
template <class List>
[[nodiscard]] std::string job_label(const pricing_job& job, const List& backends) {
    if (job.what == pricing_job::subject::conversion)
        return "convert " + to_string(job.type) + " from " + to_string(job.from) + " to " + to_string(job.to);
    std::string text = backends.visit(job.backend, [](const auto& b) { return std::string(std::string_view(b.kind)); });
    if (!job.name.empty()) text += "." + std::string(job.name);
    text += ":";
    char between = ' ';
    for (const region_value& v : job.region.calls()) {
        if (v.kind != region_value::role::call) continue;
        text += between;
        text += v.op.substr(v.op.rfind('.') + 1);
        between = '+';
    }
    return text;
}

/// A meter that looks a price up before it asks another meter, asks once for jobs of equal content, and writes down what it learns, a
/// few at a time, so that an interrupted run keeps what was measured. Measures again what is stale under its conditions or doubted by
/// who asks; what was disturbed then replaces nothing better. `backends` is a `backend_list`. Refers to all three, which must
/// outlive it.
template <meter M, class List>
class recorded_meter {
public:
    recorded_meter(M& inner, cost_database& database, const List& backends, recording_conditions conditions)
        : inner_(&inner), database_(&database), backends_(&backends), conditions_(std::move(conditions)) {}

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        std::vector<measurement> result(jobs.size());
        std::vector<char> is_known(jobs.size(), 0);
        std::vector<digest> keys;
        std::vector<std::size_t> missing;                  // the first job of each content that has no price
        std::map<digest, std::vector<std::size_t>> equal;  // all jobs of such a content
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            keys.push_back(key_of(jobs[i]));
            auto found = database_->get(keys[i]);
            if (found && !conditions_.measures_again(*found, jobs[i].again)) {
                result[i] = *std::move(found);
                ++known_;
                disturbed_ += result[i].disturbed;
                continue;
            }
            known_ += found.has_value();
            // What is measured again and is disturbed may be worse than what was known, and what is not reached is no worse.
            if (found && !jobs[i].again && found->is_measured()) result[i] = *std::move(found);
            is_known[i] = found.has_value();
            auto& same = equal[keys[i]];
            if (same.empty()) missing.push_back(i);
            same.push_back(i);
        }
        const std::size_t step = std::max<std::size_t>(conditions_.jobs_at_once, 1);
        for (std::size_t first = 0; first < missing.size(); first += step) {
            const std::span<const std::size_t> now(missing.data() + first, std::min(step, missing.size() - first));
            std::vector<pricing_job> asked;
            for (const std::size_t i : now) asked.push_back(jobs[i]);
            const std::vector<measurement> learned = inner_->price(asked);
            std::vector<cost_record> records;
            for (std::size_t k = 0; k < now.size() && k < learned.size(); ++k) {
                if (!learned[k].is_measured() && !learned[k].has_failed()) continue;
                ++(is_known[now[k]] != 0 ? again_ : asked_);
                const bool is_better = learned[k].replaces(result[now[k]]);
                if (is_better)
                    for (const std::size_t i : equal[keys[now[k]]]) result[i] = learned[k];
                disturbed_ += result[now[k]].disturbed;
                if (is_better && !is_memory_shortage(learned[k].failure))
                    records.push_back({keys[now[k]], learned[k], label_of(jobs[now[k]]), conditions_.place});
            }
            if (auto stored = database_->put(records); !stored) fault_ = stored.failure();
        }
        return result;
    }

    /// The key of a job's measurement under this meter's conditions.
    [[nodiscard]] digest key_of(const pricing_job& job) const { return job_key(job, *backends_, conditions_); }
    [[nodiscard]] std::string label_of(const pricing_job& job) const { return job_label(job, *backends_); }

    /// How many prices the database had, and how many the other meter was asked for since it had none, over all calls.
    [[nodiscard]] std::size_t known() const { return known_; }
    [[nodiscard]] std::size_t asked() const { return asked_; }
    /// How many of those that it had were measured again.
    [[nodiscard]] std::size_t again() const { return again_; }
    /// How many of all were disturbed when they were measured.
    [[nodiscard]] std::size_t disturbed() const { return disturbed_; }
    /// What the database last refused, if it did: one sentence. The prices are in its memory.
    [[nodiscard]] const std::optional<error>& fault() const { return fault_; }

private:
    M* inner_;
    cost_database* database_;
    const List* backends_;
    recording_conditions conditions_;
    std::size_t known_ = 0, asked_ = 0, again_ = 0, disturbed_ = 0;
    std::optional<error> fault_;
};

}  // namespace inlay

#endif
