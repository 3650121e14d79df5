// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_METER_HPP
#define INLAY_COST_METER_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/graph/tensor_type.hpp>

namespace inlay {

/// Something to be priced: a region on a back end (by its place in the list of back ends) in the formats that the view holds, or the
/// conversion of a tensor between two formats.
struct pricing_job {
    enum class subject : std::uint8_t { region, conversion };

    subject what = subject::region;
    std::size_t backend = 0;
    region_view region;
    tensor_type type;  // of the tensor to convert
    format from;
    format to;
};

/// Prices candidates and conversions: by running them, by a model, from a table. Gives one measurement per job, in order; a job that
/// could not be run has its reason and an infinite price, and a job that was not reached (cancelled) has no samples and no reason.
///
/// Models: `worker_meter`, `in_process_meter` and `database_meter` in `runtime/`; `model_meter` and `table_meter`.
template <class M>
concept meter = requires(M& m, std::span<const pricing_job> jobs) {
    { m.price(jobs) } -> std::same_as<std::vector<measurement>>;
};

}  // namespace inlay

#endif
