// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ATTENTION_HPP
#define INLAY_OPS_ONNX_ATTENTION_HPP

#include <algorithm>
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

#include <inlay/ops/agreed_element.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/broadcasting.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {
namespace detail {

/// Query, key and value as attention reads them, whatever their rank: batch, heads, places in the row, size of a head.
struct attention_shape {
    extent batch, heads, key_heads, rows, keys, size, value_size;
};

/// The four axes of one operand: as they stand, or with the heads side by side in the last of three.
[[nodiscard]] inline outcome<std::vector<extent>> attention_axes(const call_view& call, std::size_t i, std::int64_t heads) {
    const shape& e = call.type(i).extents;
    if (e.size() == 4) return std::vector<extent>{e[0], e[1], e[2], e[3]};
    if (e.size() != 3)
        return error{"Attention has operand " + std::to_string(i) + " of type " + to_string(call.type(i)) +
                     ", where a rank of 3 or 4 is expected"};
    if (heads <= 0) return error{"Attention has operands of rank 3, which need the attributes q_num_heads and kv_num_heads to be positive"};
    if (e[2].is_known() && e[2].size % heads != 0)
        return error{"Attention has operand " + std::to_string(i) + " of type " + to_string(call.type(i)) + ", which " +
                     std::to_string(heads) + " heads do not divide"};
    return std::vector<extent>{e[0], extent(heads), e[1], e[2].is_known() ? extent(e[2].size / heads) : extent()};
}

/// What the three operands' shapes come to. Precondition: all are ranked.
[[nodiscard]] inline outcome<attention_shape> attention_shape_of(const call_view& call) {
    if (call.type(0).rank() != call.type(1).rank() || call.type(0).rank() != call.type(2).rank())
        return error{"Attention has operands of types " + to_string(call.type(0)) + ", " + to_string(call.type(1)) + " and " +
                     to_string(call.type(2)) + ", whose ranks must be one"};
    const attention_attributes given = read<attention_attributes>(call);
    const auto q = attention_axes(call, 0, given.q_num_heads.value_or(0)), k = attention_axes(call, 1, given.kv_num_heads.value_or(0)),
               v = attention_axes(call, 2, given.kv_num_heads.value_or(0));
    for (const auto* axes : {&q, &k, &v})
        if (!*axes) return axes->failure();
    const auto differ = [&](const char* what) {
        return error{"Attention has operands of types " + to_string(call.type(0)) + ", " + to_string(call.type(1)) + " and " +
                     to_string(call.type(2)) + ", whose " + what + " do not agree"};
    };
    attention_shape s{better_known(better_known((*q)[0], (*k)[0]), (*v)[0]),
                      (*q)[1],
                      better_known((*k)[1], (*v)[1]),
                      (*q)[2],
                      better_known((*k)[2], (*v)[2]),
                      better_known((*q)[3], (*k)[3]),
                      (*v)[3]};
    if (!can_be_equal((*q)[0], s.batch) || !can_be_equal((*k)[0], s.batch) || !can_be_equal((*v)[0], s.batch)) return differ("batches");
    if (!can_be_equal((*k)[1], (*v)[1])) return differ("heads");
    if (s.heads.is_known() && s.key_heads.is_known() && (s.key_heads.size == 0 ? s.heads.size != 0 : s.heads.size % s.key_heads.size != 0))
        return differ("heads");
    if (!can_be_equal((*k)[2], (*v)[2])) return differ("numbers of keys");
    if (!can_be_equal((*q)[3], (*k)[3])) return differ("sizes of a head");
    return s;
}

inline outcome<node_type> infer_attention(const call_view& call) {
    if (auto wrong = wrong_arity(call, 3, 6)) return std::move(*wrong);
    if (call.has(4) || call.has(5) || call.outputs > 1)
        return error{"Attention with past keys and values, or with further results, is not supported; join the keys and values before it"};
    const attention_attributes given = read<attention_attributes>(call);
    for (const auto& [name, places] :
         {std::pair("left_window_size", given.left_window_size), {"right_window_size", given.right_window_size}})
        if (places != -1)
            return error{"Attention has " + std::string(name) + " " + std::to_string(places) +
                         ", which is not supported; give it a mask that leaves the keys outside of the window out"};
    const auto element = agreed_element(call, {0, 1, 2}, elements(floating_scalars()));
    if (!element) return element.failure();
    if (call.has(3) && call.type(3).element != element_type::boolean)
        if (auto same = agreed_element(call, {0, 3}, elements(floating_scalars())); !same) return same.failure();
    for (const std::size_t i : {0u, 1u, 2u})
        if (!call.type(i).ranked) return node_type(tensor_type(*element));
    const auto s = attention_shape_of(call);
    if (!s) return s.failure();
    if (call.has(3) && call.type(3).ranked) {
        const shape scores{s->batch, s->heads, s->rows, s->keys}, &mask = call.type(3).extents;
        bool fits = mask.size() <= 4;
        for (std::size_t i = 0; fits && i < mask.size(); ++i) {
            const extent &from = mask[mask.size() - 1 - i], &to = scores[3 - i];
            fits = from == extent(1) || can_be_equal(from, to);
        }
        if (!fits)
            return error{"Attention cannot stretch its mask of type " + to_string(call.type(3)) + " to " +
                         to_string(tensor_type(*element, scores))};
    }
    if (call.type(0).rank() == 4) return countable_type(call, tensor_type(*element, {s->batch, s->heads, s->rows, s->value_size}));
    const extent parts[] = {s->heads, s->value_size};
    auto joined = extent_product(parts);
    if (!joined) return error{"Attention has more values than can be counted"};
    return countable_type(call, tensor_type(*element, {s->batch, s->rows, std::move(*joined)}));
}

/// Where an operand's rows stand: `at(batch, head, row)` is the first element of a row.
struct attention_rows {
    std::int64_t batch_step, head_step, row_step;

    attention_rows(std::int64_t heads, std::int64_t rows, std::int64_t size, bool four_axes)
        : batch_step(heads * rows * size), head_step(four_axes ? rows * size : size), row_step(four_axes ? size : heads * size) {}
    [[nodiscard]] std::int64_t at(std::int64_t batch, std::int64_t head, std::int64_t row) const {
        return batch * batch_step + head * head_step + row * row_step;
    }
};

/// softmax(scale q k + mask) v for each batch, head and row; sums are in float64. A row in which the mask leaves no key gives no number.
inline outcome<void> fill_attention(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    const auto shapes = attention_shape_of(call);
    if (!shapes) return shapes.failure();
    const std::int64_t batches = shapes->batch.size, heads = shapes->heads.size, key_heads = shapes->key_heads.size,
                       rows = shapes->rows.size, keys = shapes->keys.size, size = shapes->size.size, value_size = shapes->value_size.size;
    if (results[0].count() == 0) return {};
    const attention_attributes given = read<attention_attributes>(call);
    const bool four_axes = operands[0].rank() == 4, causal = given.is_causal;
    const double scale = given.scale.value_or(1 / std::sqrt(static_cast<double>(size))), cap = given.softcap;
    const tensor* mask = call.has(3) ? &operands[3] : nullptr;
    const std::vector<std::int64_t> step =
        mask == nullptr ? std::vector<std::int64_t>(4, 0) : stretched_strides(mask->extents(), {batches, heads, rows, keys});
    const attention_rows q_rows(heads, rows, size, four_axes), k_rows(key_heads, keys, size, four_axes),
        v_rows(key_heads, keys, value_size, four_axes), y_rows(heads, rows, value_size, four_axes);
    tensor scores(element_type::float64, {keys}), sums(element_type::float64, {value_size});
    if (!scores.ok() || !sums.ok()) return no_memory(call, results[0].type());
    double *const p = scores.as<double>().data(), *const sum = sums.as<double>().data();
    const bool known = visit_element_type(floating_scalars(), results[0].element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        const T *const q = operands[0].as<T>().data(), *const k = operands[1].as<T>().data(), *const v = operands[2].as<T>().data();
        T* const y = results[0].as<T>().data();
        const auto masked = [&](double score, std::int64_t at) {
            if (mask == nullptr) return score;
            if (mask->element() == element_type::boolean)
                return mask->as<bool>()[static_cast<std::size_t>(at)] ? score : -std::numeric_limits<double>::infinity();
            return score + static_cast<double>(mask->as<T>()[static_cast<std::size_t>(at)]);
        };
        for (std::int64_t b = 0; b < batches; ++b)
            for (std::int64_t h = 0; h < heads; ++h) {
                const std::int64_t kh = h / (heads / key_heads);
                for (std::int64_t i = 0; i < rows; ++i) {
                    double largest = -std::numeric_limits<double>::infinity();
                    for (std::int64_t j = 0; j < keys; ++j) {
                        double dot = 0;
                        for (std::int64_t c = 0; c < size; ++c)
                            dot += static_cast<double>(q[q_rows.at(b, h, i) + c]) * static_cast<double>(k[k_rows.at(b, kh, j) + c]);
                        dot *= scale;
                        if (cap != 0) dot = cap * std::tanh(dot / cap);
                        p[j] = causal && j > i ? -std::numeric_limits<double>::infinity()
                                               : masked(dot, b * step[0] + h * step[1] + i * step[2] + j * step[3]);
                        largest = std::max(largest, p[j]);
                    }
                    double whole = 0;
                    std::fill(sum, sum + value_size, 0.0);
                    for (std::int64_t j = 0; j < keys; ++j) {
                        const double weight = std::exp(p[j] - largest);
                        whole += weight;
                        for (std::int64_t c = 0; c < value_size; ++c) sum[c] += weight * static_cast<double>(v[v_rows.at(b, kh, j) + c]);
                    }
                    for (std::int64_t c = 0; c < value_size; ++c)
                        y[y_rows.at(b, h, i) + c] = keys == 0 ? T(0) : static_cast<T>(sum[c] / whole);
                }
            }
    });
    if (!known) return no_loop(call, results[0].element());
    return {};
}

/// Two products and a softmax of what stands between them.
inline op_work work_attention(const call_view& call, const node_type& result) {
    const auto s = attention_shape_of(call);
    if (!s) return {0, bytes_moved(call, result)};
    const auto number = [](const extent& e) { return static_cast<double>(e.size); };
    const double scores = number(s->batch) * number(s->heads) * number(s->rows) * number(s->keys);
    return {scores * (2 * number(s->size) + 2 * number(s->value_size) + 5), bytes_moved(call, result)};
}

}  // namespace detail

/// Attention as ONNX defines it since version 23, on whole rows of keys: scale, mask, causal mask, soft cap, groups of heads that share
/// their keys; without past keys and values, and with its first result alone.
template <class = void>
struct onnx_attentions {
    static constexpr auto table = with_attributes<attention_attributes>({
        {"onnx.Attention", op_kind::anchor, detail::infer_attention, filled<detail::infer_attention, detail::fill_attention>,
         detail::work_attention},
    });
};

}  // namespace inlay

#endif
