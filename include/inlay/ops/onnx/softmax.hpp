// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_SOFTMAX_HPP
#define INLAY_OPS_ONNX_SOFTMAX_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/loops/axis_lines.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

enum class softmax_form { plain, logarithm, hard };

/// Along one axis (by default the last), as since opset 13.
inline outcome<node_type> infer_along_axis(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    const tensor_type& data = call.type(0);
    const std::int64_t axis = read<softmax_attributes>(call).axis;
    if (data.ranked && !axis_of(axis, data.rank())) return no_such_axis(call, axis, data.rank());
    return node_type(data);
}

/// One line: x and y hold `lines.length` elements, `lines.step` apart. Sums are in float64.
template <softmax_form Form, class T>
void softmax_line(const T* x, T* y, const axis_lines& lines) {
    T largest = -std::numeric_limits<T>::infinity();
    std::int64_t best = 0;
    for (std::int64_t i = 0; i < lines.length; ++i) {
        const T v = x[i * lines.step];
        if (v > largest) {
            largest = v;
            best = i;
        }
    }
    if constexpr (Form == softmax_form::hard) {
        for (std::int64_t i = 0; i < lines.length; ++i) y[i * lines.step] = i == best ? T(1) : T(0);
    } else {
        double sum = 0;
        for (std::int64_t i = 0; i < lines.length; ++i)
            sum += std::exp(static_cast<double>(x[i * lines.step]) - static_cast<double>(largest));
        const double log_sum = std::log(sum);
        for (std::int64_t i = 0; i < lines.length; ++i) {
            const double v = static_cast<double>(x[i * lines.step]) - static_cast<double>(largest);
            y[i * lines.step] = static_cast<T>(Form == softmax_form::plain ? std::exp(v) / sum : v - log_sum);
        }
    }
}

template <softmax_form Form>
outcome<std::vector<tensor>> evaluate_softmax(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const auto axis = axis_of(read<softmax_attributes>(call).axis, data.rank());
    if (!axis) return no_such_axis(call, read<softmax_attributes>(call).axis, data.rank());
    tensor result(data.element(), data.extents());
    if (!result.ok()) return no_memory(call, data.type());
    const axis_lines lines = axis_lines::of(data.extents(), *axis);
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        if (lines.length == 0) return;
        for (std::int64_t line = 0; line < lines.count(); ++line)
            softmax_line<Form>(data.as<T>().data() + lines.begin(line), result.as<T>().data() + lines.begin(line), lines);
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

inline op_work work_softmax(const call_view& call, const node_type& result) { return work_per_element(call, result, 5); }

}  // namespace detail

/// Softmax and its kin, over one axis.
template <class = void>
struct onnx_softmaxes {
    static constexpr auto table = with_attributes<softmax_attributes>({
        {"onnx.Hardmax", op_kind::reduction, detail::infer_along_axis, detail::evaluate_softmax<detail::softmax_form::hard>,
         detail::work_softmax},
        {"onnx.LogSoftmax", op_kind::reduction, detail::infer_along_axis, detail::evaluate_softmax<detail::softmax_form::logarithm>,
         detail::work_softmax},
        {"onnx.Softmax", op_kind::reduction, detail::infer_along_axis, detail::evaluate_softmax<detail::softmax_form::plain>,
         detail::work_softmax},
    });
};

}  // namespace inlay

#endif
