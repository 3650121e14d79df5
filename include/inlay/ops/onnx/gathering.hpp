// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_GATHERING_HPP
#define INLAY_OPS_ONNX_GATHERING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/joining.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {
namespace detail {

/// What is wrong with operand i as one of indices, if anything.
inline std::optional<error> wrong_indices(const call_view& call, std::size_t i) {
    return wrong_element(call, i, mask_of(element_type::int32) | mask_of(element_type::int64) | mask_of(element_type::none));
}

/// Index `at` of a list, counted from the front of an axis of that extent; nothing where it is outside. Precondition: integers.
inline std::optional<std::int64_t> place_of(std::int64_t at, std::int64_t extent) {
    if (at < -extent || at >= extent) return std::nullopt;
    return at < 0 ? at + extent : at;
}

inline error index_outside(const call_view& call, std::int64_t index, std::int64_t extent) {
    return error{short_name(call.op) + " has index " + std::to_string(index) + ", which an axis of extent " + std::to_string(extent) +
                 " does not have"};
}

inline std::size_t unsigned_of(std::int64_t v) { return static_cast<std::size_t>(v); }

inline outcome<node_type> infer_gather(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    const tensor_type &x = call.type(0), &at = call.type(1);
    if (!x.ranked) return node_type(tensor_type(x.element));
    const std::int64_t stated = read<gather_attributes>(call).axis;
    const auto axis = axis_of(stated, x.rank());
    if (!axis) return no_such_axis(call, stated, x.rank());
    if (!at.ranked) return node_type(tensor_type(x.element));
    shape result(x.extents.begin(), x.extents.begin() + static_cast<std::ptrdiff_t>(*axis));
    result.insert(result.end(), at.extents.begin(), at.extents.end());
    result.insert(result.end(), x.extents.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, x.extents.end());
    return countable_type(call, tensor_type(x.element, std::move(result)));
}

inline outcome<void> fill_gather(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    const std::size_t axis = checked_axis(read<gather_attributes>(call).axis, x.rank());
    const auto indices = integers_of(operands[1]);
    if (!indices) return error{"Gather needs indices of integers"};
    const std::int64_t extent = x.extents()[axis];
    std::vector<std::int64_t> places;
    for (const std::int64_t i : *indices) {
        const auto place = place_of(i, extent);
        if (!place) return index_outside(call, i, extent);
        places.push_back(*place);
    }
    if (results[0].count() == 0) return {};
    const std::size_t outer = unsigned_of(extent_product(x.extents(), 0, axis)),
                      row = unsigned_of(extent_product(x.extents(), axis + 1, x.rank())) * size_of(x.element());
    std::byte* to = results[0].data();
    for (std::size_t o = 0; o < outer; ++o)
        for (const std::int64_t p : places) {
            std::memcpy(to, x.data() + (o * unsigned_of(extent) + unsigned_of(p)) * row, row);
            to += row;
        }
    return {};
}

inline outcome<node_type> infer_gather_elements(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    const tensor_type &x = call.type(0), &at = call.type(1);
    if (x.ranked) {
        const std::int64_t stated = read<gather_attributes>(call).axis;
        const auto axis = axis_of(stated, x.rank());
        if (!axis) return no_such_axis(call, stated, x.rank());
        if (at.ranked) {
            bool fits = at.rank() == x.rank();
            for (std::size_t i = 0; fits && i < x.rank(); ++i)
                fits = i == *axis || !at.extents[i].is_known() || !x.extents[i].is_known() || at.extents[i].size <= x.extents[i].size;
            if (!fits)
                return error{"GatherElements has indices of type " + to_string(at) + " for data of type " + to_string(x) +
                             ", which they reach beyond"};
        }
    }
    if (!at.ranked) return node_type(x.ranked ? tensor_type(x.element, shape(x.rank())) : tensor_type(x.element));
    return node_type(tensor_type(x.element, at.extents));
}

/// Walks an index over extents and calls `f(flat)` with the place in a tensor of these strides, axis `skip` left out of it.
template <class F>
void for_each_place(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides, std::size_t skip, F&& f) {
    const std::int64_t count = extent_product(extents, 0, extents.size());
    std::vector<std::int64_t> index(extents.size(), 0);
    std::int64_t flat = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        f(flat);
        for (std::size_t a = extents.size(); a-- > 0;) {
            if (a != skip) flat += strides[a];
            if (++index[a] < extents[a]) break;
            if (a != skip) flat -= strides[a] * extents[a];
            index[a] = 0;
        }
    }
}

inline outcome<void> fill_gather_elements(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    const std::size_t axis = checked_axis(read<gather_attributes>(call).axis, x.rank()), width = size_of(x.element());
    const auto indices = integers_of(operands[1]);
    if (!indices) return error{"GatherElements needs indices of integers"};
    const auto strides = row_major_strides(x.extents());
    std::optional<std::int64_t> outside;
    std::size_t k = 0;
    for_each_place(operands[1].extents(), strides, axis, [&](std::int64_t flat) {
        const auto place = place_of((*indices)[k], x.extents()[axis]);
        if (place)
            std::memcpy(results[0].data() + k * width, x.data() + unsigned_of(flat + *place * strides[axis]) * width, width);
        else
            outside = (*indices)[k];
        ++k;
    });
    if (outside) return index_outside(call, *outside, x.extents()[axis]);
    return {};
}

/// The leading axes that data and indices of a GatherND share, checked; and how many axes an index names, where that is known.
struct nd_axes {
    std::size_t batch = 0;
    std::optional<std::size_t> named;
};

inline outcome<nd_axes> nd_axes_of(const call_view& call, std::int64_t batch) {
    const tensor_type &x = call.type(0), &at = call.type(1);
    nd_axes n;
    if (batch < 0 || batch > largest_rank || (at.ranked && static_cast<std::size_t>(batch) >= std::max<std::size_t>(at.rank(), 1)) ||
        (x.ranked && static_cast<std::size_t>(batch) >= std::max<std::size_t>(x.rank(), 1)))
        return error{short_name(call.op) + " has batch_dims " + std::to_string(batch) + " for data of type " + to_string(x) +
                     " and indices of type " + to_string(at)};
    n.batch = static_cast<std::size_t>(batch);
    if (at.ranked && at.rank() == 0) return error{short_name(call.op) + " has a number for indices, where a rank of 1 or more is expected"};
    if (!at.ranked || !at.extents.back().is_known()) return n;
    const std::int64_t named = at.extents.back().size;
    if (named > largest_rank || (x.ranked && n.batch + static_cast<std::size_t>(named) > x.rank()))
        return error{short_name(call.op) + " has indices of " + std::to_string(named) + " axes for data of type " + to_string(x)};
    n.named = static_cast<std::size_t>(named);
    if (x.ranked)
        for (std::size_t i = 0; i < n.batch; ++i)
            if (!can_be_equal(x.extents[i], at.extents[i]))
                return error{short_name(call.op) + " has data of type " + to_string(x) + " and indices of type " + to_string(at) +
                             ", whose first axes differ"};
    return n;
}

inline outcome<node_type> infer_gather_nd(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    const tensor_type &x = call.type(0), &at = call.type(1);
    const auto n = nd_axes_of(call, read<gather_nd_attributes>(call).batch_dims);
    if (!n) return n.failure();
    if (!x.ranked || !at.ranked || !n->named) return node_type(tensor_type(x.element));
    shape result(at.extents.begin(), at.extents.end() - 1);
    result.insert(result.end(), x.extents.begin() + static_cast<std::ptrdiff_t>(n->batch + *n->named), x.extents.end());
    return countable_type(call, tensor_type(x.element, std::move(result)));
}

/// Calls `f(from, k)` for each index of GatherND or ScatterND: the k-th names the row of data that begins at element `from`.
template <class F>
outcome<void> for_each_nd_index(const call_view& call, std::size_t batch, const tensor& data, const tensor& at, F&& f) {
    const auto indices = integers_of(at);
    if (!indices) return error{short_name(call.op) + " needs indices of integers"};
    const auto& x = data.extents();
    const std::size_t named = unsigned_of(at.extents().back());
    const auto strides = row_major_strides(x);
    const std::int64_t batches = extent_product(at.extents(), 0, batch), each = extent_product(at.extents(), batch, at.rank() - 1);
    std::size_t next = 0, k = 0;
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t e = 0; e < each; ++e, ++k) {
            std::int64_t from = b * extent_product(x, batch, x.size());
            for (std::size_t i = 0; i < named; ++i) {
                const auto place = place_of((*indices)[next], x[batch + i]);
                if (!place) return index_outside(call, (*indices)[next], x[batch + i]);
                from += *place * strides[batch + i];
                ++next;
            }
            f(unsigned_of(from), k);
        }
    return {};
}

inline outcome<void> fill_gather_nd(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    const auto n = nd_axes_of(call, read<gather_nd_attributes>(call).batch_dims);
    if (!n) return n.failure();
    const std::size_t width = size_of(x.element()), row = unsigned_of(extent_product(x.extents(), n->batch + *n->named, x.rank())) * width;
    return for_each_nd_index(call, n->batch, x, operands[1], [&](std::size_t from, std::size_t k) {
        if (row != 0) std::memcpy(results[0].data() + k * row, x.data() + from * width, row);
    });
}

}  // namespace detail

/// Gather, GatherElements, GatherND: elements or rows of a tensor that a tensor of indices names. A negative index counts from the end.
template <class = void>
struct onnx_gathering {
    static constexpr auto table = with_attributes<gather_attributes, gather_nd_attributes>({
        {"onnx.Gather", op_kind::injective, detail::infer_gather, filled<detail::infer_gather, detail::fill_gather>, detail::work_moved},
        {"onnx.GatherElements", op_kind::injective, detail::infer_gather_elements,
         filled<detail::infer_gather_elements, detail::fill_gather_elements>, detail::work_moved},
        {"onnx.GatherND", op_kind::injective, detail::infer_gather_nd, filled<detail::infer_gather_nd, detail::fill_gather_nd>,
         detail::work_moved},
    });
};

}  // namespace inlay

#endif
