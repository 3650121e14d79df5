// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ANCHORED_PRODUCT_HPP
#define INLAY_BACKEND_ANCHORED_PRODUCT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/activation_of.hpp>
#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/with_axes.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A tensor under another order of axes: axis i of the view is axis `order[i]` of the tensor.
[[nodiscard]] inline std::vector<std::int64_t> permuted(const std::vector<std::int64_t>& list, const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> view;
    view.reserve(order.size());
    for (const std::int64_t axis : order) view.push_back(list[static_cast<std::size_t>(axis)]);
    return view;
}

/// The order of axes of a Transpose of rank `rank`; nothing where the attribute is no permutation.
[[nodiscard]] inline std::optional<std::vector<std::int64_t>> order_of_transpose(const region_value& transpose, std::size_t rank) {
    std::vector<std::int64_t> order(rank), seen;
    for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(rank - 1 - i);
    if (const auto stated = inlay::read<transpose_attributes>(*transpose.attributes).perm) order.assign(stated->begin(), stated->end());
    seen = order;
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (seen[i] != static_cast<std::int64_t>(i)) return std::nullopt;
    if (order.size() != rank) return std::nullopt;
    return order;
}

/// The strides of a row-major tensor's axes before it was transposed in that order; of a tensor that was not where the order is empty.
[[nodiscard]] inline std::vector<std::int64_t> strides_before_transpose(const std::vector<std::int64_t>& extents,
                                                                        const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> strides = row_major_strides(extents);
    if (order.empty()) return strides;
    const std::vector<std::int64_t> stored = row_major_strides(permuted(extents, order));
    for (std::size_t i = 0; i < order.size(); ++i) strides[static_cast<std::size_t>(order[i])] = stored[i];
    return strides;
}

/// A product of matrices, MatMul or Gemm, and what follows it: a factor, a bias, an activation, another tensor. Operands that are
/// transposed first, and a result that is transposed alone, are read as strides.
struct anchored_product {
    /// One operand: which value, its extents as the product sees them, and the stride of each of these axes.
    struct operand {
        value_id value = 0;
        std::vector<std::int64_t> extents, strides;
    };

    operand a, b;
    std::vector<std::int64_t> extents, strides;  // of the result; batches of a first operand are rows where the second is one matrix
    std::optional<value_id> bias;                // a constant row or number, added after the factor
    double factor = 1;                           // of the product, before the bias
    double bias_factor = 1;                      // Gemm's beta
    std::vector<chain_step> after;
    std::vector<std::vector<std::int64_t>> other_extents;  // per step: of another tensor, with as many axes as the result

    static constexpr auto pattern_of_matmul() {
        using namespace dsl;
        constexpr auto matrix = maybe_call_on<1, "onnx.Transpose">(any);
        constexpr auto product = op<"onnx.MatMul">(matrix, matrix);
        constexpr auto scaled = maybe_call_on<2, "onnx.Mul", "onnx.Div">(product);
        constexpr auto biased = maybe_call_on<2, "onnx.Add", "onnx.Sum">(scaled);
        return maybe_call_on<2, "onnx.Add", "onnx.Sum">(maybe_activation_of(biased)) | op<"onnx.Transpose">(product);
    }
    static constexpr auto pattern_of_gemm() {
        using namespace dsl;
        constexpr auto biased = maybe_call_on<2, "onnx.Add", "onnx.Sum">(op<"onnx.Gemm">);
        return maybe_call_on<2, "onnx.Add", "onnx.Sum">(maybe_activation_of(biased));
    }

    /// What the bias adds to each column of the result; zeros where there is none. `r`: the region that the product was read off.
    [[nodiscard]] std::vector<float> biases(const region_view& r) const {
        std::vector<float> list(static_cast<std::size_t>(extents.back()), 0);
        if (!bias) return list;
        const auto from = r[*bias].value->as<float>();
        for (std::size_t c = 0; c < list.size(); ++c)
            list[c] = static_cast<float>(static_cast<double>(from[from.size() == 1 ? 0 : c]) * bias_factor);
        return list;
    }

    /// Reads a region as a product and what follows it. Error: another region, or something that a kernel for products does not take along.
    [[nodiscard]] static outcome<anchored_product> read(const region_view& r, std::size_t axes_allowed) {
        if (auto fine = check_float_region(r, axes_allowed); !fine) return fine.failure();
        return ending_at(r, r.results[0]);
    }

    /// Reads what ends at a value of a region as a product and what follows it; `others` calls do not belong to it and are the caller's to
    /// read. Precondition: inputs and that value are float32 tensors of known extents. Error as above.
    [[nodiscard]] static outcome<anchored_product> ending_at(const region_view& r, value_id end, std::size_t others = 0) {
        const auto is_product = [](const region_value& v) { return v.op == "onnx.MatMul" || v.op == "onnx.Gemm"; };
        // Transpositions below the product are the product's own: it is asked to read them before the chain counts its calls.
        std::size_t transposes = 0;
        for (const region_value& v : r.calls()) transposes += v.op == "onnx.Transpose" ? 1 : 0;
        std::size_t used = 0;
        std::vector<std::int64_t> order;  // of the axes of a transposed result
        if (r[end].op == "onnx.Transpose") {
            const auto read = order_of_transpose(r[end], r.type(end).rank());
            if (!read) return error{"Transpose has no permutation of its axes"};
            order = *read;
            end = r[end].operands[0];
            ++used;
        }
        auto chain = read_anchored_chain(r, end, is_product, transposes + others);
        if (!chain) return chain.failure();
        const region_value& c = r[chain->anchor];
        if (c.kind != region_value::role::call || c.operands.size() < 2) return error{"the region holds no matrix product"};
        anchored_product p;
        const bool gemm = c.op == "onnx.Gemm";
        for (const std::size_t i : {0u, 1u}) {
            auto read = read_operand(r, c.operands[i], used);
            if (!read) return read.failure();
            (i == 0 ? p.a : p.b) = std::move(*read);
        }
        if (used != transposes) return error{"a transposition stands elsewhere than before the matrix product"};
        if (gemm) {
            if (p.a.extents.size() != 2 || p.b.extents.size() != 2) return error{"Gemm's operands are no matrices"};
            const auto given = inlay::read<gemm_attributes>(*c.attributes);
            if (given.trans_a) flip(p.a);
            if (given.trans_b) flip(p.b);
            p.factor = given.alpha;
            if (p.factor == 0) return error{"Gemm has alpha 0"};
            p.bias_factor = given.beta;
        }
        std::vector<std::int64_t> shape = static_shape(r.type(chain->anchor));
        if (auto fine = align(p, shape, order.empty()); !fine) return fine.failure();
        const bool flat = p.extents.size() == 2 && shape.size() != 2;
        p.strides = strides_before_transpose(p.extents, order);
        if (gemm && r.has_operand(c, 2)) {
            const chain_step s{chain_step::form::combine, chain->anchor, {}, chain_step::combination::add, c.operands[2]};
            if (p.bias_factor == 0)
                ;  // the third operand counts for nothing
            else if (float_constant(r, s.other) != nullptr && is_row(r, s.other, shape))
                p.bias = s.other;
            else if (p.bias_factor == 1)
                chain->steps.insert(chain->steps.begin(), s);
            else
                return error{"Gemm has beta " + std::to_string(p.bias_factor) + " with a third operand of type " +
                             to_string(*r[s.other].type)};
        }
        bool folding = true;
        for (const chain_step& s : chain->steps) {
            if (static_shape(r.type(s.call)) != shape)
                return error{std::string(r[s.call].op) + " after the product stretches it from " + to_string(*r[chain->anchor].type) +
                             " to " + to_string(*r[s.call].type)};
            if (s.kind == chain_step::form::batch_norm)
                return error{"a batch normalisation after a matrix product is no part of its kernel"};
            if (s.kind == chain_step::form::function) {
                const bool scales = s.function.kind == elementwise_function::form::linear && s.function.beta == 0;
                if (folding && scales && !p.bias && !channel_line::leaves_range(p.factor)) {
                    p.factor *= s.function.alpha;
                    continue;
                }
                folding = false;
                p.after.push_back(s);
                p.other_extents.emplace_back();
                continue;
            }
            if (!r[s.other].type->is_tensor() || r.type(s.other).element != element_type::float32)
                return error{"what is combined with the product is not of float32"};
            if (folding && !p.bias && s.how == chain_step::combination::add && is_bias(r, s.other, shape, p.factor)) {
                p.bias = s.other;
                folding = false;
                continue;
            }
            folding = false;
            std::vector<std::int64_t> other = with_axes(static_shape(r.type(s.other)), shape.size());
            if (flat) {
                const auto beside = broadcast_operand::of(other, shape);
                const bool whole = beside && beside->is_per_element();
                if (!whole && !(beside && beside->varies_only_along(axis_set::only(shape.size() - 1))))
                    return error{"what is combined with the product, of type " + to_string(*r[s.other].type) +
                                 ", is neither of its shape nor a row"};
                other = {whole ? p.extents[0] : 1, other.back()};
            }
            p.after.push_back(s);
            p.other_extents.push_back(std::move(other));
        }
        return p;
    }

    /// Reads a value that the product takes, or that it takes transposed: an input or a float32 constant. Counts the transposition.
    [[nodiscard]] static outcome<operand> read_operand(const region_view& r, value_id v, std::size_t& transposes) {
        operand o;
        std::vector<std::int64_t> order;
        if (r[v].kind == region_value::role::call) {
            if (r[v].op != "onnx.Transpose") return error{std::string(r[v].op) + " before the product is no part of its kernel"};
            const auto read = order_of_transpose(r[v], r.type(v).rank());
            if (!read) return error{"Transpose has no permutation of its axes"};
            order = *read;
            ++transposes;
            v = r[v].operands[0];
        }
        o.value = v;
        const bool fits = r[v].kind == region_value::role::input || float_constant(r, v) != nullptr;
        if (!fits)
            return error{"an operand of the product of type " + to_string(*r[v].type) + " is neither an input nor a float32 constant"};
        o.extents = static_shape(r.type(v));
        if (o.extents.size() < 2)
            return error{"an operand of the product has rank " + std::to_string(o.extents.size()) + "; the library takes matrices"};
        o.strides = row_major_strides(o.extents);
        if (!order.empty()) {
            o.extents = permuted(o.extents, order);
            o.strides = permuted(o.strides, order);
        }
        return o;
    }

private:
    static void flip(operand& o) {
        const std::size_t n = o.extents.size();
        std::swap(o.extents[n - 2], o.extents[n - 1]);
        std::swap(o.strides[n - 2], o.strides[n - 1]);
    }

    /// Brings the operands to one rank. A second operand without batches makes the first one's batches rows, where they lie so.
    [[nodiscard]] static outcome<void> align(anchored_product& p, const std::vector<std::int64_t>& shape, bool in_order) {
        const auto matrix_only = [](operand& o) {
            const bool alone = std::all_of(o.extents.begin(), o.extents.end() - 2, [](std::int64_t e) { return e == 1; });
            if (!alone) return false;
            o.extents.erase(o.extents.begin(), o.extents.end() - 2);
            o.strides.erase(o.strides.begin(), o.strides.end() - 2);
            return true;
        };
        if (p.a.extents.back() != p.b.extents[p.b.extents.size() - 2])
            return error{"the product's inner extents are " + std::to_string(p.a.extents.back()) + " and " +
                         std::to_string(p.b.extents[p.b.extents.size() - 2])};
        operand a = p.a, b = p.b;
        const bool row_major = a.strides == row_major_strides(a.extents);
        if (in_order && matrix_only(b) && (row_major || matrix_only(a))) {
            std::int64_t rows = 1;
            for (std::size_t i = 0; i + 1 < a.extents.size(); ++i) rows *= a.extents[i];
            if (row_major) {
                a.extents = {rows, a.extents.back()};
                a.strides = {a.extents[1], 1};
            }
            p.a = a;
            p.b = b;
            p.extents = {rows, b.extents[1]};
            return {};
        }
        const std::size_t rank = shape.size();
        for (operand* o : {&p.a, &p.b}) {
            // An axis of one element has any stride; the library wants it to look row-major.
            while (o->extents.size() < rank) {
                o->strides.insert(o->strides.begin(), o->strides.front() * o->extents.front());
                o->extents.insert(o->extents.begin(), 1);
            }
        }
        p.extents = shape;
        return {};
    }

    /// Whether a value lies along the last axis of a result of that shape, or is one number.
    [[nodiscard]] static bool is_row(const region_view& r, value_id v, const std::vector<std::int64_t>& shape) {
        const auto beside = broadcast_operand::of(static_shape(r.type(v)), shape);
        return beside && beside->varies_only_along(axis_set::only(shape.size() - 1));
    }
    /// Whether a constant that is added to a product times a factor may be a part of the product's sums.
    [[nodiscard]] static bool is_bias(const region_view& r, value_id v, const std::vector<std::int64_t>& shape, double factor) {
        const tensor* t = float_constant(r, v);
        if (t == nullptr || !is_row(r, v, shape)) return false;
        const auto numbers = t->as<float>();
        return !in_force<"backend.line.swamp">() ||
               std::none_of(numbers.begin(), numbers.end(), [&](float n) { return channel_line::swamps(static_cast<double>(n), factor); });
    }
};

}  // namespace inlay::detail

#endif
