// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_SELECTION_HPP
#define INLAY_OPS_ONNX_SELECTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/onnx/gathering.hpp>
#include <inlay/ops/onnx/masking.hpp>

namespace inlay {
namespace detail {

inline outcome<node_type> infer_top_k(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(numeric_scalars()))) return std::move(*wrong);
    if (auto wrong = wrong_indices(call, 1)) return std::move(*wrong);
    if (auto wrong = no_single_number(call, 1)) return std::move(*wrong);
    if (call.outputs > 2) return error{"TopK does not have " + std::to_string(call.outputs) + " outputs"};
    tensor_type values = call.type(0);
    if (values.ranked) {
        const std::int64_t stated = read<top_k_attributes>(call).axis;
        const auto axis = axis_of(stated, values.rank());
        if (!axis) return no_such_axis(call, stated, values.rank());
        extent& e = values.extents[*axis];
        const auto k = known_number(call, 1);
        if (k && (*k < 0 || (e.is_known() && *k > e.size)))
            return error{"TopK takes " + std::to_string(*k) + " of axis " + std::to_string(*axis) + " of " + to_string(call.type(0)) +
                         ", which does not have as many"};
        e = k ? extent(*k) : extent();
    }
    tensor_type places = values;
    places.element = element_type::int64;
    if (call.outputs < 2) return node_type(std::move(values));
    return node_type::tuple({std::move(values), std::move(places)});
}

/// Whether a comes before b in a descending order in which NaN is the largest number.
template <class T>
bool above(T a, T b) {
    if (b != b) return false;
    return a != a || a > b;
}

inline outcome<void> fill_top_k(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const tensor& x = operands[0];
    if (results[0].count() == 0) return {};
    const std::size_t axis = checked_axis(read<top_k_attributes>(call).axis, x.rank());
    const bool largest = read<top_k_attributes>(call).largest;
    const auto size = static_cast<std::size_t>(x.extents()[axis]), kept = static_cast<std::size_t>(results[0].extents()[axis]),
               outer = static_cast<std::size_t>(extent_product(x.extents(), 0, axis)),
               inner = static_cast<std::size_t>(extent_product(x.extents(), axis + 1, x.rank()));
    visit_element_type(numeric_scalars(), x.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        std::vector<std::size_t> order(size);
        for (std::size_t o = 0; o < outer; ++o)
            for (std::size_t i = 0; i < inner; ++i) {
                const auto value = [&](std::size_t k) { return x.as<T>()[(o * size + k) * inner + i]; };
                std::iota(order.begin(), order.end(), std::size_t{0});
                std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                    return largest ? above(value(a), value(b)) : above(value(b), value(a));
                });
                for (std::size_t k = 0; k < kept; ++k) {
                    const std::size_t to = (o * kept + k) * inner + i;
                    results[0].as<T>()[to] = value(order[k]);
                    if (results.size() > 1) results[1].as<std::int64_t>()[to] = static_cast<std::int64_t>(order[k]);
                }
            }
    });
    return {};
}

inline op_work work_top_k(const call_view& call, const node_type& result) { return {elements_of(call.type(0)), bytes_moved(call, result)}; }

/// How many axes the places in a tensor of that rank have. A place in a scalar has none.
inline std::int64_t axes_of_places(std::size_t rank) {
    return static_cast<std::int64_t>(rank == 0 && !in_force<"ops.non-zero.scalar">() ? 1 : rank);
}

inline outcome<node_type> infer_non_zero(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    const tensor_type& x = call.type(0);
    shape result(2);
    if (x.ranked) result[0] = extent(axes_of_places(x.rank()));
    return node_type(tensor_type(element_type::int64, std::move(result)));
}

inline outcome<std::vector<tensor>> evaluate_non_zero(const call_view& call, std::span<const tensor> operands) {
    const tensor& x = operands[0];
    std::vector<std::size_t> found;
    visit_element_type(all_scalars(), x.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        for (std::size_t k = 0; k < x.count(); ++k)
            if (x.as<T>()[k] != T(0)) found.push_back(k);
    });
    tensor y(element_type::int64, {axes_of_places(x.rank()), static_cast<std::int64_t>(found.size())});
    if (!y.ok()) return no_memory(call, y.type());
    const auto strides = row_major_strides(x.extents());
    for (std::size_t a = 0; a < x.rank(); ++a)
        for (std::size_t k = 0; k < found.size(); ++k)
            y.as<std::int64_t>()[a * found.size() + k] = static_cast<std::int64_t>(found[k]) / strides[a] % x.extents()[a];
    return std::vector<tensor>{std::move(y)};
}

/// The axis that Compress or Unique works along, as its attribute says; nothing where it reads its operand as one row.
inline outcome<std::optional<std::size_t>> stated_axis_of(const call_view& call, std::optional<std::int64_t> stated) {
    if (!stated || !call.type(0).ranked) return std::optional<std::size_t>();
    const auto axis = axis_of(*stated, call.type(0).rank());
    if (!axis) return no_such_axis(call, *stated, call.type(0).rank());
    return axis;
}

inline outcome<node_type> infer_compress(const call_view& call) {
    if (auto wrong = wrong_arity(call, 2, 2)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 1, mask_of(element_type::boolean) | mask_of(element_type::none))) return std::move(*wrong);
    const tensor_type &x = call.type(0), &condition = call.type(1);
    if (condition.ranked && condition.rank() != 1)
        return error{"Compress has a condition of type " + to_string(condition) + ", where a list is expected"};
    const auto axis = stated_axis_of(call, read<compress_attributes>(call).axis);
    if (!axis) return axis.failure();
    if (!read<compress_attributes>(call).axis) return node_type(tensor_type(x.element, shape(1)));
    if (!x.ranked) return node_type(tensor_type(x.element));
    shape result = x.extents;
    if (*axis) result[**axis] = extent();
    return node_type(tensor_type(x.element, std::move(result)));
}

inline outcome<std::vector<tensor>> evaluate_compress(const call_view& call, std::span<const tensor> operands) {
    const auto axis = stated_axis_of(call, read<compress_attributes>(call).axis);
    if (!axis) return axis.failure();
    const bool flat = !axis->has_value();
    const tensor x = flat ? operands[0].reshaped({static_cast<std::int64_t>(operands[0].count())}) : operands[0];
    const std::size_t a = flat ? 0 : **axis;
    const auto keep = operands[1].as<bool>();
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (!keep[i]) continue;
        if (i >= static_cast<std::size_t>(x.extents()[a]))
            return error{"Compress keeps place " + std::to_string(i) + " of an axis of extent " + std::to_string(x.extents()[a])};
        kept.push_back(i);
    }
    std::vector<std::int64_t> extents = x.extents();
    extents[a] = static_cast<std::int64_t>(kept.size());
    tensor y(x.element(), std::move(extents));
    if (!y.ok()) return no_memory(call, y.type());
    if (y.count() == 0) return std::vector<tensor>{std::move(y)};
    const auto outer = static_cast<std::size_t>(extent_product(x.extents(), 0, a)), size = static_cast<std::size_t>(x.extents()[a]),
               row = static_cast<std::size_t>(extent_product(x.extents(), a + 1, x.rank())) * size_of(x.element());
    std::byte* to = y.data();
    for (std::size_t o = 0; o < outer; ++o)
        for (const std::size_t i : kept) {
            std::memcpy(to, x.data() + (o * size + i) * row, row);
            to += row;
        }
    return std::vector<tensor>{std::move(y)};
}

inline outcome<node_type> infer_unique(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 1)) return std::move(*wrong);
    if (auto wrong = wrong_element(call, 0, elements(all_scalars()))) return std::move(*wrong);
    if (call.outputs > 4) return error{"Unique does not have " + std::to_string(call.outputs) + " outputs"};
    const tensor_type& x = call.type(0);
    const auto axis = stated_axis_of(call, read<unique_attributes>(call).axis);
    if (!axis) return axis.failure();
    tensor_type y(x.element, shape(1));
    if (read<unique_attributes>(call).axis) {
        y = x;
        if (*axis) y.extents[**axis] = extent();
    }
    if (call.outputs < 2) return node_type(std::move(y));
    std::vector<node_type> all(call.outputs, node_type(tensor_type(element_type::int64, shape(1))));
    all[0] = std::move(y);
    return node_type::tuple(std::move(all));
}

inline outcome<std::vector<tensor>> evaluate_unique(const call_view& call, std::span<const tensor> operands) {
    const auto axis = stated_axis_of(call, read<unique_attributes>(call).axis);
    if (!axis) return axis.failure();
    const bool flat = !axis->has_value();
    const tensor x = flat ? operands[0].reshaped({static_cast<std::int64_t>(operands[0].count())}) : operands[0];
    const std::size_t a = flat ? 0 : **axis;
    const auto outer = static_cast<std::size_t>(extent_product(x.extents(), 0, a)), size = static_cast<std::size_t>(x.extents()[a]),
               inner = static_cast<std::size_t>(extent_product(x.extents(), a + 1, x.rank()));
    std::vector<std::size_t> first;  // of each distinct slice, its first place
    std::vector<std::int64_t> inverse(size, 0), counts;
    visit_element_type(all_scalars(), x.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const auto compare = [&](std::size_t p, std::size_t q) {
            for (std::size_t o = 0; o < outer; ++o)
                for (std::size_t i = 0; i < inner; ++i) {
                    const T u = x.as<T>()[(o * size + p) * inner + i], v = x.as<T>()[(o * size + q) * inner + i];
                    if (above(v, u)) return -1;
                    if (above(u, v)) return 1;
                }
            return 0;
        };
        std::vector<std::size_t> order(size);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return compare(p, q) < 0; });
        std::vector<std::size_t> group(size, 0);
        for (std::size_t k = 0; k < size; ++k) {
            if (k == 0 || compare(order[k - 1], order[k]) != 0) {
                first.push_back(order[k]);
                counts.push_back(0);
            }
            group[order[k]] = first.size() - 1;
            ++counts.back();
        }
        std::vector<std::size_t> rank(first.size());
        std::iota(rank.begin(), rank.end(), std::size_t{0});
        if (!read<unique_attributes>(call).sorted)  // in order of first appearance
            std::sort(rank.begin(), rank.end(), [&](std::size_t p, std::size_t q) { return first[p] < first[q]; });
        std::vector<std::size_t> place(rank.size()), firsts;
        std::vector<std::int64_t> ordered;
        for (std::size_t k = 0; k < rank.size(); ++k) {
            place[rank[k]] = k;
            firsts.push_back(first[rank[k]]);
            ordered.push_back(counts[rank[k]]);
        }
        for (std::size_t k = 0; k < size; ++k) inverse[k] = static_cast<std::int64_t>(place[group[k]]);
        first = std::move(firsts);
        counts = std::move(ordered);
    });
    std::vector<std::int64_t> extents = x.extents();
    extents[a] = static_cast<std::int64_t>(first.size());
    tensor y(x.element(), std::move(extents));
    if (!y.ok()) return no_memory(call, y.type());
    const std::size_t row = inner * size_of(x.element());
    for (std::size_t o = 0; o < outer && row != 0; ++o)
        for (std::size_t k = 0; k < first.size(); ++k)
            std::memcpy(y.data() + (o * first.size() + k) * row, x.data() + (o * size + first[k]) * row, row);
    const auto list = [](const auto& values) {
        std::vector<std::int64_t> wide(values.begin(), values.end());
        return tensor::of({static_cast<std::int64_t>(wide.size())}, wide);
    };
    std::vector<tensor> all{std::move(y), list(first), list(inverse), list(counts)};
    all.resize(std::max<std::size_t>(call.outputs, 1));
    return all;
}

}  // namespace detail

/// Operators whose result depends on what the elements are: Compress, NonZero, TopK, Unique. Equal elements keep their order; NaN
/// counts as the largest number.
template <class = void>
struct onnx_selection {
    static constexpr auto table = with_attributes<compress_attributes, top_k_attributes, unique_attributes>({
        {"onnx.Compress", op_kind::opaque, detail::infer_compress, detail::evaluate_compress, detail::work_moved},
        {"onnx.NonZero", op_kind::opaque, detail::infer_non_zero, detail::evaluate_non_zero, detail::work_moved},
        {"onnx.TopK", op_kind::opaque, detail::infer_top_k, filled<detail::infer_top_k, detail::fill_top_k>, detail::work_top_k},
        {"onnx.Unique", op_kind::opaque, detail::infer_unique, detail::evaluate_unique, detail::work_moved},
    });
};

}  // namespace inlay

#endif
