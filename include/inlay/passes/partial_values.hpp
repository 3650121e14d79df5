// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_PARTIAL_VALUES_HPP
#define INLAY_PASSES_PARTIAL_VALUES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>

namespace inlay {

/// A small tensor of integers of which only some are known: what `Shape` gives of a type with symbols. An element that is no number
/// has a symbol or is quite unknown; it stands for an extent, so that it is not negative.
using partial_value = std::vector<extent>;

inline constexpr std::size_t longest_partial_value = 64;

/// The elements as a tensor of these extents, where all of them are numbers.
[[nodiscard]] inline std::optional<tensor> whole_value(const partial_value& value, const tensor_type& type) {
    if (!type.is_static() ||
        !std::all_of(value.begin(), value.end(), [](const extent& e) { return e.symbol.empty() && e.size != extent::unknown; }))
        return std::nullopt;
    tensor t(type.element, static_shape(type));
    if (!t.ok() || t.count() != value.size()) return std::nullopt;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (type.element == element_type::int64)
            t.as<std::int64_t>()[i] = value[i].size;
        else if (type.element == element_type::int32)
            t.as<std::int32_t>()[i] = static_cast<std::int32_t>(value[i].size);
        else
            return std::nullopt;
    }
    return t;
}

/// What `Shape` gives of a type of known rank, `start` and `end` as its attributes say.
[[nodiscard]] inline std::optional<partial_value> shape_value(const call_view& call) {
    if (!call.has(0) || !call.type(0).ranked) return std::nullopt;
    const shape& extents = call.type(0).extents;
    const auto rank = static_cast<std::int64_t>(extents.size());
    const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
    const shape_attributes given = read<shape_attributes>(call);
    const std::int64_t start = place(given.start), end = place(given.end.value_or(rank));
    if (start >= end) return partial_value();
    return partial_value(extents.begin() + start, extents.begin() + end);
}

namespace detail {

/// A number of the partial value is any number but the mark of the unknown, which no arithmetic here may give.
inline extent partial_number(std::int64_t value) { return value == extent::unknown ? extent() : extent(value); }
inline bool is_number(const extent& e) { return e.size != extent::unknown; }
inline bool is_number(const extent& e, std::int64_t value) { return is_number(e) && e.size == value; }

inline extent partial_arithmetic(std::string_view op, const extent& x, const extent& y) {
    if (is_number(x) && is_number(y)) {
        std::int64_t z = 0;
        if (op == "onnx.Add" && !__builtin_add_overflow(x.size, y.size, &z)) return partial_number(z);
        if (op == "onnx.Sub" && !__builtin_sub_overflow(x.size, y.size, &z)) return partial_number(z);
        if (op == "onnx.Mul" && !__builtin_mul_overflow(x.size, y.size, &z)) return partial_number(z);
        if (op == "onnx.Div" && x.size >= 0 && y.size > 0) return partial_number(x.size / y.size);
        return {};
    }
    if ((op == "onnx.Add" || op == "onnx.Sub") && is_number(y, 0)) return x;
    if (op == "onnx.Add" && is_number(x, 0)) return y;
    if ((op == "onnx.Mul" || op == "onnx.Div") && is_number(y, 1)) return x;
    if (op == "onnx.Mul" && is_number(x, 1)) return y;
    if (op == "onnx.Mul" && (is_number(x, 0) || is_number(y, 0))) return extent(0);
    return {};
}

}  // namespace detail

/// What an operator makes of operands that are known in part, as far as shape arithmetic goes: operators that move elements (run on
/// their places), and Add, Sub, Mul and Div. `values[i]` is null where operand i is not known in part; `result` is the call's type.
[[nodiscard]] inline std::optional<partial_value> partial_result(const op_definition& op, const call_view& call,
                                                                 std::span<const partial_value* const> values, const tensor_type& result) {
    if (!result.is_static() || result.rank() > 1 || (result.element != element_type::int64 && result.element != element_type::int32))
        return std::nullopt;
    const auto count = static_cast<std::size_t>(result.rank() == 0 ? 1 : result.extents[0].size);
    if (count > longest_partial_value) return std::nullopt;

    static constexpr std::string_view arithmetic[] = {"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div"};
    if (std::find(std::begin(arithmetic), std::end(arithmetic), op.name) != std::end(arithmetic)) {
        if (values.size() != 2 || values[0] == nullptr || values[1] == nullptr) return std::nullopt;
        const partial_value &x = *values[0], &y = *values[1];
        if ((x.size() != count && x.size() != 1) || (y.size() != count && y.size() != 1)) return std::nullopt;
        partial_value z;
        for (std::size_t i = 0; i < count; ++i)
            z.push_back(detail::partial_arithmetic(op.name, x[x.size() == 1 ? 0 : i], y[y.size() == 1 ? 0 : i]));
        return z;
    }

    static constexpr std::string_view moving[] = {"onnx.Cast",    "onnx.Concat", "onnx.Flatten", "onnx.Gather",   "onnx.Identity",
                                                  "onnx.Reshape", "onnx.Slice",  "onnx.Squeeze", "onnx.Unsqueeze"};
    if (std::find(std::begin(moving), std::end(moving), op.name) == std::end(moving)) return std::nullopt;
    // The operator is run on numbers that say where each element came from; operands that it looks at must be known for good.
    const bool all_move = op.name == "onnx.Concat";
    partial_value places;
    std::vector<tensor> operands;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i == 0 || all_move) {
            if (values[i] == nullptr || !call.has(i) || !call.type(i).is_static()) return std::nullopt;
            tensor t(call.type(i).element, static_shape(call.type(i)));
            if (t.count() != values[i]->size()) return std::nullopt;
            for (std::size_t k = 0; k < t.count(); ++k) {
                if (t.element() == element_type::int64)
                    t.as<std::int64_t>()[k] = static_cast<std::int64_t>(places.size());
                else if (t.element() == element_type::int32)
                    t.as<std::int32_t>()[k] = static_cast<std::int32_t>(places.size());
                else
                    return std::nullopt;
                places.push_back((*values[i])[k]);
            }
            operands.push_back(std::move(t));
        } else if (!call.has(i)) {
            operands.emplace_back();
        } else {
            if (call.constant(i) == nullptr) return std::nullopt;
            operands.push_back(*call.constant(i));
        }
    }
    const auto moved = evaluate_call(op, *call.attributes, operands, 1);
    if (!moved) return std::nullopt;
    const auto from = integers_of((*moved)[0]);
    if (!from || from->size() != count) return std::nullopt;
    partial_value value;
    for (const std::int64_t place : *from) {
        if (place < 0 || static_cast<std::size_t>(place) >= places.size()) return std::nullopt;
        value.push_back(places[static_cast<std::size_t>(place)]);
    }
    return value;
}

/// The target of a Reshape that is known in part, as numbers that say the same: an element that is the extent of the same axis of the
/// data becomes 0, one other unknown element -1. Nothing where more are unknown.
[[nodiscard]] inline std::optional<std::vector<std::int64_t>> reshape_target(const partial_value& target, const tensor_type& data) {
    std::vector<std::int64_t> numbers;
    bool open = false;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const extent& e = target[i];
        if (detail::is_number(e)) {
            if (e.size <= 0) return std::nullopt;  // already says something about other elements
            numbers.push_back(e.size);
        } else if (!e.symbol.empty() && data.ranked && i < data.rank() && data.extents[i] == e) {
            numbers.push_back(0);
        } else if (!open) {
            open = true;
            numbers.push_back(-1);
        } else {
            return std::nullopt;
        }
    }
    return numbers;
}

}  // namespace inlay

#endif
