// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_LIES_ALONG_HPP
#define INLAY_REWRITE_LIES_ALONG_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/core/fixed_string.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/pattern/dsl/verdict.hpp>

namespace inlay {

/// Checks that an operand varies only along some axes of a result that it is broadcast to. Negative axes count from the last one; none at
/// all ask for one number. Types without known extents are refused, since they may be anything.
[[nodiscard]] inline verdict lies_along(const node_type& operand, const node_type& result, std::span<const std::int64_t> axes) {
    const auto refused = [&](const char* why) { return verdict::no("an operand of type " + to_string(operand) + why + to_string(result)); };
    if (!operand.is_tensor() || !result.is_tensor() || !operand.is_static() || !result.is_static())
        return refused(" has no known place in one of type ");
    const auto rank = static_cast<std::int64_t>(result.of_tensor.rank());
    axis_set wanted;
    for (const std::int64_t axis : axes) {
        const std::int64_t at = axis < 0 ? axis + rank : axis;
        if (at < 0 || at >= rank) return refused(" lies along an axis that is none of those of ");
        wanted = wanted.with(static_cast<std::size_t>(at));
    }
    const auto beside = broadcast_operand::of(static_shape(operand.of_tensor), static_shape(result.of_tensor));
    if (!beside || !beside->varies_only_along(wanted)) return refused(" varies along other axes of ");
    return verdict::yes();
}

/// The condition of a rule that one captured value varies only along some axes of another one, to which it is broadcast:
/// `varies_along<"scale", "x", -1>{}`.
template <fixed_string Operand, fixed_string Result, std::int64_t... Axes>
struct varies_along {
    template <class Match>
    [[nodiscard]] verdict operator()(const Match& m) const {
        constexpr std::int64_t axes[] = {Axes..., 0};
        return lies_along(m.template type<Operand>(), m.template type<Result>(), {axes, sizeof...(Axes)});
    }
};

}  // namespace inlay

#endif
