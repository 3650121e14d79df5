// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_ATTENTION_IPP
#define INLAY_LOOPS_LOWER_ATTENTION_IPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <inlay/loops/lower/attention.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/reductions.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/onnx/attention.hpp>

namespace inlay::detail {

/// softmax(scale q k + mask) v. Heads are two axes: those that have keys of their own, and in each those that share them.
[[nodiscard]] inline outcome<lowered_tensor> lower_attention(const lowered_call& c) {
    using f = scalar_function;
    using places = std::vector<affine>;
    const auto shapes = attention_shape_of(c.call);
    if (!shapes) return shapes.failure();
    const std::int64_t batch = shapes->batch.size, key_heads = shapes->key_heads.size, rows = shapes->rows.size, keys = shapes->keys.size,
                       size = shapes->size.size, value_size = shapes->value_size.size;
    const std::int64_t sharing = key_heads == 0 ? 0 : shapes->heads.size / key_heads;
    const auto how = read<attention_attributes>(c.call);
    const bool has_head_axis = c.extents_of(0).size() == 4;
    const lowered_tensor q = c.nest.stored(c.operands[0]), k = c.nest.stored(c.operands[1]), v = c.nest.stored(c.operands[2]);
    // An element of a head's row, in a tensor whose heads have so many.
    const auto read_row = [has_head_axis](const lowered_tensor& t, const affine& b, const affine& head, const affine& row, const affine& i,
                                          std::int64_t count) {
        return t.read(has_head_axis ? places{b, head, row, i} : places{b, row, head * count + i});
    };
    const auto head_of = [sharing](const places& at) { return at[1] * sharing + at[2]; };

    const std::vector<std::int64_t> extents{batch, key_heads, sharing, rows, keys};
    const lowered_tensor dots = c.nest.reduced(extents, c.element, {size}, f::add, c.number(0), [&](const places& at, const places& over) {
        return c.apply(f::multiply, read_row(q, at[0], head_of(at), at[3], over[0], size), read_row(k, at[0], at[1], at[4], over[0], size));
    });
    const expression_id none = c.number(-std::numeric_limits<double>::infinity());
    const double scale = how.scale.value_or(1 / std::sqrt(static_cast<double>(size)));
    const std::size_t cost = 4 + (c.has(3) ? c.operands[3].cost : 0);
    const lowered_tensor scores =
        c.nest.stored(c.nest.computed(extents, c.element, cost, [c, dots, how, scale, none, head_of, rows](const places& at) {
            expression_id score = c.apply(f::multiply, dots.read(at), c.number(scale));
            if (how.softcap != 0)
                score = c.apply(f::multiply, c.apply(f::hyperbolic_tangent, c.apply(f::divide, score, c.number(how.softcap))),
                                c.number(how.softcap));
            if (c.has(3)) {
                const expression_id mask = c.broadcast(3, {at[0], head_of(at), at[3], at[4]});
                score = c.operands[3].element == element_type::boolean ? c.build().choose(mask, score, none) : c.apply(f::add, score, mask);
            }
            return how.is_causal ? c.build().within({{0, at[3] - at[4], rows}}, score, none) : score;
        }));
    const reduced_shape of_row(extents, {false, false, false, false, true});
    const lowered_tensor most = reduced_over(c, of_row, f::maximum, -std::numeric_limits<double>::infinity(), scores.read);
    const lowered_tensor powers = c.nest.stored(c.nest.computed(extents, c.element, 2, [c, scores, most, of_row](const places& at) {
        return c.apply(f::exponential, c.apply(f::subtract, scores.read(at), most.read(of_row.home(at))));
    }));
    const lowered_tensor whole = reduced_over(c, of_row, f::add, 0, powers.read);

    // As the result has them row after row, with the heads as two axes.
    const std::size_t head_axis = has_head_axis ? 1 : 2, row_axis = has_head_axis ? 3 : 1;
    std::vector<std::int64_t> made{batch, rows, rows, rows, value_size};
    made[head_axis] = key_heads;
    made[head_axis + 1] = sharing;
    const lowered_tensor sums = c.nest.reduced(made, c.element, {keys}, f::add, c.number(0), [&](const places& at, const places& over) {
        const affine &b = at[0], &head = at[head_axis];
        return c.apply(f::multiply, powers.read({b, head, at[head_axis + 1], at[row_axis], over[0]}),
                       read_row(v, b, head, over[0], at[4], value_size));
    });
    if (keys == 0) return c.nest.viewed(sums, c.extents);
    const lowered_tensor means = c.nest.computed(made, c.element, 1, [c, sums, whole, head_axis, row_axis](const places& at) {
        return c.apply(f::divide, sums.read(at), whole.read({at[0], at[head_axis], at[head_axis + 1], at[row_axis], affine()}));
    });
    return c.nest.viewed(means, c.extents);
}

inline constexpr lowering_entry attention_entries[] = {{"onnx.Attention", &lower_attention}};

std::span<const lowering_entry> attention_lowerings() { return attention_entries; }

}  // namespace inlay::detail

#endif
