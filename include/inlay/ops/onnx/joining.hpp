// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_JOINING_HPP
#define INLAY_OPS_ONNX_JOINING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {
namespace detail {

inline outcome<node_type> infer_concat(const call_view& call) {
    if (call.arity() == 0) return error{"Concat needs at least one operand"};
    const std::optional<std::int64_t> stated = read<concat_attributes>(call).axis;
    if (!stated) return error{"Concat needs attribute axis, an integer"};
    element_type element = element_type::none;
    std::optional<shape> result;
    std::size_t axis = 0;
    bool all_ranked = true;
    for (std::size_t i = 0; i < call.arity(); ++i) {
        if (!call.has(i)) return error{"Concat needs operand " + std::to_string(i) + ", which is left out"};
        const auto met = agreed_element(call, {0, i}, any_element);
        if (!met) return met.failure();
        if (element == element_type::none) element = *met;
        const tensor_type& t = call.type(i);
        if (!t.ranked) {
            all_ranked = false;
            continue;
        }
        if (!result) {
            const auto found = axis_of(*stated, t.rank());
            if (!found) return no_such_axis(call, *stated, t.rank());
            axis = *found;
            result = t.extents;
            continue;
        }
        const auto mismatch = [&] {
            return error{"Concat cannot join " + to_string(tensor_type(element, *result)) + " and " + to_string(t) + " along axis " +
                         std::to_string(axis)};
        };
        if (t.rank() != result->size()) return mismatch();
        for (std::size_t a = 0; a < t.rank(); ++a) {
            if (a == axis) {
                auto sum = extent_sum((*result)[a], t.extents[a]);
                if (!sum) return mismatch();
                (*result)[a] = std::move(*sum);
            } else if (!can_be_equal((*result)[a], t.extents[a])) {
                return mismatch();
            } else {
                (*result)[a] = better_known((*result)[a], t.extents[a]);
            }
        }
    }
    if (!result) return node_type(tensor_type(element));
    if (!all_ranked) (*result)[axis] = extent();
    return countable_type(call, tensor_type(element, std::move(*result)));
}

/// An axis of a call whose types are checked.
inline std::size_t checked_axis(std::int64_t axis, std::size_t rank) { return axis_of(axis, rank).value_or(0); }

inline outcome<void> fill_concat(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    tensor& y = results[0];
    if (y.count() == 0) return {};
    const std::size_t axis = checked_axis(read<concat_attributes>(call).axis.value_or(0), y.rank()), width = size_of(y.element());
    const auto outer = static_cast<std::size_t>(extent_product(y.extents(), 0, axis));
    std::byte* to = y.data();
    for (std::size_t i = 0; i < outer; ++i)
        for (const tensor& x : operands) {
            const std::size_t bytes = static_cast<std::size_t>(extent_product(x.extents(), axis, x.rank())) * width;
            if (bytes != 0) std::memcpy(to, x.data() + i * bytes, bytes);
            to += bytes;
        }
    return {};
}

/// A tuple of several results; the one alone where one is asked for.
inline node_type as_results(std::vector<node_type> types) {
    return types.size() == 1 ? std::move(types[0]) : node_type::tuple(std::move(types));
}

inline outcome<node_type> infer_split(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 2)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(call.outputs, 1));
    if (const std::int64_t stated = read<split_attributes>(call).num_outputs.value_or(count); stated != count)
        return error{"Split has num_outputs " + std::to_string(stated) + ", where " + std::to_string(count) + " outputs are asked for"};
    const auto sizes = index_list_of(call, 1);
    if (!sizes) return sizes.failure();
    if (sizes->count && sizes->present && static_cast<std::int64_t>(*sizes->count) != count)
        return error{"Split has " + std::to_string(*sizes->count) + " sizes for " + std::to_string(count) + " outputs"};
    if (!x.ranked) return as_results(std::vector<node_type>(static_cast<std::size_t>(count), node_type(tensor_type(x.element))));
    const std::int64_t stated_axis = read<split_attributes>(call).axis;
    const auto axis = axis_of(stated_axis, x.rank());
    if (!axis) return no_such_axis(call, stated_axis, x.rank());
    const extent& whole = x.extents[*axis];
    std::vector<node_type> results;
    std::int64_t left = whole.size;
    const std::int64_t even = whole.is_known() ? whole.size / count + (whole.size % count != 0 ? 1 : 0) : 0;
    for (std::int64_t i = 0; i < count; ++i) {
        extent part;
        if (sizes->present) {
            if (sizes->known()) {
                part = extent((*sizes->values)[static_cast<std::size_t>(i)]);
                if (!part.is_known() || (whole.is_known() && part.size > left))
                    return error{"Split cuts " + std::to_string((*sizes->values)[static_cast<std::size_t>(i)]) + " out of axis " +
                                 std::to_string(*axis) + " of " + to_string(x) + ", which does not have as many left"};
            }
        } else if (whole.is_known()) {
            part = extent(i + 1 < count ? even : left);
            if (left < part.size || part.size < 0)
                return error{"Split cannot cut axis " + std::to_string(*axis) + " of " + to_string(x) + " into " + std::to_string(count) +
                             " parts of " + std::to_string(even)};
        } else if (count == 1) {
            part = whole;
        }
        if (part.is_known()) left -= part.size;
        shape extents = x.extents;
        extents[*axis] = std::move(part);
        results.emplace_back(tensor_type(x.element, std::move(extents)));
    }
    if (sizes->known() && whole.is_known() && left != 0)
        return error{"Split leaves " + std::to_string(left) + " of axis " + std::to_string(*axis) + " of " + to_string(x)};
    return as_results(std::move(results));
}

inline outcome<void> fill_split(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    if (x.count() == 0) return {};
    const std::size_t axis = checked_axis(read<split_attributes>(call).axis, x.rank()), width = size_of(x.element());
    const auto outer = static_cast<std::size_t>(extent_product(x.extents(), 0, axis));
    const std::byte* from = x.data();
    for (std::size_t i = 0; i < outer; ++i)
        for (tensor& y : results) {
            const std::size_t bytes = static_cast<std::size_t>(extent_product(y.extents(), axis, y.rank())) * width;
            if (bytes != 0) std::memcpy(y.data() + i * bytes, from, bytes);
            from += bytes;
        }
    return {};
}

}  // namespace detail

/// Concat and Split: several tensors as one along an axis, and back. Split's last part is smaller where equal ones do not fit.
template <class = void>
struct onnx_joining {
    static constexpr auto table = with_attributes<concat_attributes, split_attributes>({
        {"onnx.Concat", op_kind::injective, detail::infer_concat, filled<detail::infer_concat, detail::fill_concat>, detail::work_moved},
        {"onnx.Split", op_kind::injective, detail::infer_split, filled<detail::infer_split, detail::fill_split>, detail::work_moved},
    });
};

}  // namespace inlay

#endif
