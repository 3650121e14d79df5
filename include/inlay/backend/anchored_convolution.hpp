// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ANCHORED_CONVOLUTION_HPP
#define INLAY_BACKEND_ANCHORED_CONVOLUTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/activation_of.hpp>
#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/spatial_window.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A convolution or transposed convolution of an input with constant weights, and what follows it. The bias and what comes first, where it
/// is the same for all elements of a channel, are one line.
struct anchored_convolution {
    bool transposed = false;
    value_id x = 0;
    const tensor* weights = nullptr;
    spatial_window window;
    std::int64_t groups = 1;
    std::vector<std::int64_t> x_extents, y_extents;
    channel_line line;
    std::vector<chain_step> after;

    /// What may follow a convolution that matches the pattern: per-channel factors and terms, another tensor, an activation; or an
    /// activation and then another tensor.
    template <class Convolution>
    static constexpr auto pattern_behind(Convolution convolution) {
        using namespace dsl;
        constexpr auto affine =
            maybe_call_on<2, "onnx.Add">(maybe_call_on<2, "onnx.Mul">(maybe_call_on<1, "onnx.BatchNormalization">(convolution)));
        constexpr auto residual = maybe_call_on<2, "onnx.Add", "onnx.Sum">(affine);
        return maybe_activation_of(residual) | call_on<2, "onnx.Add", "onnx.Sum">(activation_of(affine));
    }
    static constexpr auto pattern_of_conv() { return pattern_behind(dsl::op<"onnx.Conv">); }
    static constexpr auto pattern_of_transposed() {
        using namespace dsl;
        constexpr auto affine = maybe_call_on<2, "onnx.Add">(maybe_call_on<1, "onnx.BatchNormalization">(op<"onnx.ConvTranspose">));
        return maybe_activation_of(affine);
    }

    /// What its filter's numbers are: weights, and the line of each channel.
    [[nodiscard]] digest numbers() const {
        digest_builder of;
        of.add("convolution").add(weights->content()).add(std::uint64_t{transposed}).add(groups);
        for (const std::vector<double>* each : {&line.scale, &line.shift}) of.add_bytes(each->data(), each->size() * sizeof(double));
        return of.finish();
    }

    /// The weights times the scale of their output channel, in the model's order: a transposed convolution has inputs before outputs.
    [[nodiscard]] std::vector<float> scaled_weights() const {
        const auto from = weights->as<float>();
        std::vector<float> to(from.begin(), from.end());
        const auto inputs = static_cast<std::size_t>(x_extents[1]), outputs = static_cast<std::size_t>(y_extents[1]),
                   count = static_cast<std::size_t>(groups);
        const std::size_t window_size = to.size() / (inputs / count * outputs), within = outputs / count, across = inputs / count;
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::size_t filter = i / window_size;
            const std::size_t output = transposed ? filter / within / across * within + filter % within : filter / across;
            to[i] = static_cast<float>(static_cast<double>(to[i]) * line.scale[output]);
        }
        return to;
    }

    /// Why Winograd's form is not for it; empty where it is. `allowed`: what the back end's option -winograd says.
    [[nodiscard]] std::string why_no_winograd(bool allowed) const {
        const auto all = [](const std::vector<std::int64_t>& list, std::int64_t n) {
            return std::all_of(list.begin(), list.end(), [n](std::int64_t m) { return m == n; });
        };
        if (!allowed) return "the option -winograd=false forbids Winograd's form";
        if (transposed || groups != 1 || window.kernel.size() != 2 || !all(window.kernel, 3) || !all(window.strides, 1) ||
            !all(window.dilations, 1))
            return "Winograd's form is for 3 x 3 windows that move by 1, without dilation or groups";
        // Below, its transforms alone take as long as the direct form: measuring would only find that out again.
        return std::min(x_extents[1], y_extents[1]) < 16 ? "Winograd's form is offered from 16 channels on" : "";
    }
};

[[nodiscard]] inline bool is_convolution(const region_value& v) { return v.op == "onnx.Conv" || v.op == "onnx.ConvTranspose"; }

/// The convolution, over tensors of `least` to `most` axes, that a chain begins at, and the chain's steps. What it is applied to may be
/// computed in the region. Precondition: float32 tensors of known extents. Error: another anchor, or weights, windows or biases that do not
/// fit.
[[nodiscard]] inline outcome<anchored_convolution> convolution_of(const region_view& r, anchored_chain chain, std::size_t least,
                                                                  std::size_t most) {
    const region_value& c = r[chain.anchor];
    if (c.kind != region_value::role::call || c.operands.size() < 2) return error{"the region holds no convolution"};
    anchored_convolution p;
    p.transposed = c.op == "onnx.ConvTranspose";
    p.x = c.operands[0];
    const auto type_of = [&](std::size_t i) { return to_string(*r[c.operands[i]].type); };
    p.weights = float_constant(r, c.operands[1]);
    if (p.weights == nullptr) return error{"the weights of type " + type_of(1) + " are no float32 constant"};
    p.x_extents = static_shape(r.type(p.x));
    p.y_extents = static_shape(r.type(chain.anchor));
    const std::size_t rank = p.x_extents.size();
    if (rank < least || rank > most)
        return error{std::string(c.op) + " of a tensor of rank " + std::to_string(rank) + "; the library takes " + std::to_string(least) +
                     (least == most ? "" : " to " + std::to_string(most))};
    if (p.weights->rank() != rank || p.y_extents.size() != rank)
        return error{"the weights have rank " + std::to_string(p.weights->rank()) + ", the input " + std::to_string(rank)};
    p.groups = inlay::read<conv_attributes>(*c.attributes).group;
    const std::vector<std::int64_t>& w = p.weights->extents();
    const std::int64_t inputs = p.x_extents[1], outputs = p.y_extents[1];
    const bool fits = p.groups >= 1 && inputs % p.groups == 0 && outputs % p.groups == 0 &&
                      (p.transposed ? w[0] == inputs && w[1] * p.groups == outputs : w[0] == outputs && w[1] * p.groups == inputs);
    if (!fits || p.weights->count() == 0)
        return error{"weights of type " + type_of(1) + " do not fit " + std::to_string(inputs) + " to " + std::to_string(outputs) +
                     " channels in " + std::to_string(p.groups) + " groups"};
    const std::vector<std::int64_t> kernel(w.begin() + 2, w.end());
    auto window = p.transposed ? transposed_window_between(*c.attributes, p.x_extents, p.y_extents, kernel)
                               : window_between(*c.attributes, p.x_extents, p.y_extents, kernel, false);
    if (!window) return window.failure();
    p.window = *std::move(window);
    p.line = channel_line::of(static_cast<std::size_t>(outputs));
    if (r.has_operand(c, 2)) {
        const tensor* bias = float_constant(r, c.operands[2]);
        if (bias == nullptr || bias->rank() != 1 || bias->extents()[0] != outputs)
            return error{"the bias of type " + type_of(2) + " is no constant of one number per channel"};
        p.line.shift.assign(bias->as<float>().begin(), bias->as<float>().end());
    }
    p.line.then(take_line(r, chain, 1, p.line));
    p.after = std::move(chain.steps);
    return p;
}

/// Reads a region as a convolution of an input over tensors of `least` to `most` axes. Precondition and error as above.
[[nodiscard]] inline outcome<anchored_convolution> read_anchored_convolution(const region_view& r, std::size_t least, std::size_t most) {
    auto chain = read_anchored_chain(r, r.results[0], is_convolution);
    if (!chain) return chain.failure();
    auto p = convolution_of(r, *std::move(chain), least, most);
    if (p && r[p->x].kind != region_value::role::input) return error{"the convolution is not applied to an input of the region"};
    return p;
}

}  // namespace inlay::detail

#endif
