// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_PLAIN_NORMALIZATION_HPP
#define INLAY_OPS_ONNX_PLAIN_NORMALIZATION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/loops/axis_lines.hpp>
#include <inlay/ops/loops/channel_window.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/onnx/reduction.hpp>

namespace inlay {
namespace detail {

inline outcome<node_type> infer_lrn(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    const std::int64_t size = read<lrn_attributes>(call).size;
    if (size <= 0) return error{"LRN needs the attribute size to be positive and has " + std::to_string(size)};
    if (call.type(0).ranked && call.type(0).rank() < 2)
        return error{"LRN has data of type " + to_string(call.type(0)) + " without channels"};
    return node_type(call.type(0));
}

/// Each element over a power of the sum of squares of its neighbours across channels.
inline outcome<std::vector<tensor>> evaluate_lrn(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const double alpha = read<lrn_attributes>(call).alpha, beta = read<lrn_attributes>(call).beta, bias = read<lrn_attributes>(call).bias;
    const std::int64_t size = read<lrn_attributes>(call).size;
    tensor result(data.element(), data.extents());
    if (!result.ok()) return no_memory(call, data.type());
    const std::int64_t channels = data.extents()[1];
    const channel_window window = channel_window::of(size, channels);
    const std::int64_t inner = extent_product(data.extents(), 2, data.rank());
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        std::vector<double> squares(static_cast<std::size_t>(inner));
        for (std::int64_t n = 0; n < data.extents()[0]; ++n) {
            const T* const x = data.as<T>().data() + n * channels * inner;
            T* const y = result.as<T>().data() + n * channels * inner;
            for (std::int64_t c = 0; c < channels; ++c) {
                std::fill(squares.begin(), squares.end(), 0.0);
                for (std::int64_t k = std::max<std::int64_t>(0, c - window.before); k <= std::min(channels - 1, c + window.after); ++k)
                    for (std::int64_t i = 0; i < inner; ++i) {
                        const auto v = static_cast<double>(x[k * inner + i]);
                        squares[static_cast<std::size_t>(i)] += v * v;
                    }
                for (std::int64_t i = 0; i < inner; ++i)
                    y[c * inner + i] =
                        static_cast<T>(static_cast<double>(x[c * inner + i]) /
                                       std::pow(bias + alpha / static_cast<double>(size) * squares[static_cast<std::size_t>(i)], beta));
            }
        }
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

inline outcome<node_type> infer_lp_normalization(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    const std::int64_t p = read<lp_normalization_attributes>(call).p, axis = read<lp_normalization_attributes>(call).axis;
    if (p != 1 && p != 2) return error{"LpNormalization needs the attribute p to be 1 or 2 and has " + std::to_string(p)};
    if (call.type(0).ranked && !axis_of(axis, call.type(0).rank())) return no_such_axis(call, axis, call.type(0).rank());
    return node_type(call.type(0));
}

/// Each line along the axis over its norm; a line of zeros stays.
inline outcome<std::vector<tensor>> evaluate_lp_normalization(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const auto axis = axis_of(read<lp_normalization_attributes>(call).axis, data.rank());
    if (!axis) return no_such_axis(call, read<lp_normalization_attributes>(call).axis, data.rank());
    tensor result(data.element(), data.extents());
    if (!result.ok()) return no_memory(call, data.type());
    const axis_lines lines = axis_lines::of(data.extents(), *axis);
    const bool squares = read<lp_normalization_attributes>(call).p == 2;
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        if (lines.length == 0) return;
        for (std::int64_t line = 0; line < lines.count(); ++line) {
            const T* const x = data.as<T>().data() + lines.begin(line);
            T* const y = result.as<T>().data() + lines.begin(line);
            double norm = 0;
            for (std::int64_t i = 0; i < lines.length; ++i) {
                const auto v = static_cast<double>(x[i * lines.step]);
                norm += squares ? v * v : std::abs(v);
            }
            if (squares) norm = std::sqrt(norm);
            for (std::int64_t i = 0; i < lines.length; ++i)
                y[i * lines.step] = norm == 0 ? T(0) : static_cast<T>(static_cast<double>(x[i * lines.step]) / norm);
        }
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

/// The axes of MeanVarianceNormalization, one flag per axis; by default all but the channels of images.
[[nodiscard]] inline outcome<std::vector<bool>> mean_variance_axes(const call_view& call, std::size_t rank) {
    std::vector<bool> reduced(rank, false);
    for (const std::int64_t a : read<mean_variance_normalization_attributes>(call).axes) {
        const auto axis = axis_of(a, rank);
        if (!axis) return no_such_axis(call, a, rank);
        reduced[*axis] = true;
    }
    return reduced;
}

inline outcome<node_type> infer_mean_variance_normalization(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    if (call.type(0).ranked)
        if (auto axes = mean_variance_axes(call, call.type(0).rank()); !axes) return axes.failure();
    return node_type(call.type(0));
}

/// (x - mean) / (standard deviation + 1e-9), as the function that defines the operator has it.
inline outcome<std::vector<tensor>> evaluate_mean_variance_normalization(const call_view& call, std::span<const tensor> operands) {
    const tensor& data = operands[0];
    const auto reduced = mean_variance_axes(call, data.rank());
    if (!reduced) return reduced.failure();
    const reduction_walk w = walk_of(data.extents(), *reduced);
    tensor result(data.element(), data.extents()), sums(element_type::float64, {2, w.kept_count});
    if (!result.ok() || !sums.ok()) return no_memory(call, data.type());
    double *const mean = sums.as<double>().data(), *const deviation = mean + w.kept_count;
    const bool known = visit_element_type(floating_scalars(), data.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* const x = data.as<T>().data();
        T* const y = result.as<T>().data();
        const auto each = [&](auto&& visit) {
            for_each_reduced_row(w, [&](std::int64_t at, std::int64_t count, std::int64_t to, bool is_reduced) {
                for (std::int64_t i = 0; i < count; ++i) visit(at + i, is_reduced ? to : to + i);
            });
        };
        const auto count = static_cast<double>(w.reduced_count);
        each([&](std::int64_t i, std::int64_t k) { mean[k] += static_cast<double>(x[i]) / count; });
        each([&](std::int64_t i, std::int64_t k) {
            const double d = static_cast<double>(x[i]) - mean[k];
            deviation[k] += d * d / count;
        });
        for (std::int64_t k = 0; k < w.kept_count; ++k) deviation[k] = std::sqrt(deviation[k]) + 1e-9;
        each([&](std::int64_t i, std::int64_t k) { y[i] = static_cast<T>((static_cast<double>(x[i]) - mean[k]) / deviation[k]); });
    });
    if (!known) return no_loop(call, data.element());
    return std::vector<tensor>{std::move(result)};
}

inline op_work work_lrn(const call_view& call, const node_type& result) {
    const std::int64_t size = read<lrn_attributes>(call).size;
    const bool is_known = call.type(0).ranked && call.type(0).rank() > 1 && call.type(0).extents[1].is_known();
    const auto taps = static_cast<double>(is_known ? channel_window::of(size, call.type(0).extents[1].size).taps() : size);
    return work_per_element(call, result, 2 * taps + 4);
}
inline op_work work_plain_normalization(const call_view& call, const node_type& result) { return work_per_element(call, result, 6); }

}  // namespace detail

/// Normalisations without scale and bias.
template <class = void>
struct onnx_plain_normalizations {
    static constexpr auto table = with_attributes<lrn_attributes, lp_normalization_attributes, mean_variance_normalization_attributes>({
        {"onnx.LRN", op_kind::reduction, detail::infer_lrn, detail::evaluate_lrn, detail::work_lrn},
        {"onnx.LpNormalization", op_kind::reduction, detail::infer_lp_normalization, detail::evaluate_lp_normalization,
         detail::work_plain_normalization},
        {"onnx.MeanVarianceNormalization", op_kind::reduction, detail::infer_mean_variance_normalization,
         detail::evaluate_mean_variance_normalization, detail::work_plain_normalization},
    });
};

}  // namespace inlay

#endif
