// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_EXPANDED_DEPTHWISE_HPP
#define INLAY_BACKEND_EXPANDED_DEPTHWISE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/activation.hpp>
#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Finds what ends at a node: a depthwise convolution and what follows it, and where `Expands` a 1 x 1 convolution and what follows that
/// before it. Gives what the first of them is applied to. It goes through functions and constants alone, so that a node costs as much as
/// there stands between two convolutions.
template <bool Expands>
struct depthwise_at {
    static constexpr std::string_view name = Expands ? "expanded depthwise" : "depthwise";

    static std::optional<reading> from(const graph_ref& g, node_id n) {
        reading found;
        if (!step_to_convolution(g, n, true, found)) return std::nullopt;
        if (Expands && !step_to_convolution(g, found.source, false, found)) return std::nullopt;
        return found;
    }

private:
    /// From a node down to a convolution of the form that is asked for, and over it.
    static bool step_to_convolution(const graph_ref& g, node_id n, bool depthwise, reading& found) {
        const activation_reader activations{graph_nodes<graph_ref>{g}};
        while (g.kind(n) == node_kind::call && g.op(n) != "onnx.Conv") {
            if (const auto a = activations.read(n)) {
                found.covered.insert(found.covered.end(), a->calls.begin(), a->calls.end());
                n = a->source;
                continue;
            }
            const bool two = g.arity(n) == 2 && (g.op(n) == "onnx.Add" || g.op(n) == "onnx.Mul" || g.op(n) == "onnx.Sub");
            const bool second = two && g.constant(g.operand(n, 0)) != nullptr;
            if (g.op(n) != "onnx.BatchNormalization" && !(two && g.constant(g.operand(n, second ? 0 : 1)) != nullptr)) return false;
            found.covered.push_back(n);
            n = g.operand(n, second ? 1 : 0);
        }
        if (g.kind(n) != node_kind::call || g.arity(n) < 2) return false;
        const tensor* weights = g.constant(g.operand(n, 1));
        if (weights == nullptr || weights->rank() != 4) return false;
        const std::vector<std::int64_t>& w = weights->extents();
        const std::int64_t groups = inlay::read<conv_attributes>(g.attributes(n)).group;
        if (depthwise ? groups < 2 || w[0] != groups || w[1] != 1 : groups != 1 || w[2] != 1 || w[3] != 1) return false;
        found.covered.push_back(n);
        found.source = g.operand(n, 0);
        return true;
    }
};

/// A depthwise convolution behind a 1 x 1 convolution, each with what follows it; or without the first one.
struct expanded_depthwise {
    std::optional<anchored_convolution> expand;
    anchored_convolution depthwise;
    std::size_t calls = 0;  // that both are read off

    /// Both convolutions: what stands before the gate of MobileNetV3 (Howard and others, 2019).
    static constexpr auto pattern() { return dsl::read_by<depthwise_at<true>>(dsl::any); }

    /// What the first convolution is applied to.
    [[nodiscard]] const anchored_convolution& first() const { return expand ? *expand : depthwise; }
    [[nodiscard]] value_id x() const { return first().x; }

    /// Reads a region that is both convolutions. Error: another region, other convolutions, or another tensor that is taken in.
    [[nodiscard]] static outcome<expanded_depthwise> read(const region_view& r) {
        if (auto fine = check_float_region(r, 4); !fine) return fine.failure();
        auto p = ending_at(r, r.results[0]);
        if (p && (!p->expand || p->calls != r.calls().size()))
            return error{"the region's " + std::to_string(r.calls().size()) + " operators are no 1 x 1 convolution and a depthwise one"};
        return p;
    }

    /// Reads what ends at a value of a region; it begins at an input. Precondition: float32 tensors of known extents. Error as above.
    [[nodiscard]] static outcome<expanded_depthwise> ending_at(const region_view& r, value_id end) {
        expanded_depthwise p;
        auto last = convolution_at(r, end, p.calls);
        if (!last) return last.failure();
        p.depthwise = *std::move(last);
        if (r[p.depthwise.x].kind == region_value::role::call) {
            auto first = convolution_at(r, p.depthwise.x, p.calls);
            if (!first) return first.failure();
            p.expand = *std::move(first);
        }
        if (r[p.x()].kind != region_value::role::input) return error{"the first convolution is not applied to an input of the region"};
        if (p.expand && !is_pointwise(*p.expand)) return not_pointwise();
        const anchored_convolution& d = p.depthwise;
        if (d.transposed || d.groups < 2 || d.groups != d.x_extents[1] || d.groups != d.y_extents[1])
            return error{"a convolution of " + std::to_string(d.groups) + " groups for " + std::to_string(d.x_extents[1]) + " to " +
                         std::to_string(d.y_extents[1]) + " channels stands where a depthwise one is expected"};
        for (const anchored_convolution* one : {&p.depthwise, p.expand ? &*p.expand : &p.depthwise})
            for (const chain_step& s : one->after)
                if (s.kind == chain_step::form::combine && !per_channel(r, s.other, 4, 1, static_cast<std::size_t>(one->y_extents[1])))
                    return error{std::string(r[s.call].op) +
                                 " behind the first or the depthwise convolution takes another tensor of type " +
                                 to_string(*r[s.other].type) + ", which is no constant with one number for each channel"};
        return p;
    }

    /// The convolution whose chain ends at a value; counts the calls that it is read off.
    [[nodiscard]] static outcome<anchored_convolution> convolution_at(const region_view& r, value_id end, std::size_t& calls) {
        auto chain = read_chain_behind(r, end, is_convolution);
        if (!chain) return chain.failure();
        calls += chain->calls;
        return convolution_of(r, *std::move(chain), 4, 4);
    }
    [[nodiscard]] static bool is_pointwise(const anchored_convolution& p) {
        const spatial_window& w = p.window;
        return !p.transposed && p.groups == 1 && w.is_one_place() && !w.has_pads() && w.strides == std::vector<std::int64_t>{1, 1};
    }
    [[nodiscard]] static error not_pointwise() {
        return error{"a convolution beside the depthwise one is not 1 x 1 of stride 1 without pads and groups"};
    }
};

}  // namespace inlay::detail

#endif
