// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_TRANSPOSITION_HPP
#define INLAY_OPS_ONNX_TRANSPOSITION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strided_copy.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {
namespace detail {

/// The axes in the order of the result: the attribute `perm`, or the reverse.
inline outcome<std::vector<std::size_t>> axis_order_of(const call_view& call, std::size_t rank) {
    std::vector<std::size_t> order;
    const auto list = read<transpose_attributes>(call).perm;
    if (!list) {
        for (std::size_t i = rank; i-- > 0;) order.push_back(i);
        return order;
    }
    if (list->size() != rank)
        return error{"Transpose has attribute perm, which must list the " + std::to_string(rank) + " axes of its operand"};
    for (const std::int64_t a : *list)
        if (a < 0) return no_such_axis(call, a, rank);
    return distinct_axes(call, std::vector<std::int64_t>(list->begin(), list->end()), rank);
}

inline outcome<node_type> infer_transpose(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    if (!x.ranked) {
        const auto perm = read<transpose_attributes>(call).perm;
        if (!perm || perm->size() > static_cast<std::size_t>(largest_rank)) return node_type(tensor_type(x.element));
        return node_type(tensor_type(x.element, shape(perm->size())));
    }
    const auto order = axis_order_of(call, x.rank());
    if (!order) return order.failure();
    shape result;
    for (const std::size_t a : *order) result.push_back(x.extents[a]);
    return node_type(tensor_type(x.element, std::move(result)));
}

inline outcome<void> fill_transpose(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto order = axis_order_of(call, operands[0].rank());
    if (!order) return order.failure();
    const auto strides = row_major_strides(operands[0].extents());
    std::vector<std::int64_t> steps;
    for (const std::size_t a : *order) steps.push_back(strides[a]);
    copy_strided(operands[0], 0, steps, results[0]);
    return {};
}

/// The side of the square blocks that DepthToSpace and SpaceToDepth trade between channels and space.
inline outcome<std::int64_t> block_side_of(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const std::int64_t side = read<depth_to_space_attributes>(call).blocksize;
    if (side < 1 || side > largest_window / 2 || side * side > largest_window)
        return error{short_name(call.op) + " has blocksize " + std::to_string(side) + ", which must be positive and not too large"};
    if (const tensor_type& x = call.type(0); x.ranked && x.rank() != 4)
        return error{short_name(call.op) + " has an operand of type " + to_string(x) +
                     ", where batch, channels, height and width are expected"};
    return side;
}

/// An extent times or divided by a number; nothing where that does not go.
inline std::optional<extent> scaled_extent(const extent& e, std::int64_t factor, bool divide) {
    const extent both[] = {e, extent(factor)};
    return divide ? extent_quotient(std::span(both).first(1), std::span(both).last(1)) : extent_product(both);
}

inline outcome<node_type> infer_blocks(const call_view& call, bool to_space) {
    const auto side = block_side_of(call);
    if (!side) return side.failure();
    const tensor_type& x = call.type(0);
    if (!x.ranked) return node_type(tensor_type(x.element, shape(4)));
    const auto channels = scaled_extent(x.extents[1], *side * *side, to_space), height = scaled_extent(x.extents[2], *side, !to_space),
               width = scaled_extent(x.extents[3], *side, !to_space);
    if (!channels || !height || !width)
        return error{short_name(call.op) + " cannot cut " + to_string(x) + " into blocks of side " + std::to_string(*side)};
    return countable_type(call, tensor_type(x.element, {x.extents[0], *channels, *height, *width}));
}

inline outcome<node_type> infer_depth_to_space(const call_view& call) {
    const std::string_view mode = read<depth_to_space_attributes>(call).mode;
    if (mode != "DCR" && mode != "CRD") return error{"DepthToSpace has mode " + quoted_text(mode) + ", which must be DCR or CRD"};
    return infer_blocks(call, true);
}
inline outcome<node_type> infer_space_to_depth(const call_view& call) {
    const std::string_view mode = read<space_to_depth_attributes>(call).mode;
    if (mode != "DCR" && mode != "CRD") return error{"SpaceToDepth has mode " + quoted_text(mode) + ", which must be DCR or CRD"};
    return infer_blocks(call, false);
}

/// Both read the operand as six axes and write them in another order; the result is filled under a shape of six axes too.
inline void copy_in_order(const tensor& from, const std::vector<std::int64_t>& six, const std::vector<std::size_t>& order, tensor& to) {
    const auto strides = row_major_strides(six);
    std::vector<std::int64_t> steps, extents;
    for (const std::size_t a : order) {
        steps.push_back(strides[a]);
        extents.push_back(six[a]);
    }
    tensor view = to.reshaped(std::move(extents));
    copy_strided(from, 0, steps, view);
}

inline outcome<void> fill_depth_to_space(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const std::int64_t b = read<depth_to_space_attributes>(call).blocksize;
    const auto& x = operands[0].extents();
    const std::int64_t channels = x[1] / (b * b);
    if (read<depth_to_space_attributes>(call).mode == "DCR")
        copy_in_order(operands[0], {x[0], b, b, channels, x[2], x[3]}, {0, 3, 4, 1, 5, 2}, results[0]);
    else
        copy_in_order(operands[0], {x[0], channels, b, b, x[2], x[3]}, {0, 1, 4, 2, 5, 3}, results[0]);
    return {};
}

inline outcome<void> fill_space_to_depth(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const std::int64_t b = read<space_to_depth_attributes>(call).blocksize;
    const auto& x = operands[0].extents();
    // The channels of a block stand together, or those of an operand's channel.
    if (read<space_to_depth_attributes>(call).mode == "DCR")
        copy_in_order(operands[0], {x[0], x[1], x[2] / b, b, x[3] / b, b}, {0, 3, 5, 1, 2, 4}, results[0]);
    else
        copy_in_order(operands[0], {x[0], x[1], x[2] / b, b, x[3] / b, b}, {0, 1, 3, 5, 2, 4}, results[0]);
    return {};
}

}  // namespace detail

/// Transpose, DepthToSpace, SpaceToDepth: every element once, in another order.
template <class = void>
struct onnx_transposition {
    static constexpr auto table = with_attributes<depth_to_space_attributes, space_to_depth_attributes, transpose_attributes>({
        {"onnx.DepthToSpace", op_kind::injective, detail::infer_depth_to_space,
         filled<detail::infer_depth_to_space, detail::fill_depth_to_space>, detail::work_moved},
        {"onnx.SpaceToDepth", op_kind::injective, detail::infer_space_to_depth,
         filled<detail::infer_space_to_depth, detail::fill_space_to_depth>, detail::work_moved},
        {"onnx.Transpose", op_kind::injective, detail::infer_transpose, filled<detail::infer_transpose, detail::fill_transpose>,
         detail::work_moved},
    });
};

}  // namespace inlay

#endif
