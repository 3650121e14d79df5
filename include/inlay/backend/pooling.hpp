// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_POOLING_HPP
#define INLAY_BACKEND_POOLING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/spatial_window.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A maximum or an average over windows or over all places, the latter also where it is spelled as a reduction over the spatial axes.
struct pooling {
    bool average = false;
    bool counts_pads = false;  // of an average: places outside count as zeros
    bool global = false;
    bool dropped = false;  // the result has no spatial axes
    bool ceiling = false;  // a last place that is only partly inside counts
    spatial_window window;
    std::vector<std::int64_t> x_extents;
    std::vector<std::int64_t> y_extents;  // with the spatial axes, even where they are dropped
};

inline constexpr auto pattern_of_pooling = dsl::call_on<1, "onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool",
                                                        "onnx.GlobalMaxPool", "onnx.ReduceMean", "onnx.ReduceMax">(dsl::any);

/// Whether a reduction of a tensor of `rank` axes is over all but the first two.
[[nodiscard]] inline bool reduces_spatial_axes(const region_view& r, const region_value& c, std::size_t rank) {
    if (!r.has_operand(c, 1) || r.operand(c, 1).value == nullptr) return false;
    auto axes = integers_of(*r.operand(c, 1).value);
    if (!axes || axes->size() + 2 != rank) return false;
    for (std::int64_t& a : *axes) a += a < 0 ? static_cast<std::int64_t>(rank) : 0;
    std::sort(axes->begin(), axes->end());
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if ((*axes)[i] != static_cast<std::int64_t>(i + 2)) return false;
    return true;
}

/// Reads a call as a pooling of an input of `least` to `most` axes. Error: another call, or windows that do not fit.
[[nodiscard]] inline outcome<pooling> read_pooling(const region_view& r, value_id call, std::size_t least, std::size_t most) {
    const region_value& c = r[call];
    const std::string op(c.op);
    if (c.operands.empty() || r[c.operands[0]].kind != region_value::role::input)
        return error{op + " is not applied to an input of the region"};
    pooling p;
    p.x_extents = static_shape(r.type(c.operands[0]));
    const std::size_t rank = p.x_extents.size();
    if (rank < least || rank > most)
        return error{op + " of a tensor of rank " + std::to_string(rank) + "; the library takes " + std::to_string(least) +
                     (least == most ? "" : " to " + std::to_string(most))};
    p.average = op == "onnx.AveragePool" || op == "onnx.GlobalAveragePool" || op == "onnx.ReduceMean";
    if (op == "onnx.MaxPool" || op == "onnx.AveragePool") {
        p.y_extents = static_shape(r.type(call));
        const auto given = inlay::read<max_pool_attributes>(*c.attributes);
        if (given.storage_order != 0) return error{"storage_order is 1"};
        p.ceiling = given.ceil_mode;
        p.counts_pads = p.average && inlay::read<average_pool_attributes>(*c.attributes).count_include_pad;
        auto window =
            window_between(*c.attributes, p.x_extents, p.y_extents, {given.kernel_shape.begin(), given.kernel_shape.end()}, p.ceiling);
        if (!window) return window.failure();
        p.window = *std::move(window);
        return p;
    }
    if (op == "onnx.ReduceMean" || op == "onnx.ReduceMax") {
        if (!reduces_spatial_axes(r, c, rank)) return error{"the reduction is not over all spatial axes and no others"};
        p.dropped = !inlay::read<reduce_attributes>(*c.attributes).keepdims;
    } else if (op != "onnx.GlobalAveragePool" && op != "onnx.GlobalMaxPool") {
        return error{op + " is no pooling"};
    }
    p.global = true;
    p.window = spatial_window::over({p.x_extents.begin() + 2, p.x_extents.end()});
    p.window.strides = p.window.kernel;
    p.y_extents = {p.x_extents[0], p.x_extents[1]};
    p.y_extents.resize(rank, 1);
    return p;
}

}  // namespace inlay::detail

#endif
