// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_DROPOUT_EFFECT_HPP
#define INLAY_OPS_DROPOUT_EFFECT_HPP

#include <optional>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/convert_elements.hpp>

namespace inlay {

/// What a call of Dropout does: it keeps every element, drops some at random, or its operands decide that in the run.
enum class dropout_effect { keeps, drops, unknown };

/// An operand of Dropout: left out, or there; with its value if that is known.
struct dropout_operand {
    bool is_there = false;
    const tensor* value = nullptr;
};

/// The effect that the operands `ratio` and `training_mode` give a Dropout. Without training mode, or with a ratio of 0, it keeps every
/// element. A ratio that is left out is 0.5.
[[nodiscard]] inline dropout_effect effect_of_dropout(const dropout_operand& ratio, const dropout_operand& training) {
    if (!training.is_there) return dropout_effect::keeps;
    const auto number_of = [](const dropout_operand& o) -> std::optional<double> {
        if (o.value == nullptr || o.value->count() != 1) return std::nullopt;
        const auto wide = convert_elements(*o.value, element_type::float64);
        return wide ? std::optional(wide->as<double>()[0]) : std::nullopt;
    };
    const std::optional<double> trains = number_of(training), share = ratio.is_there ? number_of(ratio) : 0.5;
    if (trains && *trains == 0) return dropout_effect::keeps;
    if (share && *share == 0 && in_force<"ops.dropout.ratio-zero">()) return dropout_effect::keeps;
    return trains && share ? dropout_effect::drops : dropout_effect::unknown;
}

}  // namespace inlay

#endif
