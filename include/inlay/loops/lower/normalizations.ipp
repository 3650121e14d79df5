// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_NORMALIZATIONS_IPP
#define INLAY_LOOPS_LOWER_NORMALIZATIONS_IPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/loops/lower/normalizations.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/reductions.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/loops/channel_window.hpp>
#include <inlay/ops/onnx/plain_normalization.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::detail {

/// The mean of the elements whose sum over some axes is given, where they belong to a place.
[[nodiscard]] inline expression_id mean_of(const lowered_call& c, const lowered_tensor& sum, const reduced_shape& s,
                                           const std::vector<affine>& at) {
    return c.apply(scalar_function::divide, sum.read(s.home(at)), c.number(s.count));
}

/// What is left of a tensor without its mean over some axes, and the variance over them.
struct centred_tensor {
    lowered_tensor sum;
    lowered_tensor middle;
    lowered_tensor squares;
    reduced_shape shape;

    centred_tensor(const lowered_call& c, const lowered_tensor& x, std::vector<bool> over) : shape(x.extents, std::move(over)) {
        using f = scalar_function;
        sum = reduced_over(c, shape, f::add, 0, x.read);
        middle = c.nest.stored(c.nest.computed(x.extents, c.element, 2, [c, x, all = sum, s = shape](const std::vector<affine>& at) {
            return c.apply(f::subtract, x.read(at), mean_of(c, all, s, at));
        }));
        squares = reduced_over(c, shape, f::add, 0,
                               [&](const std::vector<affine>& at) { return c.apply(f::multiply, middle.read(at), middle.read(at)); });
    }
    [[nodiscard]] expression_id mean(const lowered_call& c, const std::vector<affine>& at) const { return mean_of(c, sum, shape, at); }
    [[nodiscard]] expression_id variance(const lowered_call& c, const std::vector<affine>& at) const {
        return mean_of(c, squares, shape, at);
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
    const channel_window window = channel_window::of(how.size, c.extents[1]);
    using f = scalar_function;
    const lowered_tensor squares = c.nest.reduced(
        c.extents, c.element, {window.taps()}, f::add, c.number(0), [&](const std::vector<affine>& at, const std::vector<affine>& k) {
            std::vector<affine> near = at;
            near[1] += k[0] - affine(window.before);
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

/// The axes from one on, which must be there.
[[nodiscard]] inline std::optional<std::vector<bool>> last_axes(std::int64_t first, std::size_t rank) {
    const auto axis = axis_of(first, rank);
    if (!axis) return std::nullopt;
    std::vector<bool> over(rank, false);
    for (std::size_t i = *axis; i < rank; ++i) over[i] = true;
    return over;
}

/// The elements over the last axes without their mean and over their spread; as further results the mean, and one over the spread.
[[nodiscard]] inline outcome<lowered_tensor> lower_layer_norm(const lowered_call& c) {
    const auto how = read<layer_normalization_attributes>(c.call);
    const auto over = last_axes(how.axis, c.extents_of(0).size());
    if (!over) return error{"a layer normalization over an axis that there is not has no loop nest"};
    using f = scalar_function;
    const centred_tensor t(c, c.nest.stored(c.operands[0]), *over);
    const auto spread = [c, t, how](const std::vector<affine>& at) {
        return c.apply(f::square_root, c.apply(f::add, t.variance(c, at), c.number(how.epsilon)));
    };
    if (c.field == 1) return c.nest.computed(c.extents, c.element, 1, [c, t](const std::vector<affine>& at) { return t.mean(c, at); });
    if (c.field == 2)
        return c.nest.computed(c.extents, c.element, 3,
                               [c, spread](const std::vector<affine>& at) { return c.apply(f::divide, c.number(1), spread(at)); });
    return c.nest.computed(c.extents, c.element, 4, [c, t, spread](const std::vector<affine>& at) {
        expression_id all = c.apply(f::divide, t.middle.read(at), spread(at));
        if (c.has(1)) all = c.apply(f::multiply, all, c.broadcast(1, at));
        return c.has(2) ? c.apply(f::add, all, c.broadcast(2, at)) : all;
    });
}

/// Each element over the root of the mean of all squares over the last axes.
[[nodiscard]] inline outcome<lowered_tensor> lower_rms_norm(const lowered_call& c) {
    const auto how = read<layer_normalization_attributes>(c.call);
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto over = last_axes(how.axis, x.extents.size());
    if (!over) return error{"a normalization over an axis that there is not has no loop nest"};
    const reduced_shape s(x.extents, *over);
    using f = scalar_function;
    const lowered_tensor squares =
        reduced_over(c, s, f::add, 0, [&](const std::vector<affine>& at) { return c.apply(f::multiply, x.read(at), x.read(at)); });
    return c.nest.computed(c.extents, c.element, 5 + c.operands[1].cost, [c, x, squares, s, how](const std::vector<affine>& at) {
        const expression_id mean = mean_of(c, squares, s, at);
        const expression_id size = c.apply(f::square_root, c.apply(f::add, mean, c.number(how.epsilon)));
        return c.apply(f::multiply, c.apply(f::divide, x.read(at), size), c.broadcast(1, at));
    });
}

/// By channels, with the mean and the variance that are given or, of one that learns, those of the batch; as further results what becomes
/// of the given ones then.
[[nodiscard]] inline outcome<lowered_tensor> lower_batch_norm(const lowered_call& c) {
    const auto how = read<batch_normalization_attributes>(c.call);
    using f = scalar_function;
    // Data of one axis have one channel.
    const std::vector<std::int64_t>& whole = c.extents_of(0);
    const auto channel = [has_channels = whole.size() > 1](const std::vector<affine>& at) { return has_channels ? at[1] : affine(); };
    const auto normalized = [c, how, channel](const std::vector<affine>& at, expression_id centred, expression_id variance) {
        const expression_id spread = c.apply(f::square_root, c.apply(f::add, variance, c.number(how.epsilon)));
        const expression_id scaled = c.apply(f::multiply, c.operands[1].read({channel(at)}), c.apply(f::divide, centred, spread));
        return c.apply(f::add, scaled, c.operands[2].read({channel(at)}));
    };
    if (!how.training_mode) {
        std::size_t cost = 4;
        for (const lowered_tensor& t : c.operands) cost += t.cost;
        return c.nest.computed(c.extents, c.element, cost, [c, channel, normalized](const std::vector<affine>& at) {
            const expression_id centred = c.apply(f::subtract, c.operands[0].read(at), c.operands[3].read({channel(at)}));
            return normalized(at, centred, c.operands[4].read({channel(at)}));
        });
    }
    for (const lowered_tensor& t : c.operands)
        if (t.element != c.element) return error{"a batch normalization that learns among several element types has no loop nest"};
    std::vector<bool> over(whole.size(), true);
    if (whole.size() > 1) over[1] = false;
    const centred_tensor t(c, c.nest.stored(c.operands[0]), over);
    if (c.field == 0)
        return c.nest.computed(c.extents, c.element, 5, [c, t, normalized](const std::vector<affine>& at) {
            return normalized(at, t.middle.read(at), t.variance(c, at));
        });
    return c.nest.computed(c.extents, c.element, 4, [c, t, how, rank = whole.size()](const std::vector<affine>& at) {
        std::vector<affine> of_channel(rank);
        if (rank > 1) of_channel[1] = at[0];
        const expression_id now = c.field == 1 ? t.mean(c, of_channel) : t.variance(c, of_channel);
        return c.apply(f::add, c.apply(f::multiply, c.operands[c.field + 2].read(at), c.number(how.momentum)),
                       c.apply(f::multiply, now, c.number(1 - how.momentum)));
    });
}

inline constexpr lowering_entry normalization_entries[] = {{"onnx.BatchNormalization", &lower_batch_norm},
                                                           {"onnx.LayerNormalization", &lower_layer_norm},
                                                           {"onnx.RMSNormalization", &lower_rms_norm},
                                                           {"onnx.GroupNormalization", &lower_group_norm},
                                                           {"onnx.InstanceNormalization", &lower_instance_norm},
                                                           {"onnx.MeanVarianceNormalization", &lower_mean_variance_norm},
                                                           {"onnx.LRN", &lower_lrn},
                                                           {"onnx.LpNormalization", &lower_lp_norm}};

std::span<const lowering_entry> normalization_lowerings() { return normalization_entries; }

}  // namespace inlay::detail

#endif
