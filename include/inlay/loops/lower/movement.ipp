// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_MOVEMENT_IPP
#define INLAY_LOOPS_LOWER_MOVEMENT_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/loops/lower/movement.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/onnx/gathering.hpp>
#include <inlay/ops/onnx/padding.hpp>
#include <inlay/ops/onnx/slicing.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

[[nodiscard]] inline outcome<lowered_tensor> lower_transpose(const lowered_call& c) {
    const auto order = axis_order_of(c.call, c.extents.size());
    if (!order) return order.failure();
    return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost,
                           [x = c.operands[0], order = *order](const std::vector<affine>& at) {
                               std::vector<affine> from(at.size());
                               for (std::size_t i = 0; i < at.size(); ++i) from[order[i]] = at[i];
                               return x.read(from);
                           });
}

/// The same elements under other extents.
[[nodiscard]] inline outcome<lowered_tensor> lower_reshape(const lowered_call& c) { return c.nest.viewed(c.operands[0], c.extents); }

[[nodiscard]] inline outcome<lowered_tensor> lower_concat(const lowered_call& c) {
    const auto axis = axis_of(read<concat_attributes>(c.call).axis.value_or(0), c.extents.size());
    if (!axis) return error{"parts put together along an axis that there is not have no loop nest"};
    std::vector<lowered_tensor> parts;
    for (const lowered_tensor& t : c.operands) parts.push_back(c.nest.stored(t));
    return c.nest.computed(c.extents, c.element, parts.size(), [c, parts, axis = *axis](const std::vector<affine>& at) {
        // From the last part: whoever is asked takes what those before it have not.
        std::int64_t begin = c.extents[axis];
        expression_id all = c.number(0);
        for (std::size_t i = parts.size(); i-- > 0;) {
            begin -= parts[i].extents[axis];
            std::vector<affine> own = at;
            own[axis] += affine(-begin);
            const expression_id element = parts[i].read(own);
            all = c.build().within({{0, own[axis], parts[i].extents[axis]}}, element, all);
        }
        return all;
    });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_slice(const lowered_call& c) {
    const auto s = slice_lists_of(c.call);
    if (!s) return s.failure();
    if (!s->starts.known() || !s->ends.known() || !s->axes.known() || !s->steps.known())
        return error{"a slice whose places are not known has no loop nest"};
    const auto axes = distinct_axes(c.call, *s->axes.values, c.extents.size());
    if (!axes) return axes.failure();
    std::vector<axis_slice> slices(c.extents.size());
    for (std::size_t i = 0; i < axes->size(); ++i)
        slices[(*axes)[i]] = sliced_axis((*s->starts.values)[i], (*s->ends.values)[i], (*s->steps.values)[i], c.extents_of(0)[(*axes)[i]]);
    return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost, [x = c.operands[0], slices](std::vector<affine> at) {
        for (std::size_t i = 0; i < at.size(); ++i) at[i] = at[i] * slices[i].step + affine(slices[i].first);
        return x.read(at);
    });
}

/// One of the results, each of which begins where the one before it ends.
[[nodiscard]] inline outcome<lowered_tensor> lower_split(const lowered_call& c) {
    const auto axis = axis_of(read<split_attributes>(c.call).axis, c.extents.size());
    if (!axis) return error{"a split along an axis that there is not has no loop nest"};
    std::int64_t begin = 0;
    if (c.whole != nullptr && c.whole->is_tuple())
        for (std::size_t i = 0; i < c.field; ++i) begin += c.whole->fields[i].of_tensor.extents[*axis].size;
    return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost, [x = c.operands[0], begin, axis = *axis](std::vector<affine> at) {
        at[axis] += affine(begin);
        return x.read(at);
    });
}

[[nodiscard]] inline outcome<lowered_tensor> lower_expand(const lowered_call& c) {
    return c.nest.computed(c.extents, c.element, 1 + c.operands[0].cost, [c](const std::vector<affine>& at) { return c.broadcast(0, at); });
}

/// What stands at an index where a list says from which place of another axis it comes: pieces of it that go on by a constant step, each
/// within its bounds. `read(place)` gives an element; places below 0 are `other`.
template <class Read>
[[nodiscard]] outcome<expression_id> read_pieces(const lowered_call& c, const affine& index, const std::vector<std::int64_t>& places,
                                                 expression_id other, Read&& read) {
    constexpr std::size_t most_pieces = 64;
    expression_id all = other;
    std::size_t pieces = 0;
    for (std::size_t end = places.size(); end > 0;) {
        std::size_t begin = end - 1;
        const std::int64_t step = begin > 0 ? places[begin] - places[begin - 1] : 0;
        const bool is_other = places[begin] < 0;
        while (begin > 0 && (places[begin - 1] < 0) == is_other && (is_other || places[begin] - places[begin - 1] == step)) --begin;
        if (++pieces > most_pieces) return error{"places that follow no rule have no loop nest"};
        const auto first = static_cast<std::int64_t>(begin), last = static_cast<std::int64_t>(end);
        const std::int64_t own = last - first == 1 ? 0 : step;
        if (!is_other) {
            // A piece of one place that is read at each round keeps its place.
            const affine place = affine(places[begin] - own * first) + index * own;
            // Bounds of the place itself are what tells that it stays in its axis.
            const auto [least, most] = std::minmax(places[begin], places[end - 1]);
            const affine_bound inside = own == 0 ? affine_bound{first, index, last} : affine_bound{least, place, most + 1};
            all = c.build().within({inside}, read(place), all);
        }
        end = begin;
    }
    return all;
}

[[nodiscard]] inline outcome<lowered_tensor> lower_pad(const lowered_call& c) {
    const auto plan = pad_plan_of(c.call, c.extents.size());
    if (!plan) return plan.failure();
    if (!plan->known) return error{"pads that are not known have no loop nest"};
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    // Axis after axis, so that each is a few pieces; one that stays is none.
    lowered_tensor now = x;
    for (std::size_t axis = 0; axis < c.extents.size(); ++axis) {
        if (plan->before[axis] == 0 && plan->after[axis] == 0) continue;
        std::vector<std::int64_t> extents = now.extents, places;
        extents[axis] = c.extents[axis];
        for (std::int64_t i = 0; i < extents[axis]; ++i)
            places.push_back(padded_place(i - plan->before[axis], x.extents[axis], plan->mode));
        outcome<expression_id> made = expression_id{0};
        now = c.nest.stored(c.nest.computed(extents, c.element, 1, [c, now, places, axis, &made](const std::vector<affine>& at) {
            const expression_id other = c.has(2) ? c.operands[2].read(std::vector<affine>(c.extents_of(2).size())) : c.number(0);
            made = read_pieces(c, at[axis], places, other, [&](const affine& place) {
                std::vector<affine> from = at;
                from[axis] = place;
                return now.read(from);
            });
            return made ? *made : other;
        }));
        if (!made) return made.failure();
    }
    return now;
}

/// Indices that are known, and follow rules over long stretches.
[[nodiscard]] inline outcome<lowered_tensor> lower_gather(const lowered_call& c) {
    const tensor* const known = c.call.constant(1);
    const auto indices = known != nullptr ? integers_of(*known) : std::nullopt;
    if (!indices) return error{"elements whose places are computed have no loop nest"};
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto axis = axis_of(read<gather_attributes>(c.call).axis, x.extents.size());
    if (!axis) return error{"elements along an axis that there is not have no loop nest"};
    std::vector<std::int64_t> places;
    for (const std::int64_t i : *indices) {
        const auto place = place_of(i, x.extents[*axis]);
        if (!place) return index_outside(c.call, i, x.extents[*axis]);
        places.push_back(*place);
    }
    // As one axis of indices, which the result has in the shape that they have.
    std::vector<std::int64_t> extents = x.extents;
    extents[*axis] = static_cast<std::int64_t>(places.size());
    outcome<expression_id> made = expression_id{0};
    const lowered_tensor taken =
        c.nest.stored(c.nest.computed(extents, c.element, 1, [c, x, places, axis = *axis, &made](const std::vector<affine>& at) {
            made = read_pieces(c, at[axis], places, c.number(0), [&](const affine& place) {
                std::vector<affine> from = at;
                from[axis] = place;
                return x.read(from);
            });
            return made ? *made : c.number(0);
        }));
    if (!made) return made.failure();
    return taken.extents == c.extents ? taken : c.nest.viewed(taken, c.extents);
}

/// The elements seen under some extents, these put into another order, and the whole seen under the result's.
[[nodiscard]] inline lowered_tensor reordered(const lowered_call& c, const std::vector<std::int64_t>& extents,
                                              const std::vector<std::size_t>& order) {
    const lowered_tensor split = c.nest.viewed(c.operands[0], extents);
    std::vector<std::int64_t> turned;
    for (const std::size_t axis : order) turned.push_back(extents[axis]);
    return c.nest.viewed(c.nest.computed(turned, c.element, 1,
                                         [split, order](const std::vector<affine>& at) {
                                             std::vector<affine> from(at.size());
                                             for (std::size_t i = 0; i < at.size(); ++i) from[order[i]] = at[i];
                                             return split.read(from);
                                         }),
                         c.extents);
}

[[nodiscard]] inline outcome<lowered_tensor> lower_depth_to_space(const lowered_call& c) {
    const auto how = read<depth_to_space_attributes>(c.call);
    const std::vector<std::int64_t>& x = c.extents_of(0);
    const std::int64_t b = how.blocksize, channels = x[1] / (b * b);
    if (how.mode == "DCR") return reordered(c, {x[0], b, b, channels, x[2], x[3]}, {0, 3, 4, 1, 5, 2});
    return reordered(c, {x[0], channels, b, b, x[2], x[3]}, {0, 1, 4, 2, 5, 3});
}
[[nodiscard]] inline outcome<lowered_tensor> lower_space_to_depth(const lowered_call& c) {
    const auto how = read<space_to_depth_attributes>(c.call);
    const std::vector<std::int64_t>& x = c.extents_of(0);
    const std::int64_t b = how.blocksize;
    const std::vector<std::int64_t> blocks{x[0], x[1], x[2] / b, b, x[3] / b, b};
    if (how.mode == "DCR") return reordered(c, blocks, {0, 3, 5, 1, 2, 4});
    return reordered(c, blocks, {0, 1, 3, 5, 2, 4});
}

/// Each axis as copies of the operand's.
[[nodiscard]] inline outcome<lowered_tensor> lower_tile(const lowered_call& c) {
    const lowered_tensor x = c.operands[0];
    std::vector<std::int64_t> split;
    for (std::size_t i = 0; i < c.extents.size(); ++i) {
        split.push_back(x.extents[i] == 0 ? 0 : c.extents[i] / x.extents[i]);
        split.push_back(x.extents[i]);
    }
    return c.nest.viewed(c.nest.computed(split, c.element, 1 + x.cost,
                                         [x](const std::vector<affine>& at) {
                                             std::vector<affine> from;
                                             for (std::size_t i = 1; i < at.size(); i += 2) from.push_back(at[i]);
                                             return x.read(from);
                                         }),
                         c.extents);
}

inline constexpr lowering_entry movement_entries[] = {{"onnx.Transpose", &lower_transpose}, {"onnx.Reshape", &lower_reshape},
                                                      {"onnx.Flatten", &lower_reshape},     {"onnx.Squeeze", &lower_reshape},
                                                      {"onnx.Unsqueeze", &lower_reshape},   {"onnx.Concat", &lower_concat},
                                                      {"onnx.Slice", &lower_slice},         {"onnx.Split", &lower_split},
                                                      {"onnx.Expand", &lower_expand},       {"onnx.Pad", &lower_pad},
                                                      {"onnx.Gather", &lower_gather},       {"onnx.DepthToSpace", &lower_depth_to_space},
                                                      {"onnx.Tile", &lower_tile},           {"onnx.SpaceToDepth", &lower_space_to_depth}};

std::span<const lowering_entry> movement_lowerings() { return movement_entries; }

}  // namespace inlay::detail

#endif
