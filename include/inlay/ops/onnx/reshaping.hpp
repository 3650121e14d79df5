// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_RESHAPING_HPP
#define INLAY_OPS_ONNX_RESHAPING_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {
namespace detail {

inline outcome<node_type> infer_reshape(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    const auto target = index_list_of(call, 1);
    if (!target) return target.failure();
    const tensor_type& x = call.type(0);
    if (!target->known()) {
        if (!target->count) return node_type(tensor_type(x.element));
        return node_type(tensor_type(x.element, shape(*target->count)));
    }
    const bool zero_is_zero = read<reshape_attributes>(call).allowzero;
    std::string text;
    for (const std::int64_t v : *target->values) text += (text.empty() ? "" : ",") + std::to_string(v);
    const auto wrong = [&](const std::string& why) { return error{"Reshape of " + to_string(x) + " to [" + text + "] " + why}; };
    shape result, under;
    std::vector<bool> copied(x.rank(), false);
    std::size_t open = target->values->size();
    bool has_zero = false;
    for (std::size_t i = 0; i < target->values->size(); ++i) {
        const std::int64_t v = (*target->values)[i];
        if (v < -1) return wrong("has an extent below -1");
        if (v == -1) {
            if (open != target->values->size()) return wrong("has -1 twice");
            open = i;
            result.emplace_back();
        } else if (v == 0 && !zero_is_zero) {
            if (x.ranked && i >= x.rank()) return wrong("has 0 where there is no axis to copy");
            result.push_back(x.ranked ? x.extents[i] : extent());
            // An extent that is copied cancels out of what -1 stands for, be it zero or not known.
            if (x.ranked)
                copied[i] = true;
            else
                under.push_back(result.back());
        } else {
            has_zero = has_zero || v == 0;
            result.emplace_back(v);
            under.emplace_back(v);
        }
    }
    if (!x.ranked) return countable_type(call, tensor_type(x.element, std::move(result)));
    shape over;
    bool copies_none = false;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (!copied[i]) over.push_back(x.extents[i]);
        copies_none = copies_none || (copied[i] && x.extents[i].is_known() && x.extents[i].size == 0);
    }
    if (open < result.size()) {
        if (has_zero) return wrong("leaves -1 open beside an extent of 0");
        auto rest = extent_quotient(over, under);
        if (!rest) return wrong("does not divide the elements evenly");
        result[open] = std::move(*rest);
    } else if (const auto from = extent_product(over), to = extent_product(under); !from || !to) {
        return wrong("is beyond counting");
    } else if (!copies_none && !can_be_equal(*from, *to)) {
        // With a copied extent of 0 both have no elements.
        return wrong("changes the number of elements");
    }
    return countable_type(call, tensor_type(x.element, std::move(result)));
}

inline outcome<node_type> infer_flatten(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    if (!x.ranked) return node_type(tensor_type(x.element, shape(2)));
    const std::int64_t axis = read<flatten_attributes>(call).axis, rank = static_cast<std::int64_t>(x.rank());
    if (axis < -rank || axis > rank) return no_such_axis(call, axis, x.rank());
    const auto middle = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    auto before = extent_product(std::span(x.extents).first(middle)), after = extent_product(std::span(x.extents).subspan(middle));
    if (!before || !after) return error{"Flatten of " + to_string(x) + " is beyond counting"};
    return countable_type(call, tensor_type(x.element, {std::move(*before), std::move(*after)}));
}

inline outcome<node_type> infer_squeeze(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 2)) return std::move(*wrong);
    const auto list = index_list_of(call, 1);
    if (!list) return list.failure();
    const tensor_type& x = call.type(0);
    if (!x.ranked) return node_type(tensor_type(x.element));
    if (list->present && !list->known()) {
        if (!list->count || *list->count > x.rank()) return node_type(tensor_type(x.element));
        return node_type(tensor_type(x.element, shape(x.rank() - *list->count)));
    }
    std::vector<bool> gone(x.rank(), false);
    if (list->present) {
        const auto axes = distinct_axes(call, *list->values, x.rank());
        if (!axes) return axes.failure();
        for (const std::size_t a : *axes) {
            if (!can_be_equal(x.extents[a], 1))
                return error{"Squeeze takes axis " + std::to_string(a) + " out of " + to_string(x) + ", which is not of extent 1"};
            gone[a] = true;
        }
    } else {
        for (std::size_t i = 0; i < x.rank(); ++i) {
            if (!x.extents[i].is_known()) return node_type(tensor_type(x.element));
            gone[i] = x.extents[i].size == 1;
        }
    }
    shape result;
    for (std::size_t i = 0; i < x.rank(); ++i)
        if (!gone[i]) result.push_back(x.extents[i]);
    return node_type(tensor_type(x.element, std::move(result)));
}

inline outcome<node_type> infer_unsqueeze(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    const auto list = index_list_of(call, 1);
    if (!list) return list.failure();
    const tensor_type& x = call.type(0);
    if (!x.ranked || !list->count) return node_type(tensor_type(x.element));
    const std::size_t rank = x.rank() + *list->count;
    if (!list->known()) return node_type(tensor_type(x.element, shape(rank)));
    const auto axes = distinct_axes(call, *list->values, rank);
    if (!axes) return axes.failure();
    std::vector<bool> fresh(rank, false);
    for (const std::size_t a : *axes) fresh[a] = true;
    shape result;
    std::size_t from = 0;
    for (std::size_t i = 0; i < rank; ++i) result.push_back(fresh[i] ? extent(1) : x.extents[from++]);
    return node_type(tensor_type(x.element, std::move(result)));
}

/// The same elements under the shape that the type rule gives.
template <outcome<node_type> (*Infer)(const call_view&)>
outcome<std::vector<tensor>> evaluate_reshaped(const call_view& call, std::span<const tensor> operands) {
    const auto type = Infer(call);
    if (!type) return type.failure();
    if (!type->is_static()) return error{short_name(call.op) + " cannot tell the shape of its result, which is " + to_string(*type)};
    return std::vector<tensor>{operands[0].reshaped(static_shape(type->of_tensor))};
}

/// Operators that move elements do no arithmetic.
inline op_work work_moved(const call_view& call, const node_type& result) { return {0, bytes_moved(call, result)}; }

}  // namespace detail

/// Reshape, Flatten, Squeeze, Unsqueeze: the elements stay in order, the shape changes.
template <class = void>
struct onnx_reshaping {
    static constexpr auto table = with_attributes<flatten_attributes, reshape_attributes>({
        {"onnx.Flatten", op_kind::injective, detail::infer_flatten, detail::evaluate_reshaped<detail::infer_flatten>, detail::work_moved},
        {"onnx.Reshape", op_kind::injective, detail::infer_reshape, detail::evaluate_reshaped<detail::infer_reshape>, detail::work_moved},
        {"onnx.Squeeze", op_kind::injective, detail::infer_squeeze, detail::evaluate_reshaped<detail::infer_squeeze>, detail::work_moved},
        {"onnx.Unsqueeze", op_kind::injective, detail::infer_unsqueeze, detail::evaluate_reshaped<detail::infer_unsqueeze>,
         detail::work_moved},
    });
};

}  // namespace inlay

#endif
