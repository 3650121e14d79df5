// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_PADDING_HPP
#define INLAY_OPS_ONNX_PADDING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {

/// What stands in the elements that Pad adds.
enum class pad_mode : std::uint8_t { constant, edge, reflect, wrap };

/// The element of an axis of extent `size` that place `at` before, on or after it shows; -1 for the constant.
/// Precondition: `size` is positive unless the mode is `constant`.
[[nodiscard]] inline std::int64_t padded_place(std::int64_t at, std::int64_t size, pad_mode mode) {
    if (at >= 0 && at < size) return at;
    switch (mode) {
        case pad_mode::constant:
            return -1;
        case pad_mode::edge:
            return at < 0 ? 0 : size - 1;
        case pad_mode::wrap:
            return ((at % size) + size) % size;
        case pad_mode::reflect:
            break;
    }
    // There and back again without repeating the ends.
    const std::int64_t period = 2 * (size - 1);
    if (period == 0) return 0;
    const std::int64_t along = ((at % period) + period) % period;
    return along < size ? along : period - along;
}

namespace detail {

struct pad_plan {
    pad_mode mode = pad_mode::constant;
    bool known = false;  // whether the numbers of added elements are
    std::vector<std::int64_t> before, after;
    std::vector<bool> touched;  // the axes that may change
};

inline outcome<pad_plan> pad_plan_of(const call_view& call, std::size_t rank) {
    pad_plan plan;
    const std::string_view mode = read<pad_attributes>(call).mode;
    if (mode == "edge")
        plan.mode = pad_mode::edge;
    else if (mode == "reflect")
        plan.mode = pad_mode::reflect;
    else if (mode == "wrap")
        plan.mode = pad_mode::wrap;
    else if (mode != "constant")
        return error{"Pad has mode " + quoted_text(mode) + ", which must be constant, edge, reflect or wrap"};
    const auto pads = index_list_of(call, 1), list = index_list_of(call, 3);
    if (!pads) return pads.failure();
    if (!list) return list.failure();
    plan.before.assign(rank, 0);
    plan.after.assign(rank, 0);
    plan.touched.assign(rank, true);
    if (list->present && !list->known()) return plan;
    std::vector<std::size_t> axes;
    if (list->present) {
        auto distinct = distinct_axes(call, *list->values, rank);
        if (!distinct) return distinct.failure();
        axes = std::move(*distinct);
        plan.touched.assign(rank, false);
        for (const std::size_t a : axes) plan.touched[a] = true;
    } else {
        for (std::size_t i = 0; i < rank; ++i) axes.push_back(i);
    }
    if (pads->count && *pads->count != 2 * axes.size())
        return error{"Pad has " + std::to_string(*pads->count) + " pads, where " + std::to_string(2 * axes.size()) + " are expected"};
    if (!pads->known()) return plan;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        plan.before[axes[i]] = (*pads->values)[i];
        plan.after[axes[i]] = (*pads->values)[axes.size() + i];
    }
    for (const std::int64_t p : *pads->values)
        if (p < -largest_window || p > largest_window) return error{"Pad has a pad of " + std::to_string(p) + ", which is too large"};
    plan.known = true;
    return plan;
}

inline outcome<node_type> infer_pad(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 4)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    if (call.has(2)) {
        const tensor_type& value = call.type(2);
        if (value.element != x.element && value.element != element_type::none && x.element != element_type::none)
            return error{"Pad has data of type " + to_string(x) + " and a constant of type " + to_string(value) +
                         ", which must be of one element type"};
        if (value.is_static() && element_count(static_shape(value)) != 1)
            return error{"Pad has a constant of type " + to_string(value) + ", where one element is expected"};
    }
    if (!x.ranked) return node_type(tensor_type(x.element));
    const auto plan = pad_plan_of(call, x.rank());
    if (!plan) return plan.failure();
    shape result;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        const extent& e = x.extents[i];
        const std::int64_t added = plan->before[i] + plan->after[i];
        if (!plan->touched[i] || (plan->known && added == 0)) {
            result.push_back(e);
        } else if (!plan->known || !e.is_known()) {
            result.emplace_back();
        } else {
            if (e.size > INT64_MAX / 4 || e.size + added < 0)
                return error{"Pad adds " + std::to_string(added) + " to axis " + std::to_string(i) + " of " + to_string(x) +
                             ", which leaves no extent"};
            if (plan->mode != pad_mode::constant && e.size == 0)
                return error{"Pad cannot continue axis " + std::to_string(i) + " of " + to_string(x) + ", which has no elements"};
            result.emplace_back(e.size + added);
        }
    }
    return countable_type(call, tensor_type(x.element, std::move(result)));
}

inline outcome<void> fill_pad(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    tensor& y = results[0];
    if (y.count() == 0) return {};
    const auto plan = pad_plan_of(call, x.rank());
    if (!plan) return plan.failure();
    const std::size_t width = size_of(x.element());
    const std::vector<std::byte> zero(width);
    const std::byte* const constant = call.has(2) ? operands[2].data() : zero.data();
    const auto strides = row_major_strides(x.extents());
    std::vector<std::vector<std::int64_t>> places(x.rank());  // along each axis, in elements of the data; -1 for the constant
    for (std::size_t a = 0; a < x.rank(); ++a)
        for (std::int64_t i = 0; i < y.extents()[a]; ++i) {
            const std::int64_t place = padded_place(i - plan->before[a], x.extents()[a], plan->mode);
            places[a].push_back(place < 0 ? -1 : place * strides[a]);
        }
    std::vector<std::size_t> index(x.rank(), 0);
    for (std::size_t k = 0; k < y.count(); ++k) {
        std::int64_t at = 0;
        bool added = false;
        for (std::size_t a = 0; a < x.rank(); ++a) {
            const std::int64_t place = places[a][index[a]];
            added = added || place < 0;
            at += place;
        }
        std::memcpy(y.data() + k * width, added ? constant : x.data() + static_cast<std::size_t>(at) * width, width);
        for (std::size_t a = x.rank(); a-- > 0;) {
            if (++index[a] < places[a].size()) break;
            index[a] = 0;
        }
    }
    return {};
}

}  // namespace detail

/// Pad: elements added before and after axes, or taken away where a pad is negative.
template <class = void>
struct onnx_padding {
    static constexpr auto table = with_attributes<pad_attributes>({
        {"onnx.Pad", op_kind::injective, detail::infer_pad, filled<detail::infer_pad, detail::fill_pad>, detail::work_moved},
    });
};

}  // namespace inlay

#endif
