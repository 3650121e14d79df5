// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_CONV_HPP
#define INLAY_BACKEND_OPENBLAS_CONV_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/activation_of.hpp>
#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/openblas/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Convolutions whose window is one place: a matrix product of the channels. A bias, batch normalisation and other factors and terms per
/// channel are folded into the weights and a term; then come activations, lines per channel and tensors of the result's shape.
struct openblas_conv {
    using plan = anchored_convolution;

    static constexpr auto pattern_of_conv() {
        using namespace dsl;
        constexpr auto normalized = maybe_call_on<1, "onnx.BatchNormalization">(op<"onnx.Conv">);
        constexpr auto affine = maybe_call_on<2, "onnx.Add", "onnx.Sub">(maybe_call_on<2, "onnx.Mul", "onnx.Div">(normalized));
        constexpr auto residual = maybe_call_on<2, "onnx.Add", "onnx.Sum">(affine);
        return maybe_activation_of(residual) | call_on<2, "onnx.Add", "onnx.Sum">(activation_of(affine));
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, 5); !fine) return fine.failure();
        auto found = read_anchored_convolution(r, 3, 5);
        if (!found) return found.failure();
        const plan& p = *found;
        const auto all_one = [](const std::vector<std::int64_t>& list) {
            return std::all_of(list.begin(), list.end(), [](std::int64_t n) { return n == 1; });
        };
        if (p.transposed || p.groups != 1 || !all_one(p.window.kernel) || !all_one(p.window.strides) || p.window.has_pads())
            return error{"a convolution is a matrix product where its window is 1 and moves by 1, without pads or groups"};
        if (*element_count(p.x_extents) > std::numeric_limits<blasint>::max() ||
            *element_count(p.y_extents) > std::numeric_limits<blasint>::max())
            return error{"the convolution of " + to_string(*r[p.x].type) + " has more elements than the library counts"};
        for (const chain_step& s : p.after) {
            if (s.kind == chain_step::form::function || line_of_step(r, s, p.y_extents.size(), 1, p.line.channels())) continue;
            const std::string op(r[s.call].op);
            if (s.kind == chain_step::form::batch_norm) return error{op + " after the convolution has statistics that are no constants"};
            const bool fits = r[s.other].kind == region_value::role::input && static_shape(r.type(s.other)) == p.y_extents &&
                              static_shape(r.type(s.call)) == p.y_extents;
            if (!fits)
                return error{op + " after the convolution takes another tensor of type " + to_string(*r[s.other].type) +
                             "; what follows is one number per channel or an input of the result's " + to_string(*r[s.call].type)};
        }
        return found;
    }

    /// Row-major throughout, and channels last throughout.
    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) {
        return {plain_borders(r), borders_in(r, layout::channels_last())};
    }

    static void build(const plan& p, const region_view& r, const border_formats& b, openblas_program& program) {
        const bool last = b.results[0].order == layout::channels_last();
        const std::int64_t images = p.x_extents[0], inputs = p.x_extents[1], outputs = p.y_extents[1];
        const std::int64_t places = static_cast<std::int64_t>(*element_count(p.y_extents)) / (images * outputs);
        // The weights lie as outputs x inputs.
        openblas_product& whole = program.product;
        const auto number = [](std::int64_t n) { return static_cast<blasint>(n); };
        const openblas_source x = openblas_source::of(r, p.x),
                              weights = openblas_source::of(tensor::of<float>({p.y_extents[1], p.x_extents[1]}, p.scaled_weights()));
        whole.inner = number(inputs);
        if (last) {
            whole.rows = number(images * places);
            whole.columns = number(outputs);
            whole.a = {false, number(inputs)};
            whole.b = {true, number(inputs)};
            program.a = x;
            program.b = weights;
            program.batches = {{}};
        } else {
            whole.rows = number(outputs);
            whole.columns = number(places);
            whole.a = {false, number(inputs)};
            whole.b = {false, number(places)};
            program.a = weights;
            program.b = x;
            for (std::int64_t i = 0; i < images; ++i)
                program.batches.push_back(
                    {0, static_cast<std::size_t>(i * inputs * places), static_cast<std::size_t>(i * outputs * places)});
        }
        whole.step = whole.columns;
        program.after = after(p, r, last ? std::vector{images * places, outputs} : std::vector{images, outputs, places}, last);
    }

private:
    [[nodiscard]] static openblas_epilogue after(const plan& p, const region_view& r, const std::vector<std::int64_t>& extents, bool last) {
        using how = chain_step::combination;
        openblas_epilogue made(extents);
        const auto per_channel = [&](how does, const std::vector<double>& numbers, double neutral) {
            if (std::all_of(numbers.begin(), numbers.end(), [&](double n) { return n == neutral; })) return;
            tensor row(element_type::float32, {static_cast<std::int64_t>(numbers.size())});
            std::transform(numbers.begin(), numbers.end(), row.as<float>().begin(), [](double n) { return static_cast<float>(n); });
            made.combine(does, openblas_source::of(std::move(row)),
                         last ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{0, 1, 0});
        };
        per_channel(how::add, p.line.shift, 0);
        for (const chain_step& s : p.after) {
            if (s.kind == chain_step::form::function) {
                made.function(s.function);
            } else if (const auto line = line_of_step(r, s, p.y_extents.size(), 1, p.line.channels())) {
                per_channel(how::multiply, line->scale, 1);
                per_channel(how::add, line->shift, 0);
            } else {
                made.combine(s.how, openblas_source::of(r, s.other), row_major_strides(extents));
            }
        }
        return made;
    }
};

}  // namespace inlay::detail

#endif
