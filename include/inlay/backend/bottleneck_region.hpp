// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_BOTTLENECK_REGION_HPP
#define INLAY_BACKEND_BOTTLENECK_REGION_HPP

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
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Finds what flows into the last convolution of a bottleneck: a depthwise convolution and what follows it, and where `Expands` a 1 x 1
/// convolution and what follows that before it. Gives what the first of them is applied to. It goes through functions and constants alone,
/// so that a node costs as much as there stands between two convolutions.
template <bool Expands>
struct bottleneck_before {
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

/// A depthwise convolution between 1 x 1 convolutions, each with what follows it: the inverted residual of MobileNetV2 (Sandler and others,
/// 2018); or without the first one, the separable convolution of MobileNetV1.
struct bottleneck_region {
    std::optional<anchored_convolution> expand;
    anchored_convolution depthwise, project;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto before = read_by<bottleneck_before<true>>(any) | read_by<bottleneck_before<false>>(any);
        return anchored_convolution::pattern_behind(op<"onnx.Conv">(before, rest));
    }

    /// What the first convolution is applied to.
    [[nodiscard]] const anchored_convolution& first() const { return expand ? *expand : depthwise; }
    [[nodiscard]] value_id x() const { return first().x; }

    /// Reads a region. Error: another region, other convolutions, or another tensor that is taken in before the last convolution.
    [[nodiscard]] static outcome<bottleneck_region> read(const region_view& r) {
        if (auto fine = check_float_region(r, 4); !fine) return fine.failure();
        std::size_t calls = 0;
        const auto step = [&](value_id end) -> outcome<anchored_convolution> {
            auto chain = read_chain_behind(r, end, is_convolution);
            if (!chain) return chain.failure();
            calls += chain->calls;
            return convolution_of(r, *std::move(chain), 4, 4);
        };
        bottleneck_region p;
        auto last = step(r.results[0]);
        if (!last) return last.failure();
        p.project = *std::move(last);
        auto middle = step(p.project.x);
        if (!middle) return middle.failure();
        p.depthwise = *std::move(middle);
        if (r[p.depthwise.x].kind == region_value::role::call) {
            auto first = step(p.depthwise.x);
            if (!first) return first.failure();
            p.expand = *std::move(first);
        }
        if (r[p.x()].kind != region_value::role::input) return error{"the first convolution is not applied to an input of the region"};
        if (calls != r.calls().size())
            return error{"the region's " + std::to_string(r.calls().size()) + " operators are no bottleneck of up to three convolutions"};
        if (!is_pointwise(p.project) || (p.expand && !is_pointwise(*p.expand)))
            return error{"a convolution beside the depthwise one is not 1 x 1 of stride 1 without pads and groups"};
        const anchored_convolution& d = p.depthwise;
        if (d.transposed || d.groups < 2 || d.groups != d.x_extents[1] || d.groups != d.y_extents[1])
            return error{"the convolution before the last has " + std::to_string(d.groups) + " groups for " +
                         std::to_string(d.x_extents[1]) + " to " + std::to_string(d.y_extents[1]) + " channels, so it is not depthwise"};
        for (const anchored_convolution* inner : {&p.depthwise, p.expand ? &*p.expand : &p.depthwise})
            for (const chain_step& s : inner->after)
                if (s.kind == chain_step::form::combine && !per_channel(r, s.other, 4, 1, static_cast<std::size_t>(inner->y_extents[1])))
                    return error{std::string(r[s.call].op) + " before the last convolution takes another tensor of type " +
                                 to_string(*r[s.other].type) + ", which is no constant with one number for each channel"};
        return p;
    }

private:
    [[nodiscard]] static bool is_pointwise(const anchored_convolution& p) {
        const spatial_window& w = p.window;
        return !p.transposed && p.groups == 1 && w.is_one_place() && !w.has_pads() && w.strides == std::vector<std::int64_t>{1, 1};
    }
};

}  // namespace inlay::detail

#endif
