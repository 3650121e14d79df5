// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_GENERATION_HPP
#define INLAY_OPS_ONNX_GENERATION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/stretching.hpp>
#include <inlay/ops/loops/strided_copy.hpp>
#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {
namespace detail {

/// The axes that Shape tells about: `first` up to but not including `last`.
inline std::pair<std::size_t, std::size_t> shape_axes_of(const call_view& call, std::size_t rank) {
    const auto r = static_cast<std::int64_t>(rank);
    const auto place = [&](std::int64_t at) { return static_cast<std::size_t>(std::clamp<std::int64_t>(at < 0 ? at + r : at, 0, r)); };
    const shape_attributes given = read<shape_attributes>(call);
    const std::size_t first = place(given.start), last = place(given.end.value_or(r));
    return {first, std::max(first, last)};
}

inline outcome<node_type> infer_shape(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (!call.type(0).ranked) return node_type(tensor_type(element_type::int64, shape(1)));
    const auto [first, last] = shape_axes_of(call, call.type(0).rank());
    return node_type(tensor_type(element_type::int64, {static_cast<std::int64_t>(last - first)}));
}

inline outcome<void> fill_shape(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto [first, last] = shape_axes_of(call, operands[0].rank());
    std::copy(operands[0].extents().begin() + static_cast<std::ptrdiff_t>(first),
              operands[0].extents().begin() + static_cast<std::ptrdiff_t>(last), results[0].as<std::int64_t>().begin());
    return {};
}

inline outcome<node_type> infer_size(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    return node_type(tensor_type(element_type::int64, shape{}));
}

inline outcome<void> fill_size(const call_view&, std::span<const tensor> operands, std::span<tensor> results) {
    results[0].as<std::int64_t>()[0] = static_cast<std::int64_t>(operands[0].count());
    return {};
}

/// The element that ConstantOfShape repeats: the attribute `value`, else a float zero.
inline outcome<tensor> repeated_value(const call_view& call) {
    const std::optional<const tensor*> value = read<constant_of_shape_attributes>(call).value;
    if (!value) return tensor::scalar(0.0f);
    if (*value == nullptr || !(*value)->ok() || (*value)->count() != 1)
        return error{"ConstantOfShape has attribute value, which must be a tensor of one element"};
    return **value;
}

inline outcome<node_type> infer_constant_of_shape(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const auto value = repeated_value(call);
    if (!value) return value.failure();
    const auto list = index_list_of(call, 0);
    if (!list) return list.failure();
    if (!list->count) return node_type(tensor_type(value->element()));
    shape result(*list->count);
    if (list->known())
        for (std::size_t i = 0; i < result.size(); ++i) {
            if ((*list->values)[i] < 0) return negative_entry(call, (*list->values)[i]);
            result[i] = extent((*list->values)[i]);
        }
    return countable_type(call, tensor_type(value->element(), std::move(result)));
}

inline outcome<void> fill_constant_of_shape(const call_view& call, std::span<const tensor>, std::span<tensor> results) {
    const auto value = repeated_value(call);
    if (!value) return value.failure();
    copy_strided(*value, 0, std::vector<std::int64_t>(results[0].rank(), 0), results[0]);
    return {};
}

/// The tensor that a Constant states by one of its attributes.
inline outcome<tensor> constant_of(const call_view& call) {
    const constant_attributes a = read<constant_attributes>(call);
    if (a.value != nullptr && a.value->ok()) return *a.value;
    if (a.value_int) return tensor::scalar(*a.value_int);
    if (a.value_float) return tensor::scalar(static_cast<float>(*a.value_float));
    if (a.value_ints)
        return tensor::of({static_cast<std::int64_t>(a.value_ints->size())},
                          std::vector<std::int64_t>(a.value_ints->begin(), a.value_ints->end()));
    if (a.value_floats) {
        tensor t(element_type::float32, {static_cast<std::int64_t>(a.value_floats->size())});
        if (!t.ok()) return no_memory(call, t.type());
        std::transform(a.value_floats->begin(), a.value_floats->end(), t.as<float>().begin(),
                       [](double x) { return static_cast<float>(x); });
        return t;
    }
    return error{"Constant needs one of the attributes value, value_int, value_ints, value_float, value_floats"};
}

inline outcome<node_type> infer_constant(const call_view& call) {
    if (auto wrong = wrong_arity(call, 0, 0)) return std::move(*wrong);
    const auto t = constant_of(call);
    if (!t) return t.failure();
    return node_type(t->type());
}

inline outcome<std::vector<tensor>> evaluate_constant(const call_view& call, std::span<const tensor>) {
    auto t = constant_of(call);
    if (!t) return t.failure();
    return std::vector<tensor>{std::move(*t)};
}

using range_scalars = scalar_list<float, double, std::int16_t, std::int32_t, std::int64_t>;

/// How many numbers Range gives, where its operands are known; the error where they cannot be counted.
inline outcome<extent> range_count(const call_view& call) {
    for (std::size_t i = 0; i < 3; ++i) {
        const tensor* t = call.constant(i);
        if (t == nullptr || t->count() != 1) return extent();
    }
    std::optional<double> count;
    bool standing = false;
    visit_element_type(range_scalars(), call.constant(0)->element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T start = call.constant(0)->as<T>()[0], limit = call.constant(1)->as<T>()[0], delta = call.constant(2)->as<T>()[0];
        standing = delta == T(0);
        if (standing) return;
        if constexpr (std::is_floating_point_v<T>) {
            count = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(delta));
        } else {
            // Differences of 64-bit integers fit the unsigned type, and so does their quotient.
            const bool up = delta > T(0);
            if (up ? limit <= start : limit >= start) {
                count = 0;
                return;
            }
            const auto wide = [](T v) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)); };
            const std::uint64_t gap = up ? wide(limit) - wide(start) : wide(start) - wide(limit), step = up ? wide(delta) : 0 - wide(delta);
            count = static_cast<double>(gap / step + (gap % step != 0 ? 1 : 0));
        }
    });
    if (standing) return error{"Range has a delta of 0, which goes nowhere"};
    if (!count) return extent();
    if (!(*count < 1e15)) return error{"Range has limits and a delta that give more numbers than can be counted"};
    return extent(static_cast<std::int64_t>(std::max(*count, 0.0)));
}

inline outcome<node_type> infer_range(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 3)) return std::move(*wrong);
    const auto element = agreed_element(call, {0, 1, 2}, elements(range_scalars()));
    if (!element) return element.failure();
    for (std::size_t i = 0; i < 3; ++i)
        if (const tensor_type& t = call.type(i); t.is_static() && element_count(static_shape(t)) != 1)
            return error{"Range has operand " + std::to_string(i) + " of type " + to_string(t) + ", where one number is expected"};
    auto count = range_count(call);
    if (!count) return count.failure();
    return countable_type(call, tensor_type(*element, {std::move(*count)}));
}

inline outcome<void> fill_range(const call_view&, std::span<const tensor> operands, std::span<tensor> results) {
    visit_element_type(range_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T start = operands[0].as<T>()[0], delta = operands[2].as<T>()[0];
        const auto out = results[0].as<T>();
        for (std::size_t i = 0; i < out.size(); ++i) {
            if constexpr (std::is_floating_point_v<T>)
                out[i] = static_cast<T>(static_cast<double>(start) + static_cast<double>(i) * static_cast<double>(delta));
            else
                out[i] =
                    static_cast<T>(static_cast<std::uint64_t>(start) + static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(delta));
        }
    });
    return {};
}

inline outcome<node_type> infer_eye_like(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    if (x.ranked && x.rank() != 2) return error{"EyeLike has an operand of type " + to_string(x) + ", where a matrix is expected"};
    element_type element = x.element;
    if (read<eye_like_attributes>(call).dtype) {
        const auto stated = element_type_attribute<&eye_like_attributes::dtype>(*call.attributes);
        if (!stated) return error{"EyeLike has attribute dtype, which must be the number or name of an element type"};
        element = *stated;
    }
    return node_type(tensor_type(element, x.ranked ? x.extents : shape(2)));
}

inline outcome<void> fill_eye_like(const call_view& call, std::span<const tensor>, std::span<tensor> results) {
    const auto one = convert_elements(tensor::scalar(1.0f), results[0].element());
    if (!one) return no_memory(call, results[0].type());
    const std::int64_t rows = results[0].extents()[0], columns = results[0].extents()[1], shift = read<eye_like_attributes>(call).k;
    const std::size_t width = size_of(results[0].element());
    if (shift < -rows || shift > columns) return {};
    for (std::int64_t i = 0; i < rows; ++i)
        if (i + shift >= 0 && i + shift < columns)
            std::memcpy(results[0].data() + static_cast<std::size_t>(i * columns + i + shift) * width, one->data(), width);
    return {};
}

}  // namespace detail

/// Operators that make tensors out of shapes and numbers: Constant, ConstantOfShape, EyeLike, Range, Shape, Size.
template <class = void>
struct onnx_generation {
    static constexpr auto table =
        with_attributes<constant_attributes, constant_of_shape_attributes, eye_like_attributes, range_attributes, shape_attributes>({
            {"onnx.Constant", op_kind::opaque, detail::infer_constant, detail::evaluate_constant, detail::work_moved},
            {"onnx.ConstantOfShape", op_kind::opaque, detail::infer_constant_of_shape,
             filled<detail::infer_constant_of_shape, detail::fill_constant_of_shape>, detail::work_moved},
            {"onnx.EyeLike", op_kind::opaque, detail::infer_eye_like, filled<detail::infer_eye_like, detail::fill_eye_like>,
             detail::work_moved},
            {"onnx.Range", op_kind::opaque, detail::infer_range, filled<detail::infer_range, detail::fill_range>, detail::work_moved},
            {"onnx.Shape", op_kind::opaque, detail::infer_shape, filled<detail::infer_shape, detail::fill_shape>, detail::work_moved},
            {"onnx.Size", op_kind::opaque, detail::infer_size, filled<detail::infer_size, detail::fill_size>, detail::work_moved},
        });
};

}  // namespace inlay

#endif
