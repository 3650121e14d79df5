// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_ROOFLINE_MODEL_HPP
#define INLAY_COST_ROOFLINE_MODEL_HPP

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/cost/meter.hpp>
#include <inlay/cost/roofline.hpp>

namespace inlay {

/// What running a region takes in the abstract. `flops`: as written. `least_flops`: what the cleverest algorithm needs. `bytes`: what
/// crosses its border.
struct region_work {
    double flops = 0;
    double least_flops = 0;
    double bytes = 0;

    friend bool operator==(const region_work&, const region_work&) = default;
};

/// It counts the work of a region, from its operators' own counts.
///
/// Requires `w(region_view)`.
/// Models: `work_counter` in `ops/`.
template <class W>
concept counts_work = requires(const W& w, const region_view& r) {
    { w(r) } -> std::same_as<region_work>;
};

/// The bytes of a tensor, row-major; 0 where its extents are not known or beyond counting.
[[nodiscard]] inline double bytes_of_tensor(const tensor_type& t) {
    if (!t.is_static()) return 0;
    const auto count = element_count(static_shape(t));
    return count ? static_cast<double>(*count) * static_cast<double>(size_of(t.element)) : 0.0;
}

/// Lower bounds of prices: what the least work of a region, or reading and writing a tensor, takes at peaks that the machine does not
/// exceed. Without peaks 0, which bounds everything. The `bound` of `make_plan`.
template <counts_work W>
class roofline_bounds {
public:
    explicit roofline_bounds(std::optional<machine_peaks> peaks, W work = {}) : peaks_(std::move(peaks)), work_(std::move(work)) {}

    [[nodiscard]] double operator()(const region_view& r) const {
        if (!peaks_) return 0;
        const region_work work = work_(r);
        // A reshape moves nothing, so that only what computes is bound by memory.
        return roofline_seconds(work.least_flops, work.flops > 0 ? work.bytes : 0, *peaks_);
    }
    [[nodiscard]] double operator()(const tensor_type& type, const format&, const format&) const {
        return peaks_ ? roofline_seconds(0, 2 * bytes_of_tensor(type), *peaks_) : 0;
    }

private:
    std::optional<machine_peaks> peaks_;
    W work_;
};

/// Prices by the roofline model, for plans without measuring. A model of `meter`.
template <counts_work W>
class roofline_meter {
public:
    explicit roofline_meter(const machine_peaks& peaks, W work = {}) : peaks_(peaks), work_(std::move(work)) {}

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        std::vector<measurement> found(jobs.size());
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            double seconds = 0;
            if (jobs[i].what == pricing_job::subject::region) {
                const region_work work = work_(jobs[i].region);
                seconds = roofline_seconds(work.flops, work.bytes, peaks_);
            } else {
                seconds = roofline_seconds(0, 2 * bytes_of_tensor(jobs[i].type), peaks_);
            }
            found[i].median = found[i].minimum = seconds;
            found[i].samples = 1;
        }
        return found;
    }

private:
    machine_peaks peaks_;
    W work_;
};

}  // namespace inlay

#endif
