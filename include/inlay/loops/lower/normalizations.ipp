// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_NORMALIZATIONS_IPP
#define INLAY_LOOPS_LOWER_NORMALIZATIONS_IPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/loops/lower/normalizations.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/reductions.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/onnx/plain_normalization.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

/// What is left of a tensor without its mean over some axes, and the variance over them.
struct centred_tensor {
    lowered_tensor middle;
    lowered_tensor squares;
    reduced_shape shape;

    centred_tensor(const lowered_call& c, const lowered_tensor& x, std::vector<bool> over) : shape(x.extents, std::move(over)) {
        using f = scalar_function;
        const lowered_tensor sum = reduced_over(c, shape, f::add, 0, x.read);
        middle = c.nest.stored(c.nest.computed(x.extents, c.element, 2, [c, x, sum, s = shape](const std::vector<affine>& at) {
            return c.apply(f::subtract, x.read(at), c.apply(f::divide, sum.read(s.home(at)), c.number(s.count)));
        }));
        squares = reduced_over(c, shape, f::add, 0,
                               [&](const std::vector<affine>& at) { return c.apply(f::multiply, middle.read(at), middle.read(at)); });
    }
    [[nodiscard]] expression_id variance(const lowered_call& c, const std::vector<affine>& at) const {
        return c.apply(scalar_function::divide, squares.read(shape.home(at)), c.number(shape.count));
    }
};

/// Groups of channels by their own mean and variance, then scaled and shifted by channel or by group.
[[nodiscard]] inline outcome<lowered_tensor> lower_group_norm_of(const lowered_call& c, std::int64_t groups, double epsilon) {
    const std::vector<std::int64_t>& whole = c.extents_of(0);
    if (groups < 1 || whole[1] % groups != 0) return error{"channels that groups do not divide have no loop nest"};
    const std::int64_t per_group = whole[1] / groups;
    std::vector<std::int64_t> grouped{whole[0], groups, per_group};
    grouped.insert(grouped.end(), whole.begin() + 2, whole.end());
    const lowered_tensor x = c.nest.viewed(c.operands[0], grouped);
    std::vector<bool> over(grouped.size(), true);
    over[0] = over[1] = false;
    const centred_tensor t(c, x, over);
    const lowered_tensor made = c.nest.computed(grouped, c.element, 4, [c, t, epsilon, per_group](const std::vector<affine>& at) {
        using f = scalar_function;
        const auto of_channel = [&](std::size_t i) {
            const bool is_by_channel = c.extents_of(i)[0] == c.extents[1];
            return c.operands[i].read({is_by_channel ? at[1] * per_group + at[2] : at[1]});
        };
        const expression_id spread = c.apply(f::square_root, c.apply(f::add, t.variance(c, at), c.number(epsilon)));
        return c.apply(f::add, c.apply(f::multiply, c.apply(f::divide, t.middle.read(at), spread), of_channel(1)), of_channel(2));
    });
    return c.nest.viewed(made, c.extents);
}
[[nodiscard]] inline outcome<lowered_tensor> lower_group_norm(const lowered_call& c) {
    const auto how = read<group_normalization_attributes>(c.call);
    return lower_group_norm_of(c, how.num_groups, how.epsilon);
}
[[nodiscard]] inline outcome<lowered_tensor> lower_instance_norm(const lowered_call& c) {
    return lower_group_norm_of(c, c.extents[1], read<instance_normalization_attributes>(c.call).epsilon);
}

[[nodiscard]] inline outcome<lowered_tensor> lower_mean_variance_norm(const lowered_call& c) {
    auto over = mean_variance_axes(c.call, c.extents.size());
    if (!over) return over.failure();
    const centred_tensor t(c, c.nest.stored(c.operands[0]), *over);
    return c.nest.computed(c.extents, c.element, 4, [c, t](const std::vector<affine>& at) {
        using f = scalar_function;
        const expression_id spread = c.apply(f::add, c.apply(f::square_root, t.variance(c, at)), c.number(1e-9));
        return c.apply(f::divide, t.middle.read(at), spread);
    });
}

/// Each element over a power of the squares of its neighbours across channels.
[[nodiscard]] inline outcome<lowered_tensor> lower_lrn(const lowered_call& c) {
    const auto how = read<lrn_attributes>(c.call);
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const std::int64_t before = (how.size - 1) / 2;
    using f = scalar_function;
    const lowered_tensor squares = c.nest.reduced(
        c.extents, c.element, {how.size}, f::add, c.number(0), [&](const std::vector<affine>& at, const std::vector<affine>& k) {
            std::vector<affine> near = at;
            near[1] += k[0] - affine(before);
            return c.build().within({{0, near[1], c.extents[1]}}, c.apply(f::multiply, x.read(near), x.read(near)), c.number(0));
        });
    return c.nest.computed(c.extents, c.element, 5, [c, x, squares, how](const std::vector<affine>& at) {
        const expression_id share = c.apply(f::multiply, c.number(how.alpha / static_cast<double>(how.size)), squares.read(at));
        return c.apply(f::divide, x.read(at), c.apply(f::power, c.apply(f::add, c.number(how.bias), share), c.number(how.beta)));
    });
}

/// Each line over its norm; a line of zeros stays.
[[nodiscard]] inline outcome<lowered_tensor> lower_lp_norm(const lowered_call& c) {
    const auto how = read<lp_normalization_attributes>(c.call);
    const auto axis = axis_of(how.axis, c.extents.size());
    if (!axis) return error{"a norm over an axis that there is not has no loop nest"};
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    std::vector<bool> over(c.extents.size(), false);
    over[*axis] = true;
    const reduced_shape s(x.extents, over);
    using f = scalar_function;
    const bool is_square = how.p == 2;
    const lowered_tensor sum = reduced_over(c, s, f::add, 0, [&](const std::vector<affine>& at) {
        return is_square ? c.apply(f::multiply, x.read(at), x.read(at)) : c.apply(f::absolute, x.read(at));
    });
    return c.nest.computed(c.extents, c.element, 3, [c, x, sum, s, is_square](const std::vector<affine>& at) {
        const expression_id all = sum.read(s.home(at)), norm = is_square ? c.apply(f::square_root, all) : all;
        return c.build().choose(c.apply(f::equal, norm, c.number(0)), c.number(0), c.apply(f::divide, x.read(at), norm));
    });
}

inline constexpr lowering_entry normalization_entries[] = {{"onnx.GroupNormalization", &lower_group_norm},
                                                           {"onnx.InstanceNormalization", &lower_instance_norm},
                                                           {"onnx.MeanVarianceNormalization", &lower_mean_variance_norm},
                                                           {"onnx.LRN", &lower_lrn},
                                                           {"onnx.LpNormalization", &lower_lp_norm}};

std::span<const lowering_entry> normalization_lowerings() { return normalization_entries; }

}  // namespace inlay::detail

#endif
