// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_POOLING_HPP
#define INLAY_OPS_ONNX_POOLING_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/loops/convolution_loops.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {
namespace detail {

using max_pool_scalars = scalar_list<float, double, std::int8_t, std::uint8_t>;

/// The windows of a pooling whose operand has that rank; their kernel is the attribute `kernel_shape`.
inline outcome<window_set> pooling_windows_of(const call_view& call, std::size_t rank) {
    if (rank < 3 || rank > 5)
        return error{short_name(call.op) + " takes batches and channels of one to three spatial axes, and has an operand of rank " +
                     std::to_string(rank)};
    if (read<max_pool_attributes>(call).kernel_shape.empty())
        return error{short_name(call.op) + " needs attribute kernel_shape, a list of integers"};
    return windows_of(call, std::vector<std::int64_t>(rank - 2, -1));
}

inline outcome<node_type> infer_pool(const call_view& call, element_mask allowed, bool indices) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, allowed)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    const std::size_t axes = read<max_pool_attributes>(call).kernel_shape.size();
    const std::size_t rank = x.ranked ? x.rank() : axes == 0 ? 3 : axes + 2;
    const auto set = pooling_windows_of(call, rank);
    if (!set) return set.failure();
    const shape in = x.ranked ? x.extents : shape(rank);
    shape result{in[0], in[1]};
    for (std::size_t i = 2; i < rank; ++i) {
        const window& w = set->axes[i - 2];
        if (set->mode == padding_mode::given && std::max(w.before, w.after) >= w.reach())
            return error{short_name(call.op) + " has pads of " + std::to_string(std::max(w.before, w.after)) + " on spatial axis " +
                         std::to_string(i - 2) + ", where its window reaches over " + std::to_string(w.reach())};
        auto places = windowed_extent(call, w, set->mode, set->ceil ? window_rounding::up : window_rounding::towards_zero, in[i]);
        if (!places) return places.failure();
        result.push_back(std::move(*places));
    }
    auto y = countable_type(call, tensor_type(x.element, result));
    if (!y || call.outputs < 2) return y;
    if (!indices || call.outputs > 2) return error{short_name(call.op) + " does not have " + std::to_string(call.outputs) + " outputs"};
    return node_type::tuple({std::move(*y), tensor_type(element_type::int64, std::move(result))});
}

inline outcome<node_type> infer_max_pool(const call_view& call) {
    if (const std::int64_t order = read<max_pool_attributes>(call).storage_order; order != 0 && order != 1)
        return error{"MaxPool has storage_order " + std::to_string(order) + ", which must be 0 or 1"};
    return infer_pool(call, elements(max_pool_scalars()), true);
}
inline outcome<node_type> infer_average_pool(const call_view& call) { return infer_pool(call, elements(floating_scalars()), false); }

/// The exponent of LpPool and GlobalLpPool.
template <operator_attributes Structure>
outcome<std::int64_t> norm_order_of(const call_view& call) {
    const std::int64_t p = read<Structure>(call).p;
    if (p < 1) return error{short_name(call.op) + " has p " + std::to_string(p) + ", which must be positive"};
    return p;
}
inline outcome<node_type> infer_lp_pool(const call_view& call) {
    if (const auto p = norm_order_of<lp_pool_attributes>(call); !p) return p.failure();
    return infer_pool(call, elements(floating_scalars()), false);
}

/// A pooling in numbers, over three spatial axes.
inline outcome<convolution_extents> pooling_extents_of(const call_view& call, const std::vector<std::int64_t>& x,
                                                       const std::vector<std::int64_t>& y) {
    const auto set = pooling_windows_of(call, x.size());
    if (!set) return set.failure();
    convolution_extents e;
    e.batches = x[0] * x[1];
    for (std::size_t i = 2; i < x.size(); ++i) {
        const std::size_t axis = 5 - x.size() + i - 2;
        e.in[axis] = x[i];
        e.out[axis] = y[i];
        e.windows[axis] = padded_window(set->axes[i - 2], set->mode, e.in[axis], e.out[axis]);
    }
    return e;
}

/// The taps of a window at a place that meet elements: `first` up to but not including `last`. Found without walking, for a window may
/// have many more taps than the axis has elements.
struct tap_range {
    std::int64_t first = 0, last = 0;
};

inline tap_range taps_on_axis(const window& w, std::int64_t place, std::int64_t in) {
    const auto above = [&](std::int64_t distance) { return distance <= 0 ? 0 : (distance + w.dilation - 1) / w.dilation; };
    return {above(w.before - place * w.stride), std::min(w.kernel, above(in + w.before - place * w.stride))};
}

/// Calls `visit(plane, at)` for the element under each tap that meets one and then `finish(place, index)`, for each place of each
/// plane: `at` counts elements of the plane, `place` elements of the result, `index` has the place along each axis.
template <class Visit, class Finish>
void for_each_window(const convolution_extents& e, Visit&& visit, Finish&& finish) {
    const auto& w = e.windows;
    std::size_t place = 0;
    for (std::int64_t n = 0; n < e.batches; ++n)
        for (std::int64_t a = 0; a < e.out[0]; ++a) {
            const tap_range along_0 = taps_on_axis(w[0], a, e.in[0]);
            for (std::int64_t b = 0; b < e.out[1]; ++b) {
                const tap_range along_1 = taps_on_axis(w[1], b, e.in[1]);
                for (std::int64_t c = 0; c < e.out[2]; ++c, ++place) {
                    const tap_range along_2 = taps_on_axis(w[2], c, e.in[2]);
                    for (std::int64_t u = along_0.first; u < along_0.last; ++u)
                        for (std::int64_t v = along_1.first; v < along_1.last; ++v)
                            for (std::int64_t t = along_2.first; t < along_2.last; ++t) {
                                const std::int64_t i = a * w[0].stride + u * w[0].dilation - w[0].before;
                                const std::int64_t j = b * w[1].stride + v * w[1].dilation - w[1].before;
                                const std::int64_t k = c * w[2].stride + t * w[2].dilation - w[2].before;
                                visit(n, (i * e.in[1] + j) * e.in[2] + k);
                            }
                    finish(place, std::array<std::int64_t, 3>{a, b, c});
                }
            }
        }
}

inline outcome<void> fill_max_pool(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto e = pooling_extents_of(call, operands[0].extents(), results[0].extents());
    if (!e) return e.failure();
    const std::int64_t plane = e->in_plane();
    const bool column_major = read<max_pool_attributes>(call).storage_order == 1;
    visit_element_type(max_pool_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        constexpr T lowest = std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
        const T* const x = operands[0].as<T>().data();
        T best = lowest;
        std::int64_t best_plane = 0, best_at = -1;
        for_each_window(
            *e,
            [&](std::int64_t n, std::int64_t at) {
                const T v = x[n * plane + at];
                if (best_at >= 0 && !(v > best) && v == v) return;
                if (best_at >= 0 && best != best) return;  // a NaN that was found first stays
                best = v;
                best_plane = n;
                best_at = at;
            },
            [&](std::size_t place, const std::array<std::int64_t, 3>&) {
                results[0].as<T>()[place] = best;
                if (results.size() > 1) {
                    std::int64_t index = best_at;
                    if (column_major && best_at >= 0) {
                        const std::int64_t k = best_at % e->in[2], j = best_at / e->in[2] % e->in[1], i = best_at / e->in[2] / e->in[1];
                        index = i + e->in[0] * (j + e->in[1] * k);
                    }
                    results[1].as<std::int64_t>()[place] = best_at < 0 ? -1 : best_plane * plane + index;
                }
                best = lowest;
                best_at = -1;
            });
    });
    return {};
}

/// How many taps of a window count where added elements do: all, but for those that only `ceil_mode` lets hang over the end.
inline std::int64_t taps_on_padded_axis(const window& w, std::int64_t place, std::int64_t in, bool ceil) {
    if (!ceil) return w.kernel;
    const std::int64_t room = in + w.before + w.after - place * w.stride;
    return room <= 0 ? 0 : std::min(w.kernel, (room + w.dilation - 1) / w.dilation);
}

inline outcome<void> fill_average_pool(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto e = pooling_extents_of(call, operands[0].extents(), results[0].extents());
    if (!e) return e.failure();
    const std::int64_t plane = e->in_plane();
    const auto how = read<average_pool_attributes>(call);
    const bool count_padding = how.count_include_pad, ceil = how.ceil_mode;
    visit_element_type(floating_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* const x = operands[0].as<T>().data();
        double sum = 0;
        std::int64_t count = 0;
        for_each_window(
            *e,
            [&](std::int64_t n, std::int64_t at) {
                sum += static_cast<double>(x[n * plane + at]);
                ++count;
            },
            [&](std::size_t place, const std::array<std::int64_t, 3>& where) {
                if (count_padding) {
                    count = 1;
                    for (std::size_t i = 0; i < 3; ++i) count *= taps_on_padded_axis(e->windows[i], where[i], e->in[i], ceil);
                }
                results[0].as<T>()[place] = count == 0 ? T(0) : static_cast<T>(sum / static_cast<double>(count));
                sum = 0;
                count = 0;
            });
    });
    return {};
}

/// The sum's term for one element of a p-norm, and the root of the sum.
inline double norm_term(double v, std::int64_t p) {
    return p == 1 ? std::abs(v) : p == 2 ? v * v : std::pow(std::abs(v), static_cast<double>(p));
}
inline double norm_root(double sum, std::int64_t p) {
    return p == 1 ? sum : p == 2 ? std::sqrt(sum) : std::pow(sum, 1.0 / static_cast<double>(p));
}

inline outcome<void> fill_lp_pool(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto e = pooling_extents_of(call, operands[0].extents(), results[0].extents());
    if (!e) return e.failure();
    const std::int64_t plane = e->in_plane(), p = read<lp_pool_attributes>(call).p;
    visit_element_type(floating_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T* const x = operands[0].as<T>().data();
        double sum = 0;
        for_each_window(
            *e, [&](std::int64_t n, std::int64_t at) { sum += norm_term(static_cast<double>(x[n * plane + at]), p); },
            [&](std::size_t place, const std::array<std::int64_t, 3>&) {
                results[0].as<T>()[place] = static_cast<T>(norm_root(sum, p));
                sum = 0;
            });
    });
    return {};
}

inline op_work work_pool(const call_view& call, const node_type& result) {
    double taps = 1;
    for (const std::int64_t k : read<max_pool_attributes>(call).kernel_shape) taps *= static_cast<double>(k);
    const tensor_type& y = result.is_tuple() ? result.fields[0].of_tensor : result.of_tensor;
    return {taps * elements_of(y), bytes_moved(call, result)};
}

/// The type of a pooling over all spatial axes, each of which is left with extent 1.
inline outcome<node_type> infer_global_pool(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(floating_scalars()))) return std::move(*wrong);
    tensor_type result = call.type(0);
    if (!result.ranked) return node_type(std::move(result));
    if (result.rank() < 2)
        return error{short_name(call.op) + " has an operand of type " + to_string(result) +
                     ", where batch, channels and spatial axes are expected"};
    for (std::size_t i = 2; i < result.rank(); ++i) {
        if (result.extents[i] == extent(0))
            return error{short_name(call.op) + " has an operand of type " + to_string(result) + ", which has nothing to pool"};
        result.extents[i] = extent(1);
    }
    return node_type(std::move(result));
}
inline outcome<node_type> infer_global_lp_pool(const call_view& call) {
    if (const auto p = norm_order_of<global_lp_pool_attributes>(call); !p) return p.failure();
    return infer_global_pool(call);
}

enum class global_pool : std::uint8_t { average, max, norm };

template <global_pool Kind>
outcome<void> pool_planes(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    if (results[0].count() == 0) return {};
    [[maybe_unused]] const std::int64_t p = Kind == global_pool::norm ? read<global_lp_pool_attributes>(call).p : 2;
    visit_element_type(floating_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const auto x = operands[0].as<T>();
        const std::size_t plane = x.size() / results[0].count();
        std::size_t at = 0;
        for (T& y : results[0].as<T>()) {
            double sum = 0;
            T best = x[at];
            for (std::size_t i = 0; i < plane; ++i, ++at) {
                if constexpr (Kind == global_pool::max)
                    best = best != best || best > x[at] ? best : x[at];
                else
                    sum += Kind == global_pool::norm ? norm_term(static_cast<double>(x[at]), p) : static_cast<double>(x[at]);
            }
            y = Kind == global_pool::max ? best
                                         : static_cast<T>(Kind == global_pool::norm ? norm_root(sum, p) : sum / static_cast<double>(plane));
        }
    });
    return {};
}

inline outcome<void> fill_global_average_pool(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return pool_planes<global_pool::average>(call, operands, results);
}
inline outcome<void> fill_global_max_pool(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return pool_planes<global_pool::max>(call, operands, results);
}
inline outcome<void> fill_global_lp_pool(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    return pool_planes<global_pool::norm>(call, operands, results);
}

inline op_work work_global_pool(const call_view& call, const node_type& result) {
    return {elements_of(call.type(0)), bytes_moved(call, result)};
}

}  // namespace detail

/// Pooling over windows and over whole planes, as ONNX defines it. A window that `ceil_mode` lets hang over the end begins before the
/// elements added there, and averages over what is not beyond them.
template <class = void>
struct onnx_pooling {
    static constexpr auto table =
        with_attributes<average_pool_attributes, global_lp_pool_attributes, lp_pool_attributes, max_pool_attributes>({
            {"onnx.AveragePool", op_kind::reduction, detail::infer_average_pool,
             filled<detail::infer_average_pool, detail::fill_average_pool>, detail::work_pool},
            {"onnx.GlobalAveragePool", op_kind::reduction, detail::infer_global_pool,
             filled<detail::infer_global_pool, detail::fill_global_average_pool>, detail::work_global_pool},
            {"onnx.GlobalLpPool", op_kind::reduction, detail::infer_global_lp_pool,
             filled<detail::infer_global_lp_pool, detail::fill_global_lp_pool>, detail::work_global_pool},
            {"onnx.GlobalMaxPool", op_kind::reduction, detail::infer_global_pool,
             filled<detail::infer_global_pool, detail::fill_global_max_pool>, detail::work_global_pool},
            {"onnx.LpPool", op_kind::reduction, detail::infer_lp_pool, filled<detail::infer_lp_pool, detail::fill_lp_pool>,
             detail::work_pool},
            {"onnx.MaxPool", op_kind::reduction, detail::infer_max_pool, filled<detail::infer_max_pool, detail::fill_max_pool>,
             detail::work_pool},
        });
};

}  // namespace inlay

#endif
