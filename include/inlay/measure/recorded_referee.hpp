// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_RECORDED_REFEREE_HPP
#define INLAY_MEASURE_RECORDED_REFEREE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/content_key.hpp>
#include <inlay/codegen/kernel/referee_ref.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/database.hpp>
#include <inlay/cost/memory_shortage.hpp>

namespace inlay {

/// Raised when what a check compares changes: older verdicts are then no longer believed.
inline constexpr std::uint64_t check_schema = 2;

/// What a recorded verdict holds for, beside the kernel.
struct check_conditions {
    digest machine;  // `content_of(this_machine())`, with its instruction sets
    std::uint64_t threads = 1;
    std::string place;  // machine and threads in words
};

/// The key of a kernel's check: it changes iff the back end, its version or options, the composite, the region, the constants that it
/// reads, the formats at its border, the machine or the threads do. Linear in the constants.
[[nodiscard]] inline digest check_key(const kernel_case& c, const check_conditions& conditions) {
    const region_content content = content_of(*c.region);
    digest_builder b;
    b.add(check_schema).add(conditions.machine).add(conditions.threads);
    b.add(content_key(content, *c.region, c.kind, c.version, c.target, c.composite));
    for (const region_value& v : c.region->constants())
        if (v.value != nullptr) b.add(v.value->content());
    return b.finish();
}

/// A referee that looks a verdict up before it asks another referee, and writes down what that one says: a kernel that was right here is
/// not compared again, and one that was wrong stays wrong. A back end without a version is asked about each time. Changes of layout are
/// always compared. Refers to both, which must outlive it.
template <referee R>
class recorded_referee {
public:
    recorded_referee(R& inner, cost_database& database, check_conditions conditions)
        : inner_(&inner), database_(&database), conditions_(std::move(conditions)) {}

    [[nodiscard]] outcome<kernel_verdict> judge(const kernel_case& c) {
        if (c.version.empty()) return inner_->judge(c);
        const digest key = check_key(c, conditions_);
        if (auto known = database_->find_check(key); known && !is_memory_shortage(known->failure)) {
            ++known_;
            if (!known->failure.empty()) return error{std::move(known->failure)};
            return kernel_verdict{known->largest_error, known->compared, {}};
        }
        auto verdict = inner_->judge(c);
        if (verdict ? !verdict->is_checked() : is_memory_shortage(verdict.failure().message)) return verdict;
        check_record record{key, 0, 0, {}, std::string(c.target) + "." + std::string(c.composite), conditions_.place};
        if (verdict) {
            record.largest_error = verdict->largest_error;
            record.compared = verdict->compared;
        } else {
            record.failure = verdict.failure().message;
        }
        // Where it cannot be kept, the next call compares again.
        (void)database_->keep_check(record).has_value();
        return verdict;
    }
    [[nodiscard]] outcome<kernel_verdict> judge_conversion(const kernel& code, const std::vector<std::int64_t>& extents, const format& from,
                                                           const format& to) {
        return inner_->judge_conversion(code, extents, from, to);
    }

    /// How many verdicts the database had.
    [[nodiscard]] std::size_t known() const { return known_; }

private:
    R* inner_;
    cost_database* database_;
    check_conditions conditions_;
    std::size_t known_ = 0;
};

}  // namespace inlay

#endif
