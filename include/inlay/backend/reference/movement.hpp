// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_MOVEMENT_HPP
#define INLAY_BACKEND_REFERENCE_MOVEMENT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/strided_copy.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>

namespace inlay::detail::on_eigen {

[[nodiscard]] inline std::string refuse_unsized(const call_site& c) {
    if (!c.has(0)) return "it has no operand";
    if (size_of(c.in(0).element) == 0) return "elements of type " + std::string(name_of(c.in(0).element)) + " have no fixed size";
    return {};
}

[[nodiscard]] inline extents row_strides(const extents& shape) {
    extents strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}

/// The copy as a kernel; where it moves the whole operand as it stands, its result is a view.
[[nodiscard]] inline kernel kernel_of_copy(strided_copy copy, bool whole) {
    const bool view = whole && copy.is_identity();
    kernel k = kernel_of([copy = std::move(copy)](const run_arguments& a) {
        if (a.inputs[0] != a.results[0]) copy.run(a.executor, a.results[0], a.inputs[0]);
    });
    if (view) k.view_of = {0};
    return k;
}

/// Reshape, Flatten, Squeeze, Unsqueeze, Identity, and Dropout outside of training: the same elements under other extents.
[[nodiscard]] inline std::string refuse_view(const call_site& c) {
    if (auto why = refuse_unsized(c); !why.empty()) return why;
    if (c.op == "onnx.Dropout") {
        if (c.results.size() > 1) return "Dropout's mask is wanted; the kernel gives none";
        if (effect_of_dropout_at(c) != dropout_effect::keeps) return "Dropout may be in training mode";
    }
    if (c.in(0).count() != c.out().count()) return "operand and result differ in their number of elements";
    return {};
}
[[nodiscard]] inline kernel make_view(const call_site& c) {
    return kernel_of_copy(strided_copy({{c.in(0).count(), 1, 1}}, size_of(c.in(0).element)), true);
}

[[nodiscard]] inline strided_copy transposition(const extents& shape, const extents& order, std::size_t width) {
    const extents from = row_strides(shape);
    extents to_shape;
    for (const std::int64_t o : order) to_shape.push_back(shape[static_cast<std::size_t>(o)]);
    const extents to = row_strides(to_shape);
    std::vector<strided_copy::axis> axes;
    for (std::size_t i = 0; i < order.size(); ++i) axes.push_back({to_shape[i], from[static_cast<std::size_t>(order[i])], to[i]});
    return {std::move(axes), width};
}
[[nodiscard]] inline kernel make_transpose(const call_site& c) {
    const auto stated = read<transpose_attributes>(*c.attributes).perm;
    extents order;
    if (stated) order.assign(stated->begin(), stated->end());
    if (order.empty())
        for (std::size_t i = c.in(0).rank(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
    return kernel_of_copy(transposition(c.in(0).shape, order, size_of(c.in(0).element)), true);
}

/// DepthToSpace and SpaceToDepth on N C H W: split, transpose, merge.
[[nodiscard]] inline std::string refuse_depth(const call_site& c) {
    if (auto why = refuse_unsized(c); !why.empty()) return why;
    return c.in(0).rank() == 4 ? std::string() : "the operand is not of rank 4";
}
[[nodiscard]] inline kernel make_depth_to_space(const call_site& c) {
    const std::int64_t b = read<depth_to_space_attributes>(*c.attributes).blocksize;
    const extents& s = c.in(0).shape;
    const std::size_t width = size_of(c.in(0).element);
    if (read<depth_to_space_attributes>(*c.attributes).mode == "CRD")
        return kernel_of_copy(transposition({s[0], s[1] / (b * b), b, b, s[2], s[3]}, {0, 1, 4, 2, 5, 3}, width), true);
    return kernel_of_copy(transposition({s[0], b, b, s[1] / (b * b), s[2], s[3]}, {0, 3, 4, 1, 5, 2}, width), true);
}
[[nodiscard]] inline kernel make_space_to_depth(const call_site& c) {
    const std::int64_t b = read<space_to_depth_attributes>(*c.attributes).blocksize;
    const extents& s = c.in(0).shape;
    const bool by_channel = read<space_to_depth_attributes>(*c.attributes).mode == "CRD";
    const extents order = by_channel ? extents{0, 1, 3, 5, 2, 4} : extents{0, 3, 5, 1, 2, 4};
    return kernel_of_copy(transposition({s[0], s[1], s[2] / b, b, s[3] / b, b}, order, size_of(c.in(0).element)), true);
}

[[nodiscard]] inline kernel make_expand(const call_site& c) {
    const extents& from = c.in(0).shape;
    const extents &to = c.out().shape, from_strides = row_strides(from), to_strides = row_strides(to);
    std::vector<strided_copy::axis> axes;
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::size_t missing = to.size() - from.size();
        const bool stretched = i < missing || from[i - missing] == 1;
        axes.push_back({to[i], stretched ? 0 : from_strides[i - missing], to_strides[i]});
    }
    return kernel_of_copy(strided_copy(std::move(axes), size_of(c.in(0).element)), true);
}

[[nodiscard]] inline std::string refuse_tile(const call_site& c) {
    if (auto why = refuse_unsized(c); !why.empty()) return why;
    return c.in(0).count() == 0 ? "the operand is empty" : std::string();
}
[[nodiscard]] inline kernel make_tile(const call_site& c) {
    const extents from = row_strides(c.in(0).shape), to = row_strides(c.out().shape);
    std::vector<strided_copy::axis> axes;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::int64_t n = c.in(0).shape[i];
        axes.push_back({c.out().shape[i] / n, 0, n * to[i]});
        axes.push_back({n, from[i], to[i]});
    }
    return kernel_of_copy(strided_copy(std::move(axes), size_of(c.in(0).element)), true);
}

[[nodiscard]] inline kernel make_concat(const call_site& c) {
    const std::size_t axis = axis_of(read<concat_attributes>(*c.attributes).axis.value_or(0), c.out().rank());
    const extents& shape = c.out().shape;
    const std::int64_t outer = product(shape, 0, axis), inner = product(shape, axis + 1, shape.size()), row = shape[axis] * inner;
    const auto bytes = static_cast<std::int64_t>(size_of(c.out().element));
    std::vector<strided_copy> copies;
    std::vector<std::int64_t> part_at;
    std::int64_t at = 0;
    for (const site_value& v : c.operands) {
        const std::int64_t block = v.shape[axis] * inner;
        copies.emplace_back(std::vector<strided_copy::axis>{{outer, block, row}, {block, 1, 1}}, size_of(v.element), 0, at);
        part_at.push_back(outer == 1 ? at * bytes : -1);
        at += block;
    }
    kernel k = kernel_of([copies = std::move(copies), part_at](const run_arguments& a) {
        const auto* result = static_cast<const std::byte*>(a.results[0]);
        for (std::size_t i = 0; i < copies.size(); ++i)
            if (part_at[i] < 0 || a.inputs[i] != result + part_at[i]) copies[i].run(a.executor, a.results[0], a.inputs[i]);
    });
    k.part_at = std::move(part_at);
    return k;
}

[[nodiscard]] inline kernel make_split(const call_site& c) {
    const std::size_t axis = axis_of(read<split_attributes>(*c.attributes).axis, c.in(0).rank());
    const extents& shape = c.in(0).shape;
    const std::int64_t outer = product(shape, 0, axis), inner = product(shape, axis + 1, shape.size()), row = shape[axis] * inner;
    std::vector<strided_copy> copies;
    std::int64_t at = 0;
    for (const site_value& v : c.results) {
        const std::int64_t block = v.shape[axis] * inner;
        copies.emplace_back(std::vector<strided_copy::axis>{{outer, row, block}, {block, 1, 1}}, size_of(c.in(0).element), at, 0);
        at += block;
    }
    return kernel_of([copies = std::move(copies)](const run_arguments& a) {
        for (std::size_t i = 0; i < copies.size(); ++i)
            if (a.results[i] != nullptr) copies[i].run(a.executor, a.results[i], a.inputs[0]);
    });
}

[[nodiscard]] inline std::string refuse_slice(const call_site& c) {
    if (auto why = refuse_unsized(c); !why.empty()) return why;
    const auto starts = c.integers(1), ends = c.integers(2);
    if (!starts || !ends) return "where the slice starts and ends is not known before the run";
    const auto axes = c.integers(3), steps = c.integers(4);
    if ((c.has(3) && !axes) || (c.has(4) && !steps)) return "the axes or steps of the slice are not known before the run";
    if ((axes && axes->size() != starts->size()) || (steps && steps->size() != starts->size()) || starts->size() > c.in(0).rank())
        return "starts, axes and steps differ in length";
    for (std::size_t i = 0; axes && i < axes->size(); ++i)
        if (!is_axis((*axes)[i], c.in(0).rank())) return "an axis lies outside of the rank";
    for (std::size_t i = 0; steps && i < steps->size(); ++i)
        if ((*steps)[i] == 0) return "a step is 0";
    return {};
}
[[nodiscard]] inline kernel make_slice(const call_site& c) {
    const auto starts = *c.integers(1);
    const auto axes = c.integers(3), steps = c.integers(4);
    const extents &shape = c.in(0).shape, from = row_strides(shape), to = row_strides(c.out().shape);
    std::vector<strided_copy::axis> walk;
    for (std::size_t i = 0; i < shape.size(); ++i) walk.push_back({c.out().shape[i], from[i], to[i]});
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::size_t axis = axes ? axis_of((*axes)[i], shape.size()) : i;
        const std::int64_t step = steps ? (*steps)[i] : 1, n = shape[axis];
        const std::int64_t start = starts[i] < 0 ? (starts[i] < -n ? -1 : starts[i] + n) : starts[i];
        if (n != 0) offset += std::clamp<std::int64_t>(start, 0, n - 1) * from[axis];
        walk[axis].from = from[axis] * step;
    }
    const bool whole = c.in(0).count() == c.out().count() && offset == 0;
    return kernel_of_copy(strided_copy(std::move(walk), size_of(c.in(0).element), offset), whole);
}

/// Pad by a constant: the result is filled where the operand does not reach, then the operand is put into its place.
[[nodiscard]] inline std::string refuse_pad(const call_site& c) {
    if (auto why = refuse_unsized(c); !why.empty()) return why;
    if (read<pad_attributes>(*c.attributes).mode != "constant")
        return "the mode of Pad is " + quoted_text(read<pad_attributes>(*c.attributes).mode) + "; the kernel takes constant";
    if (!c.integers(1)) return "the pads are not known before the run";
    if (c.has(2) && c.in(2).element != c.in(0).element) return "the fill is of another element type";
    if (c.has(3) && !c.integers(3)) return "the axes of Pad are not known before the run";
    return {};
}
[[nodiscard]] inline kernel make_pad(const call_site& c) {
    const auto pads = *c.integers(1);
    const extents &shape = c.in(0).shape, from = row_strides(shape), to = row_strides(c.out().shape);
    extents axes;
    if (c.has(3))
        axes = *c.integers(3);
    else
        for (std::size_t i = 0; i < shape.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    std::vector<strided_copy::axis> walk;
    for (std::size_t i = 0; i < shape.size(); ++i) walk.push_back({shape[i], from[i], to[i]});
    std::int64_t from_offset = 0, to_offset = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        // Negative pads cut.
        const std::size_t axis = axis_of(axes[i], shape.size());
        const std::int64_t before = pads[i], after = pads[i + axes.size()];
        walk[axis].size = std::max<std::int64_t>(0, walk[axis].size + std::min<std::int64_t>(before, 0) + std::min<std::int64_t>(after, 0));
        from_offset += std::max<std::int64_t>(0, -before) * from[axis];
        to_offset += std::max<std::int64_t>(0, before) * to[axis];
    }
    const std::size_t width = size_of(c.in(0).element);
    const strided_copy fill({{c.out().count(), 0, 1}}, width), copy(std::move(walk), width, from_offset, to_offset);
    const bool given = c.has(2);
    return kernel_of([=](const run_arguments& a) {
        alignas(8) static constexpr std::byte zero[8]{};
        fill.run(a.executor, a.results[0], given ? a.inputs[2] : zero);
        copy.run(a.executor, a.results[0], a.inputs[0]);
    });
}

/// Whole slices of the first operand, chosen by a tensor of indices; a run fails on an index outside of the axis.
[[nodiscard]] inline std::string refuse_gather(const call_site& c) {
    if (auto why = refuse_unsized(c); !why.empty()) return why;
    const element_type e = c.in(1).element;
    if (e != element_type::int64 && e != element_type::int32)
        return "the indices are " + std::string(name_of(e)) + "; the kernel takes int64 and int32";
    return {};
}
[[nodiscard]] inline kernel make_gather(const call_site& c) {
    const std::size_t axis = axis_of(read<gather_attributes>(*c.attributes).axis, c.in(0).rank());
    const extents& shape = c.in(0).shape;
    const std::int64_t outer = product(shape, 0, axis), n = shape[axis], chosen = c.in(1).count();
    const auto block = static_cast<std::size_t>(product(shape, axis + 1, shape.size())) * size_of(c.in(0).element);
    const bool wide = c.in(1).element == element_type::int64;
    return kernel_of([=](const run_arguments& a) {
        const auto index = [&](std::int64_t i) {
            const std::int64_t at = wide ? input<std::int64_t>(a, 1)[i] : static_cast<std::int64_t>(input<std::int32_t>(a, 1)[i]);
            return at < 0 ? at + n : at;
        };
        for (std::int64_t i = 0; i < chosen; ++i)
            if (index(i) < 0 || index(i) >= n) return false;
        if (block == 0) return true;
        in_chunks(a.executor, outer * chosen, grain_of(static_cast<std::int64_t>(block / 4)), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t from = i / chosen * n + index(i % chosen);
                std::memcpy(result<std::byte>(a) + static_cast<std::size_t>(i) * block,
                            input<std::byte>(a, 0) + static_cast<std::size_t>(from) * block, block);
            }
        });
        return true;
    });
}

/// Operators that move elements and compute none, of any element type of fixed size.
inline constexpr operator_entry movement_operators[] = {
    {"onnx.Reshape", refuse_view, make_view},
    {"onnx.Flatten", refuse_view, make_view},
    {"onnx.Squeeze", refuse_view, make_view},
    {"onnx.Unsqueeze", refuse_view, make_view},
    {"onnx.Identity", refuse_view, make_view},
    {"onnx.Dropout", refuse_view, make_view},
    {"onnx.Transpose", refuse_unsized, make_transpose},
    {"onnx.DepthToSpace", refuse_depth, make_depth_to_space},
    {"onnx.SpaceToDepth", refuse_depth, make_space_to_depth},
    {"onnx.Expand", refuse_unsized, make_expand},
    {"onnx.Tile", refuse_tile, make_tile},
    {"onnx.Concat", refuse_unsized, make_concat},
    {"onnx.Split", refuse_unsized, make_split},
    {"onnx.Slice", refuse_slice, make_slice},
    {"onnx.Pad", refuse_pad, make_pad},
    {"onnx.Gather", refuse_gather, make_gather},
};

}  // namespace inlay::detail::on_eigen

#endif
