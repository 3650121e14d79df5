// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_QUANTIZED_MEAN_HPP
#define INLAY_BACKEND_QUANTIZED_MEAN_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/image_axes.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/backend/quantized_bytes.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>

namespace inlay::detail {

/// Means of bytes as numbers over windows or over whole images: DequantizeLinear, AveragePool, GlobalAveragePool or ReduceMean over the
/// spatial axes, QuantizeLinear.
struct quantized_mean {
    quantized_bytes x, y;
    image_axes axes;
    std::int64_t counted = 0;  // by how many places a sum is divided; 0: by those in the image
    bool is_global = false;

    /// Reads a region of that. Precondition: the shapes of its values are known. The error says what of it is otherwise.
    [[nodiscard]] static outcome<quantized_mean> read(const region_view& r) {
        const region_value *numbers = nullptr, *mean = nullptr, *steps = nullptr;
        for (const region_value& v : r.calls())
            (v.op == "onnx.DequantizeLinear" ? numbers : v.op == "onnx.QuantizeLinear" ? steps : mean) = &v;
        if (numbers == nullptr || mean == nullptr || steps == nullptr || r.results.size() != 1 || &r[r.results[0]] != steps ||
            &r[steps->operands[0]] != mean || &r[mean->operands[0]] != numbers || numbers->operands[0] >= r.input_count)
            return error{"it is no mean between DequantizeLinear of an input and QuantizeLinear"};
        const auto from = quantized_bytes_of(r, *numbers), to = quantized_bytes_of(r, *steps);
        if (!from) return from.failure();
        if (!to) return to.failure();
        quantized_mean made;
        made.x = *from;
        made.y = *to;
        made.y.value = r.results[0];
        for (const quantized_bytes& b : {made.x, made.y}) {
            if (!is_byte(r.type(b.value).element)) return error{"a tensor of type " + to_string(r.type(b.value)) + " is none of bytes"};
            if (!b.has_ordinary_scale()) return error{"a scale is not between 1e-15 and 1e15"};
        }
        const std::vector<std::int64_t> in = static_shape(r.type(made.x.value));
        if (in.size() != 3 && in.size() != 4) return error{"only windows of one or two axes are computed"};
        bool counts_pads = false;
        if (mean->op == "onnx.AveragePool") {
            const auto axes = image_axes_of(r, *mean, std::vector<std::int64_t>(in.size() - 2, -1));
            if (!axes) return axes.failure();
            made.axes = *axes;
            const auto given = inlay::read<average_pool_attributes>(*mean->attributes);
            counts_pads = given.count_include_pad;
            if (counts_pads && given.ceil_mode) return error{"an average that counts pads may have windows beyond them"};
        } else {
            if (mean->op == "onnx.ReduceMean" ? !reduces_spatial_axes(r, *mean, in.size()) : mean->op != "onnx.GlobalAveragePool")
                return error{std::string(mean->op) + " is no mean over all spatial axes and no others"};
            const auto whole = [](std::int64_t extent) { return tap_axis{extent, 1, extent, 1, 1, 0}; };
            made.axes = {in.size() == 4 ? whole(in[2]) : tap_axis{}, whole(in.back())};
            made.is_global = true;
        }
        // Sums of so many numbers are exact in float64, whatever their order.
        constexpr std::int64_t most = std::int64_t{1} << 20;
        if (made.axes.y.taps > most || made.axes.x.taps > most || made.axes.y.taps * made.axes.x.taps > most)
            return error{"a mean of more than a million numbers"};
        if (counts_pads) made.counted = made.axes.y.taps * made.axes.x.taps;
        return made;
    }
};

}  // namespace inlay::detail

#endif
