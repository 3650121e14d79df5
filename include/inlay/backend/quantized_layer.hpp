// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_QUANTIZED_LAYER_HPP
#define INLAY_BACKEND_QUANTIZED_LAYER_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/accelerator/tap_axis.hpp>
#include <inlay/backend/image_axes.hpp>
#include <inlay/backend/only_call.hpp>
#include <inlay/backend/quantized_steps.hpp>
#include <inlay/backend/static_region.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/quantization_attributes.hpp>
#include <inlay/ops/onnx/quantized_products.hpp>

namespace inlay::detail {

/// A QLinearConv or QLinearMatMul with constant weights, over an image of one or two axes whose channels lie side by side. A product of
/// matrices is one row of places without a window. Its tensors are those of the region that it was read off.
struct quantized_layer {
    std::int64_t images = 1, groups = 1, channels = 1, filters = 1;  // channels and filters of one group
    tap_axis y, x;
    quantized_steps steps;
    bool is_image = false;   // channels are the second axis outside
    bool is_signed = false;  // what the input's bytes are

    [[nodiscard]] std::int64_t taps() const { return y.taps * x.taps; }

    /// The weight from a channel of a group to an output channel of all groups, less its zero point: -255 to 255.
    [[nodiscard]] std::int32_t weight(std::int64_t filter, std::int64_t channel, std::int64_t tap) const {
        const std::int64_t at = is_image ? (filter * channels + channel) * taps() + tap : channel * filters + filter;
        return whole_number_at(*steps.weights, static_cast<std::size_t>(at)) - steps.weight_zero(static_cast<std::size_t>(filter));
    }

    /// Reads a region of one such call. The error says what of it is computed, or has another form.
    [[nodiscard]] static outcome<quantized_layer> read(const region_view& r) {
        const region_value* only = only_call(r);
        if (only == nullptr) return error{"behind a quantised product nothing else is done with it"};
        const region_value& call = *only;
        if (r.input_count != 1 || call.operands[linear_product.x] != 0)
            return error{"it reads other tensors than one, or its weights are computed"};
        if (auto fine = check_static_region(r); !fine) return fine.failure();
        const auto steps = quantized_steps_of(r, call);
        if (!steps) return steps.failure();
        quantized_layer made;
        made.steps = *steps;
        made.is_signed = r.type(0).element == element_type::int8;
        const std::vector<std::int64_t> x = static_shape(r.type(0)), w = steps->weights->extents(), y = static_shape(r.type(r.results[0]));
        if (call.op == "onnx.QLinearConv") {
            const auto axes = image_axes_of(r, call, {w.begin() + 2, w.end()});
            if (!axes) return axes.failure();
            made.is_image = true;
            made.y = axes->y;
            made.x = axes->x;
            made.images = x[0];
            made.groups = inlay::read<integer_conv_attributes>(*call.attributes).group;
            made.channels = w[1];
            made.filters = y[1] / made.groups;
        } else {
            if (w.size() != 2 || x.size() < 2) return error{"rows are multiplied by one matrix of weights, not by several"};
            made.x.in = made.x.out = extent_product(x, 0, x.size() - 1);
            made.channels = x.back();
            made.filters = y.back();
        }
        if (made.images * made.y.out * made.x.out * made.filters * made.channels * made.taps() == 0)
            return error{"there is nothing to sum"};
        for (std::int64_t f = 0; f < made.groups * made.filters; ++f)
            if (!std::isfinite(steps->scale(static_cast<std::size_t>(f))))
                return error{"the scale of output channel " + std::to_string(f) + " is not finite"};
        return made;
    }

    /// The same where each place reads its own pixel alone: one row of places.
    [[nodiscard]] quantized_layer flattened() const {
        if (!y.is_plain() || !x.is_plain()) return *this;
        quantized_layer made = *this;
        made.images = 1;
        made.y = {};
        made.x.in = made.x.out = images * y.out * x.out;
        return made;
    }
};

}  // namespace inlay::detail

#endif
