// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_METER_HPP
#define INLAY_COST_METER_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// One thing to be priced by running it: a candidate, or a conversion of a tensor. The candidate must outlive it.
struct pricing_job {
    enum class subject : std::uint8_t { region, conversion };

    subject what = subject::region;
    std::uint32_t backend = 0;              // its place in the back-end list
    std::uint32_t composite = 0;            // its place in the back end's pattern table, or behind it
    std::string_view name;                  // of the composite
    const matched_region* match = nullptr;  // what the composite learned; null where the region alone decides
    region_view region;                     // in the formats that are priced
    tensor_type type;                       // of the tensor to convert
    format from, to;
    bool again = false;  // what is known of its price is doubted: it is to be measured anew
    /// The least price that is known of what does the same: far above it, a price need not be exact. Jobs of one contest, other than 0, do
    /// the same as each other.
    double rival = std::numeric_limits<double>::infinity();
    std::uint32_t contest = 0;

    [[nodiscard]] static pricing_job of(const candidate& c) {
        pricing_job job;
        job.backend = c.backend;
        job.composite = c.composite;
        job.name = c.name;
        job.match = c.match.get();
        job.region = c.view();
        return job;
    }
    /// Of a region that no composite took, and whose code the region alone decides.
    [[nodiscard]] static pricing_job of(std::uint32_t backend, const region_view& region) {
        pricing_job job;
        job.backend = backend;
        job.region = region;
        return job;
    }
    [[nodiscard]] static pricing_job of(const tensor_type& type, const format& from, const format& to) {
        pricing_job job;
        job.what = subject::conversion;
        job.type = type;
        job.from = from;
        job.to = to;
        return job;
    }
};

/// Where progress goes: called with what is going on, how many are done, and of how many. Refers to the callable, which must outlive
/// it; without one, progress goes nowhere.
class progress_ref {
public:
    progress_ref() = default;

    template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, progress_ref> && std::invocable<F&, std::string_view, std::size_t, std::size_t>)
        progress_ref(F& report)
        : state_(&report), call_([](void* state, std::string_view phase, std::size_t done, std::size_t total) {
              (*static_cast<F*>(state))(phase, done, total);
          }) {}

    void operator()(std::string_view phase, std::size_t done, std::size_t total) const {
        if (call_ != nullptr) call_(state_, phase, done, total);
    }

private:
    void* state_ = nullptr;
    void (*call_)(void*, std::string_view, std::size_t, std::size_t) = nullptr;
};

/// It prices jobs: one measurement per job, in their order. A job that does not run has the reason; one that the meter did not get to
/// has neither samples nor a reason.
///
/// Requires `m.price(jobs)`.
/// Models: `recorded_meter`; `worker_meter` in `runtime/`. Archetype: `archetype_meter`.
template <class M>
concept meter = requires(M& m, std::span<const pricing_job> jobs) {
    { m.price(jobs) } -> std::same_as<std::vector<measurement>>;
};

/// A meter behind one indirect call, so that planning with several is compiled once. Refers to the meter, which must outlive it.
class meter_ref {
public:
    template <meter M>
    requires(!std::same_as<M, meter_ref>) meter_ref(M& m)
        : meter_(const_cast<void*>(static_cast<const void*>(&m))),
          price_([](void* self, std::span<const pricing_job> jobs) { return static_cast<M*>(self)->price(jobs); }) {}

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const { return price_(meter_, jobs); }

private:
    void* meter_;
    std::vector<measurement> (*price_)(void*, std::span<const pricing_job>);
};

}  // namespace inlay

#endif
