// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_FOLD_BATCH_NORM_HPP
#define INLAY_PASSES_BOOKS_FOLD_BATCH_NORM_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

namespace detail {

/// A batch normalisation with known statistics is a factor and a shift per channel, which the weights of the convolution before it take up:
/// w' = w s / sqrt(v + e), b' = (b - m) s / sqrt(v + e) + t. Computed in float64, rounded once.
struct fold_into_convolution {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        const auto& g = m.graph();
        const node_id conv = m.template at<"conv">();
        const tensor* w = m.template constant<"w">();
        const tensor* statistics[] = {m.template constant<"scale">(), m.template constant<"shift">(), m.template constant<"mean">(),
                                      m.template constant<"variance">()};
        if (g.type(m.root()).is_tuple() || read<batch_normalization_attributes>(g.attributes(m.root())).training_mode) return no_node;
        if (w->element() != element_type::float32 || w->rank() < 2) return no_node;
        const auto channels = static_cast<std::size_t>(w->extents()[0]);
        // Statistics and biases are rows of one number for each output channel, the first axis of the weights.
        const auto is_row = [&](const tensor& t) {
            return t.element() == element_type::float32 && t.rank() == 1 && t.extents()[0] == w->extents()[0];
        };
        for (const tensor* s : statistics)
            if (!is_row(*s)) return no_node;
        const bool is_biased = g.arity(conv) == 3 && !g.type(g.operand(conv, 2)).is_tuple();
        const tensor* b = is_biased ? g.constant(g.operand(conv, 2)) : nullptr;
        if (is_biased && (b == nullptr || !is_row(*b))) return no_node;

        const double epsilon = read<batch_normalization_attributes>(g.attributes(m.root())).epsilon;
        tensor weights(element_type::float32, w->extents()), bias(element_type::float32, {static_cast<std::int64_t>(channels)});
        if (!weights.ok() || !bias.ok()) return no_node;
        const auto value = [](const tensor& t, std::size_t i) { return static_cast<double>(t.template as<float>()[i]); };
        const std::size_t each = channels == 0 ? 0 : w->count() / channels;
        for (std::size_t c = 0; c < channels; ++c) {
            const double factor = value(*statistics[0], c) / std::sqrt(value(*statistics[3], c) + epsilon);
            // A variance that is none gives no number; whoever runs the program is to see it where it stands.
            if (!std::isfinite(factor)) return no_node;
            for (std::size_t i = c * each; i < (c + 1) * each; ++i)
                weights.template as<float>()[i] = static_cast<float>(value(*w, i) * factor);
            const double before = b == nullptr ? 0 : value(*b, c);
            bias.template as<float>()[c] = static_cast<float>((before - value(*statistics[2], c)) * factor + value(*statistics[1], c));
        }
        return f.call("onnx.Conv", {m.template at<"x">(), f.constant(weights), f.constant(bias)}, g.attributes(conv));
    }
};

}  // namespace detail

/// Batch normalisations of ONNX programs folded into the convolutions before them.
[[nodiscard]] constexpr auto batch_norm_rules() {
    using namespace dsl;
    return rule_book(rule<"conv_batch_norm", exactness::bounded>(
        op<"onnx.BatchNormalization">(as<"conv">(op<"onnx.Conv">(as<"x">, as<"w">(constant), rest)), as<"scale">(constant),
                                      as<"shift">(constant), as<"mean">(constant), as<"variance">(constant)),
        detail::fold_into_convolution{}));
}

}  // namespace inlay

#endif
