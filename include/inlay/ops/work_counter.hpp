// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_WORK_COUNTER_HPP
#define INLAY_OPS_WORK_COUNTER_HPP

#include <inlay/candidate/region.hpp>
#include <inlay/cost/roofline_model.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// Counts the work of regions by the operators of a set; those that it does not know, or that count none, do none. A model of
/// `counts_work`. O(values of the region).
template <op_set Ops>
struct work_counter {
    /// By how much the cleverest algorithm does less than the direct one on images with kernels of three rows: Winograd's F(4x4, 3x3) has a
    /// quarter of the multiplications (Lavin, Gray 2016). Raise it where a back end knows better: bounds above true prices make plans that
    /// are not the cheapest.
    double image_convolution_saving = 4;

    [[nodiscard]] region_work operator()(const region_view& r) const {
        region_work sum;
        for (const region_value& v : r.calls()) {
            if (v.kind != region_value::role::call) continue;
            const op_definition* op = Ops::find(v.op);
            if (op == nullptr || op->work == nullptr) continue;
            with_call_view(r, v, [&](const call_view& call) {
                const double flops = op->work(call, *v.type).flops;
                sum.flops += flops;
                sum.least_flops += has_fast_algorithm(call) ? flops / image_convolution_saving : flops;
            });
        }
        for (const region_value& v : r.inputs()) sum.bytes += bytes_of_tensor(v.type->of_tensor);
        for (const value_id v : r.results) sum.bytes += bytes_of_tensor(r.type(v));
        return sum;
    }

private:
    [[nodiscard]] static bool has_fast_algorithm(const call_view& call) {
        return call.op == "onnx.Conv" && call.arity() > 1 && call.type(1).rank() == 4 && call.type(1).extents[2].size == 3;
    }
};

}  // namespace inlay

#endif
