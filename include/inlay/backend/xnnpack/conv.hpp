// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_CONV_HPP
#define INLAY_BACKEND_XNNPACK_CONV_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/image_slices.hpp>
#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/maybe_clamped.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/backend/xnnpack/slices.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Convolution and transposed convolution of images with constant weights, and batch normalisation, which is a convolution of each channel
/// with one number. Batch normalisation, factors and terms per channel that follow are folded into weights and bias; then comes a range.
struct xnnpack_conv {
    /// Without weights each channel is multiplied with the factor of its line.
    struct plan : anchored_convolution {
        xnnpack_range range;
        // Of what a slice has some of: channels of the tensors, and outputs for each input of the weights.
        std::size_t x_channels = 0, y_channels = 0, group_outputs = 0;
        std::size_t first_filter = 0;
        slice_offsets at{};
    };

    static constexpr auto pattern_of_conv() {
        constexpr auto normalized = dsl::maybe_call_on<1, "onnx.BatchNormalization">(dsl::op<"onnx.Conv">);
        return xnnpack_maybe_clamped(
            dsl::maybe_call_on<2, "onnx.Add", "onnx.Sub">(dsl::maybe_call_on<2, "onnx.Mul", "onnx.Div">(normalized)));
    }
    static constexpr auto pattern_of_transposed() {
        return xnnpack_maybe_clamped(
            dsl::maybe_call_on<2, "onnx.Add">(dsl::maybe_call_on<1, "onnx.BatchNormalization">(dsl::op<"onnx.ConvTranspose">)));
    }
    static constexpr auto pattern_of_batch_norm() { return xnnpack_maybe_clamped(dsl::op<"onnx.BatchNormalization">); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
        plan p;
        if (std::any_of(r.calls().begin(), r.calls().end(), is_convolution)) {
            auto found = read_anchored_convolution(r, 4, 4);
            if (!found) return found.failure();
            static_cast<anchored_convolution&>(p) = *std::move(found);
        } else {
            auto chain = read_anchored_chain(r, r.results[0], is_convolution);
            if (!chain) return chain.failure();
            p.x_extents = p.y_extents = static_shape(r.type(chain->anchor));
            if (r[chain->anchor].kind != region_value::role::input || p.x_extents.size() != 4)
                return error{"the region is no batch normalisation of an image, of rank 4"};
            p.line = take_line(r, *chain, 1);
            p.after = std::move(chain->steps);
            p.groups = p.x_extents[1];
            p.window = spatial_window::over({1, 1});
        }
        auto range = xnnpack_range::of(r, p.after);
        if (!range) return range.failure();
        p.range = *range;
        p.x_channels = static_cast<std::size_t>(p.x_extents[1]);
        p.y_channels = static_cast<std::size_t>(p.y_extents[1]);
        p.group_outputs = p.y_channels / static_cast<std::size_t>(p.groups);
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {xnnpack_images(r)}; }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const std::vector<float> weights = packed(p), bias(p.line.shift.begin(), p.line.shift.end());
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        const auto number = xnnpack_number;
        const spatial_window& w = p.window;
        const std::size_t inputs = size(p.x_extents[1]), outputs = size(p.y_extents[1]), groups = size(p.groups);
        xnnpack_parameters s = xnnpack_parameters::of_images(p.x_extents);
        // What the window leaves at the end is cut off the result or, below 0, added to it.
        const auto cut = [&](std::size_t axis) { return number(std::max<std::int64_t>(w.end[axis], 0)); };
        const auto added = [&](std::size_t axis) { return size(std::max<std::int64_t>(-w.end[axis], 0)); };
        s.more_height = added(0);
        s.more_width = added(1);
        s.top = number(w.begin[0]);
        s.right = cut(1);
        s.bottom = cut(0);
        s.left = number(w.begin[1]);
        for (std::size_t i = 0; i < 2; ++i) {
            s.kernel[i] = number(w.kernel[i]);
            s.strides[i] = number(w.strides[i]);
            s.dilations[i] = number(w.dilations[i]);
        }
        s.groups = number(p.groups);
        s.group_inputs = inputs / groups;
        s.group_outputs = outputs / groups;
        s.input_stride = p.x_channels;
        s.output_stride = p.y_channels;
        s.weights = weights.data();
        s.bias = bias.data();
        s.low = p.range.low;
        s.high = p.range.high;
        return program.step(
            {p.transposed ? xnnpack_operators::transposed_convolution : xnnpack_operators::convolution, s, {{0, nullptr, p.at.x}}, p.at.y});
    }

    /// Slices of rows or images where each may have all weights, else of groups or outputs. Windows of a transposed convolution overlap in
    /// its result, so that its rows are not cut.
    [[nodiscard]] static std::vector<plan> slices(const plan& p, int threads) {
        const std::int64_t filters = p.window.kernel[0] * p.window.kernel[1] * p.x_extents[1] / p.groups * p.y_extents[1];
        const std::vector<std::int64_t>& places = p.transposed ? p.x_extents : p.y_extents;
        const std::int64_t rows = p.transposed ? 1 : places[2], row = places[2] / rows * places[3] * filters;
        std::vector<image_slice> images = image_slices(places[0], rows, least_outputs(xnnpack_worth_sharing, row), threads);
        std::vector<plan> list;
        if (images.size() < 2 || !xnnpack_may_copy(images.size(), static_cast<std::size_t>(filters)))
            return channel_slices(p, row, threads);
        for (image_slice& s : images) {
            if (p.transposed) s.past = p.y_extents[2];
            plan part = p;
            const auto before = cut_to(s, part.window, part.x_extents, part.y_extents);
            if (!before) return channel_slices(p, row, threads);
            part.at = *before;
            list.push_back(std::move(part));
        }
        return list;
    }

private:
    /// Where a row of places takes so many multiplications.
    [[nodiscard]] static std::vector<plan> channel_slices(const plan& p, std::int64_t row, int threads) {
        const bool grouped = p.groups > 1;
        const std::int64_t count = grouped ? p.groups : p.y_extents[1], outputs = p.y_extents[1] / count;
        const std::int64_t inputs = grouped ? p.x_extents[1] / count : 0;
        const std::int64_t rows = p.x_extents[0] * (p.transposed ? 1 : p.y_extents[2]);
        const std::int64_t step = (16 + outputs - 1) / outputs;  // so that slices write cache lines of their own
        const std::int64_t least = std::max(step, least_outputs(xnnpack_worth_sharing, std::max<std::int64_t>(row * rows / count, 1)));
        const std::vector<std::int64_t> cuts = slice_cuts(count, step, least, threads);
        std::vector<plan> list;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            const std::int64_t from = cuts[i] * outputs, past = cuts[i + 1] * outputs;
            plan& part = list.emplace_back(p);
            part.line = p.line.some(from, past);
            part.y_extents[1] = past - from;
            if (grouped) part.groups = cuts[i + 1] - cuts[i], part.x_extents[1] = part.groups * inputs;
            part.at = {static_cast<std::size_t>(cuts[i] * inputs), static_cast<std::size_t>(from)};
            part.first_filter = static_cast<std::size_t>(p.transposed && !grouped ? from : from * (p.x_extents[1] / p.groups));
        }
        return list;
    }

    /// The weights times the scale of their output channel, in the library's order: group, output, row, column, input.
    [[nodiscard]] static std::vector<float> packed(const plan& p) {
        if (p.weights == nullptr) return std::vector<float>(p.line.scale.begin(), p.line.scale.end());
        const auto from = p.weights->as<float>();
        const auto groups = static_cast<std::size_t>(p.groups), inputs = static_cast<std::size_t>(p.x_extents[1]) / groups;
        const auto outputs = static_cast<std::size_t>(p.y_extents[1]) / groups;
        const auto places = static_cast<std::size_t>(p.window.kernel[0] * p.window.kernel[1]);
        std::vector<float> to(groups * outputs * inputs * places);
        for (std::size_t g = 0; g < groups; ++g)
            for (std::size_t o = 0; o < outputs; ++o)
                for (std::size_t i = 0; i < inputs; ++i)
                    for (std::size_t k = 0; k < places; ++k) {
                        const std::size_t filter =
                            p.first_filter + (p.transposed ? (g * inputs + i) * p.group_outputs + o : (g * outputs + o) * inputs + i);
                        const double scaled = static_cast<double>(from[filter * places + k]) * p.line.scale[g * outputs + o];
                        to[((g * outputs + o) * places + k) * inputs + i] = static_cast<float>(scaled);
                    }
        return to;
    }
};

}  // namespace inlay::detail

#endif
