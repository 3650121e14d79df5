// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_METER_HPP
#define INLAY_COST_METER_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// One thing to be priced by running it: a region on a back end in the formats that the view holds, or a conversion of a tensor. The
/// region's maker must outlive it.
struct pricing_job {
    enum class subject : std::uint8_t { region, conversion };

    subject what = subject::region;
    std::uint32_t backend = 0;  // its place in the back-end list
    region_view region;
    tensor_type type;           // of the tensor to convert
    format from, to;

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

}  // namespace inlay

#endif
