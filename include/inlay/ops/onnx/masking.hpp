// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_MASKING_HPP
#define INLAY_OPS_ONNX_MASKING_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/gathering.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {
namespace detail {

/// The value of an operand of one number, as 64 bits, where it is known; fractions are cut off.
inline std::optional<std::int64_t> known_number(const call_view& call, std::size_t i) {
    const tensor* t = call.constant(i);
    if (t == nullptr || !t->ok() || t->count() != 1) return std::nullopt;
    const auto wide = convert_elements(*t, element_type::int64);
    if (!wide) return std::nullopt;
    return wide->as<std::int64_t>()[0];
}

/// What is wrong with operand i as one number, if anything.
inline std::optional<error> no_single_number(const call_view& call, std::size_t i) {
    if (!call.has(i) || !call.type(i).is_static() || element_count(static_shape(call.type(i))) == 1) return std::nullopt;
    return error{short_name(call.op) + " has operand " + std::to_string(i) + " of type " + to_string(call.type(i)) +
                 ", where one number is expected"};
}

inline outcome<node_type> infer_trilu(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 2)) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    if (auto wrong = no_single_number(call, 1)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    if (x.ranked && x.rank() < 2) return error{"Trilu has an operand of type " + to_string(x) + ", where a matrix or several are expected"};
    return node_type(x);
}

inline outcome<void> fill_trilu(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    if (x.count() == 0) return {};
    const std::int64_t rows = x.extents()[x.rank() - 2], columns = x.extents()[x.rank() - 1];
    const std::int64_t k = std::clamp(known_number(call, 1).value_or(0), -rows, columns);
    const bool upper = read<trilu_attributes>(call).upper;
    const std::size_t width = size_of(x.element()), matrices = x.count() / static_cast<std::size_t>(rows * columns);
    std::size_t row = 0;
    for (std::size_t m = 0; m < matrices; ++m)
        for (std::int64_t i = 0; i < rows; ++i, ++row) {
            const auto first = static_cast<std::size_t>(upper ? std::clamp<std::int64_t>(i + k, 0, columns) : 0);
            const auto last = static_cast<std::size_t>(upper ? columns : std::clamp<std::int64_t>(i + k + 1, 0, columns));
            const std::size_t at = (row * static_cast<std::size_t>(columns) + first) * width;
            if (last > first) std::memcpy(results[0].data() + at, x.data() + at, (last - first) * width);
        }
    return {};
}

inline outcome<node_type> infer_one_hot(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 3)) return std::move(*wrong);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
        if (auto wrong = wrong_element(call, i, elements(numeric_scalars()))) return std::move(*wrong);
    if (auto wrong = no_single_number(call, 1)) return std::move(*wrong);
    const tensor_type &at = call.type(0), &values = call.type(2);
    if (values.ranked && (values.rank() != 1 || !can_be_equal(values.extents[0], 2)))
        return error{"OneHot has values of type " + to_string(values) + ", where the two for off and on are expected"};
    if (!at.ranked) return node_type(tensor_type(values.element));
    const std::int64_t stated = read<one_hot_attributes>(call).axis;
    const auto axis = axis_of(stated, at.rank() + 1);
    if (!axis) return no_such_axis(call, stated, at.rank() + 1);
    extent depth;
    if (const auto known = known_number(call, 1)) {
        if (*known < 0) return error{"OneHot has depth " + std::to_string(*known) + ", which must not be negative"};
        depth = extent(*known);
    }
    shape result = at.extents;
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(*axis), std::move(depth));
    return countable_type(call, tensor_type(values.element, std::move(result)));
}

inline outcome<void> fill_one_hot(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    tensor& y = results[0];
    if (y.count() == 0) return {};
    const auto indices = convert_elements(operands[0], element_type::int64);
    if (!indices) return no_memory(call, operands[0].type());
    const std::size_t axis = checked_axis(read<one_hot_attributes>(call).axis, y.rank()), width = size_of(y.element());
    const std::int64_t depth = y.extents()[axis];
    const auto outer = static_cast<std::size_t>(extent_product(y.extents(), 0, axis)),
               inner = static_cast<std::size_t>(extent_product(y.extents(), axis + 1, y.rank()));
    std::byte* to = y.data();
    for (std::size_t o = 0; o < outer; ++o)
        for (std::int64_t d = 0; d < depth; ++d)
            for (std::size_t i = 0; i < inner; ++i, to += width) {
                const bool on = place_of(indices->as<std::int64_t>()[o * inner + i], depth) == d;
                std::memcpy(to, operands[2].data() + (on ? width : 0), width);
            }
    return {};
}

inline outcome<node_type> infer_reverse_sequence(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    const tensor_type &x = call.type(0), &lengths = call.type(1);
    const std::int64_t batch = read<reverse_sequence_attributes>(call).batch_axis, time = read<reverse_sequence_attributes>(call).time_axis;
    if (!((batch == 0 && time == 1) || (batch == 1 && time == 0)))
        return error{"ReverseSequence has batch_axis " + std::to_string(batch) + " and time_axis " + std::to_string(time) +
                     ", which must be 0 and 1 in some order"};
    if (!x.ranked) return node_type(x);
    if (x.rank() < 2) return error{"ReverseSequence has an operand of type " + to_string(x) + ", where a rank of 2 or more is expected"};
    if (lengths.ranked && (lengths.rank() != 1 || !can_be_equal(lengths.extents[0], x.extents[static_cast<std::size_t>(batch)])))
        return error{"ReverseSequence has lengths of type " + to_string(lengths) + " for an operand of type " + to_string(x)};
    return node_type(x);
}

inline outcome<void> fill_reverse_sequence(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    const auto lengths = integers_of(operands[1]);
    if (!lengths) return error{"ReverseSequence needs lengths of integers"};
    const bool time_first = read<reverse_sequence_attributes>(call).time_axis == 0;
    const std::int64_t times = x.extents()[time_first ? 0 : 1];
    const std::size_t batches = lengths->size(),
                      row = static_cast<std::size_t>(extent_product(x.extents(), 2, x.rank())) * size_of(x.element());
    for (const std::int64_t length : *lengths)
        if (length < 0 || length > times)
            return error{"ReverseSequence has a length of " + std::to_string(length) + " for " + std::to_string(times) + " steps"};
    if (row == 0) return {};
    const auto at = [&](std::size_t b, std::int64_t t) {
        const auto time = static_cast<std::size_t>(t);
        return (time_first ? time * batches + b : b * static_cast<std::size_t>(times) + time) * row;
    };
    for (std::size_t b = 0; b < batches; ++b)
        for (std::int64_t t = 0; t < times; ++t)
            std::memcpy(results[0].data() + at(b, t), x.data() + at(b, t < (*lengths)[b] ? (*lengths)[b] - 1 - t : t), row);
    return {};
}

}  // namespace detail

/// Operators that keep, set or turn round elements by their place alone: OneHot, ReverseSequence, Trilu.
template <class = void>
struct onnx_masking {
    static constexpr auto table = with_attributes<one_hot_attributes, reverse_sequence_attributes, trilu_attributes>({
        {"onnx.OneHot", op_kind::opaque, detail::infer_one_hot, filled<detail::infer_one_hot, detail::fill_one_hot>, detail::work_moved},
        {"onnx.ReverseSequence", op_kind::opaque, detail::infer_reverse_sequence,
         filled<detail::infer_reverse_sequence, detail::fill_reverse_sequence>, detail::work_moved},
        {"onnx.Trilu", op_kind::opaque, detail::infer_trilu, filled<detail::infer_trilu, detail::fill_trilu>, detail::work_moved},
    });
};

}  // namespace inlay

#endif
