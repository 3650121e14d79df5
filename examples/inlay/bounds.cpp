// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "bounds.hpp"

#include <inlay/candidate/region.hpp>
#include <inlay/ops/onnx_ops_elsewhere.hpp>

namespace tool {

using namespace inlay;

namespace {

double bytes_of(const tensor_type& t) {
    const auto count = element_count(static_shape(t));
    return count ? static_cast<double>(*count) * static_cast<double>(size_of(t.element)) : 0.0;
}

/// Multiplications that no algorithm used here needs: Winograd's F(4x4, 3x3) does a quarter of the direct method's.
double least_flops(const call_view& call, double flops) {
    if (call.op == "onnx.Conv" && call.arity() > 1 && call.type(1).rank() == 4 && call.type(1).extents[2].size == 3) return flops / 4;
    return flops;
}

double seconds_of(const region_view& r, const machine_peaks& peaks, bool at_least) {
    double flops = 0, bytes = 0;
    for (const region_value& v : r.calls()) {
        if (v.kind != region_value::role::call) continue;
        const op_definition* op = onnx_ops::find(v.op);
        if (op == nullptr || op->work == nullptr) continue;
        flops += with_call_view(r, v, [&](const call_view& call) {
            const double all = op->work(call, *v.type).flops;
            return at_least ? least_flops(call, all) : all;
        });
    }
    // A reshape moves nothing, so as a bound only regions that compute are bound by memory.
    if (flops > 0 || !at_least) {
        for (const region_value& v : r.inputs()) bytes += bytes_of(v.type->of_tensor);
        for (const value_id v : r.results) bytes += bytes_of(r.type(v));
    }
    return roofline_seconds(flops, bytes, peaks);
}

}  // namespace

double lower_bounds::operator()(const region_view& r) const { return peaks ? seconds_of(r, *peaks, true) : 0; }

double lower_bounds::operator()(const tensor_type& type, const format&, const format&) const {
    return peaks ? roofline_seconds(0, 2 * bytes_of(type), *peaks) : 0;
}

machine_peaks highest_peaks(double threads) { return {300e9 * threads, 600e9 * threads, 0}; }

std::vector<measurement> model_meter::price(std::span<const pricing_job> jobs) const {
    const machine_peaks peaks{50e9 * threads, 20e9 * threads, 1e-6};
    std::vector<measurement> found(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const pricing_job& job = jobs[i];
        const double seconds = job.what == pricing_job::subject::region ? seconds_of(job.region, peaks, false)
                                                                        : roofline_seconds(0, 2 * bytes_of(job.type), peaks);
        found[i].median = found[i].minimum = seconds;
        found[i].samples = 1;
    }
    return found;
}

}  // namespace tool
