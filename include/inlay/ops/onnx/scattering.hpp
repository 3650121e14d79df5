// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_SCATTERING_HPP
#define INLAY_OPS_ONNX_SCATTERING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/onnx/gathering.hpp>

namespace inlay {
namespace detail {

/// What becomes of an element that an update meets: it is replaced, or joined with the update.
enum class scatter_rule : std::uint8_t { none, add, mul, max, min };

inline outcome<scatter_rule> scatter_rule_of(const call_view& call) {
    constexpr std::string_view words[] = {"none", "add", "mul", "max", "min"};
    const std::string_view stated = read<scatter_elements_attributes>(call).reduction;
    for (std::size_t i = 0; i < 5; ++i)
        if (stated == words[i]) return static_cast<scatter_rule>(i);
    return error{short_name(call.op) + " has reduction " + quoted_text(stated) + ", which must be none, add, mul, max or min"};
}

template <class T>
T scattered(T old, T update, scatter_rule rule) {
    switch (rule) {
        case scatter_rule::none:
            return update;
        case scatter_rule::max:
            return std::max(old, update);
        case scatter_rule::min:
            return std::min(old, update);
        case scatter_rule::add:
        case scatter_rule::mul:
            break;
    }
    const bool add = rule == scatter_rule::add;
    if constexpr (std::is_same_v<T, bool>)
        return add ? old || update : old && update;
    else if constexpr (std::is_floating_point_v<T>)
        return add ? old + update : old * update;
    else {
        const auto a = static_cast<std::uint64_t>(old), b = static_cast<std::uint64_t>(update);
        return static_cast<T>(add ? a + b : a * b);
    }
}

/// Data and updates must have one element type, and a rule that computes needs numbers.
inline outcome<element_type> scatter_element_of(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 3)) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    const auto rule = scatter_rule_of(call);
    if (!rule) return rule.failure();
    return agreed_element(call, {0, 2}, *rule == scatter_rule::none ? any_element : elements(all_scalars()));
}

inline outcome<node_type> infer_scatter_elements(const call_view& call) {
    const auto element = scatter_element_of(call);
    if (!element) return element.failure();
    const tensor_type &x = call.type(0), &at = call.type(1), &updates = call.type(2);
    if (!x.ranked) return node_type(tensor_type(*element));
    const std::int64_t stated = read<scatter_elements_attributes>(call).axis;
    const auto axis = axis_of(stated, x.rank());
    if (!axis) return no_such_axis(call, stated, x.rank());
    bool fits = (!at.ranked || at.rank() == x.rank()) && (!updates.ranked || updates.rank() == x.rank());
    for (std::size_t i = 0; fits && i < x.rank(); ++i) {
        if (at.ranked && updates.ranked) fits = can_be_equal(at.extents[i], updates.extents[i]);
        if (fits && at.ranked && i != *axis)
            fits = !at.extents[i].is_known() || !x.extents[i].is_known() || at.extents[i].size <= x.extents[i].size;
    }
    if (!fits)
        return error{"ScatterElements has data of type " + to_string(x) + ", indices of type " + to_string(at) + " and updates of type " +
                     to_string(updates) + ", which do not fit"};
    return node_type(tensor_type(*element, x.extents));
}

/// Writes `count` updates from the k-th row of them onto the elements from `to` on.
inline void scatter_row(tensor& y, std::size_t to, const tensor& updates, std::size_t k, std::size_t count, scatter_rule rule) {
    if (rule == scatter_rule::none) {
        const std::size_t width = size_of(y.element());
        if (count != 0) std::memcpy(y.data() + to * width, updates.data() + k * count * width, count * width);
        return;
    }
    visit_element_type(all_scalars(), y.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        for (std::size_t i = 0; i < count; ++i) y.as<T>()[to + i] = scattered<T>(y.as<T>()[to + i], updates.as<T>()[k * count + i], rule);
    });
}

inline void copy_all(const tensor& from, tensor& to) {
    if (from.bytes() != 0) std::memcpy(to.data(), from.data(), from.bytes());
}

inline outcome<void> fill_scatter_elements(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    const auto rule = scatter_rule_of(call);
    if (!rule) return rule.failure();
    const auto indices = integers_of(operands[1]);
    if (!indices) return error{"ScatterElements needs indices of integers"};
    copy_all(x, results[0]);
    const std::size_t axis = checked_axis(read<scatter_elements_attributes>(call).axis, x.rank());
    const auto strides = row_major_strides(x.extents());
    std::optional<std::int64_t> outside;
    std::size_t k = 0;
    for_each_place(operands[1].extents(), strides, axis, [&](std::int64_t flat) {
        const auto place = place_of((*indices)[k], x.extents()[axis]);
        if (place)
            scatter_row(results[0], unsigned_of(flat + *place * strides[axis]), operands[2], k, 1, *rule);
        else
            outside = (*indices)[k];
        ++k;
    });
    if (outside) return index_outside(call, *outside, x.extents()[axis]);
    return {};
}

inline outcome<node_type> infer_scatter_nd(const call_view& call) {
    const auto element = scatter_element_of(call);
    if (!element) return element.failure();
    const tensor_type &x = call.type(0), &at = call.type(1), &updates = call.type(2);
    const auto n = nd_axes_of(call, 0);
    if (!n) return n.failure();
    if (!x.ranked) return node_type(tensor_type(*element));
    if (at.ranked && n->named && updates.ranked) {
        shape expected(at.extents.begin(), at.extents.end() - 1);
        expected.insert(expected.end(), x.extents.begin() + static_cast<std::ptrdiff_t>(*n->named), x.extents.end());
        bool fits = updates.rank() == expected.size();
        for (std::size_t i = 0; fits && i < expected.size(); ++i) fits = can_be_equal(updates.extents[i], expected[i]);
        if (!fits)
            return error{"ScatterND has updates of type " + to_string(updates) + ", where " +
                         to_string(tensor_type(*element, std::move(expected))) + " is expected"};
    }
    return node_type(tensor_type(*element, x.extents));
}

inline outcome<void> fill_scatter_nd(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto rule = scatter_rule_of(call);
    if (!rule) return rule.failure();
    const tensor &x = operands[0], &at = operands[1];
    copy_all(x, results[0]);
    const std::size_t row = unsigned_of(extent_product(x.extents(), unsigned_of(at.extents().back()), x.rank()));
    return for_each_nd_index(call, 0, x, at,
                             [&](std::size_t to, std::size_t k) { scatter_row(results[0], to, operands[2], k, row, *rule); });
}

}  // namespace detail

/// ScatterElements and ScatterND: a copy of a tensor in which the elements that indices name are updated. Updates that meet one element
/// come one after the other, in the order of the indices.
template <class = void>
struct onnx_scattering {
    static constexpr auto table = with_attributes<scatter_elements_attributes, scatter_nd_attributes>({
        {"onnx.ScatterElements", op_kind::opaque, detail::infer_scatter_elements,
         filled<detail::infer_scatter_elements, detail::fill_scatter_elements>, detail::work_moved},
        {"onnx.ScatterND", op_kind::opaque, detail::infer_scatter_nd, filled<detail::infer_scatter_nd, detail::fill_scatter_nd>,
         detail::work_moved},
    });
};

}  // namespace inlay

#endif
