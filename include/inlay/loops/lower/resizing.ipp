// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_RESIZING_IPP
#define INLAY_LOOPS_LOWER_RESIZING_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/lower/resizing.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/ops/loops/resize_taps.hpp>
#include <inlay/ops/onnx/resize.hpp>

namespace inlay::detail {

/// A resized axis whose places repeat: result place `phases * i + j` is made of elements `step * i + offset` of the axis, each moved to the
/// nearest end where it lies outside.
struct repeated_taps {
    struct tap {
        std::int64_t offset = 0;
        double weight = 1;
    };
    std::int64_t phases = 1, step = 1;
    std::vector<std::vector<tap>> taps;  // by j
};

[[nodiscard]] inline outcome<repeated_taps> repeated_taps_of(const resized_axis& axis, const resize_rule& rule) {
    const error refusal{"a resizing whose places do not repeat has no loop nest"};
    constexpr std::int64_t most_phases = 16;
    const std::int64_t common = std::gcd(axis.in, axis.out);
    if (common == 0) return refusal;
    repeated_taps made{axis.out / common, axis.in / common, {}};
    if (made.phases > most_phases) return refusal;
    const std::vector<resize_tap> all = resize_taps(axis, rule);
    // What a place reads beyond an end does not show, so that one after the other is asked until what it reads holds for all.
    const auto seen_from = [&](std::int64_t j, std::int64_t i) {
        std::vector<repeated_taps::tap> own;
        const std::int64_t place = made.phases * i + j;
        const resize_tap& shown = all[static_cast<std::size_t>(place)];
        for (std::size_t t = 0; t < shown.at.size(); ++t)
            own.push_back({shown.first + static_cast<std::int64_t>(t) - made.step * i, shown.weight[t]});
        return own;
    };
    const auto holds = [&](std::int64_t j, const std::vector<repeated_taps::tap>& own) {
        for (std::int64_t i = 0; i < common; ++i) {
            const resize_tap& shown = all[static_cast<std::size_t>(made.phases * i + j)];
            if (shown.at.size() != own.size()) return false;
            for (std::size_t t = 0; t < own.size(); ++t)
                if (shown.outside || shown.at[t] != std::clamp<std::int64_t>(made.step * i + own[t].offset, 0, axis.in - 1) ||
                    std::abs(shown.weight[t] - own[t].weight) > 1e-6)
                    return false;
        }
        return true;
    };
    for (std::int64_t j = 0; j < made.phases; ++j) {
        for (std::int64_t i = 0; i < common && made.taps.size() == static_cast<std::size_t>(j); ++i)
            if (std::vector<repeated_taps::tap> own = seen_from(j, i); holds(j, own)) made.taps.push_back(std::move(own));
        if (made.taps.size() == static_cast<std::size_t>(j)) return refusal;
    }
    return made;
}

/// Resizes one axis after the other.
[[nodiscard]] inline outcome<lowered_tensor> lower_resize(const lowered_call& c) {
    const auto rule = resize_rule_of(c.call);
    if (!rule) return rule.failure();
    if (auto known = check_resize_is_known(c.call, *rule); !known) return known.failure();
    auto axes = resized_axes_of(c.call, *rule);
    if (!axes) return axes.failure();
    using f = scalar_function;
    constexpr std::size_t most_taps = 32;
    lowered_tensor now = c.nest.stored(c.operands[0]);
    for (std::size_t d = 0; d < c.extents.size(); ++d) {
        resized_axis& axis = (*axes)[d];
        axis.out = c.extents[d];
        if (axis.is_identity()) continue;
        const auto taps = repeated_taps_of(axis, *rule);
        if (!taps) return taps.failure();
        if (!is_floating(c.element) && rule->mode != interpolation::nearest) return error{"whole numbers between others have no loop nest"};
        std::vector<std::int64_t> split = now.extents, joined = now.extents;
        joined[d] = c.extents[d];
        if (taps->taps.front().size() > most_taps)
            return error{"a resizing with " + std::to_string(taps->taps.front().size()) + " taps for each place has no loop nest"};
        split[d] = c.extents[d] / taps->phases;
        split.insert(split.begin() + static_cast<std::ptrdiff_t>(d) + 1, taps->phases);
        const lowered_tensor phased =
            c.nest.computed(split, c.element, 4, [c, now, d, taps = *taps, in = axis.in](const std::vector<affine>& at) {
                std::vector<affine> from = at;
                from.erase(from.begin() + static_cast<std::ptrdiff_t>(d) + 1);
                const auto element = [&](const affine& place) {
                    from[d] = place;
                    return now.read(from);
                };
                expression_id all = c.number(0);
                for (std::int64_t j = taps.phases; j-- > 0;) {
                    std::optional<expression_id> sum;
                    for (const repeated_taps::tap& tap : taps.taps[static_cast<std::size_t>(j)]) {
                        if (tap.weight == 0) continue;
                        const affine place = at[d] * taps.step + affine(tap.offset);
                        // Before the axis stands its first element, behind it the last.
                        const expression_id ends = c.build().within({{INT64_MIN, place, 0}}, element(affine()), element(affine(in - 1)));
                        expression_id part = c.build().within({{0, place, in}}, element(place), ends);
                        if (tap.weight != 1) part = c.apply(f::multiply, c.number(tap.weight), part);
                        sum = sum ? c.apply(f::add, *sum, part) : part;
                    }
                    all = c.build().within({{j, at[d + 1], j + 1}}, sum.value_or(c.number(0)), all);
                }
                return all;
            });
        now = c.nest.viewed(phased, joined);
    }
    return now;
}

inline constexpr lowering_entry resizing_entries[] = {{"onnx.Resize", &lower_resize}};

std::span<const lowering_entry> resizing_lowerings() { return resizing_entries; }

}  // namespace inlay::detail

#endif
