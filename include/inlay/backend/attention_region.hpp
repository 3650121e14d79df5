// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ATTENTION_REGION_HPP
#define INLAY_BACKEND_ATTENTION_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/float_constant.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/with_axes.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Scaled dot-product attention as exporters write it out: softmax(factor * Q K + mask) V (Vaswani and others, 2017, section 3.2.1).
/// Operands that are transposed first, and a result that is transposed, are read as strides; axes before the last two are batches.
struct attention_region {
    using operand = anchored_product::operand;

    operand queries, keys, values;               // of one rank; keys have the inner extent before their own
    std::vector<std::int64_t> extents, strides;  // of the result, as the product sees it
    std::optional<operand> mask;                 // added to each row before softmax; an axis of one element serves all
    double factor = 1;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto matrix = maybe_call_on<2, "onnx.Mul", "onnx.Div">(maybe_call_on<1, "onnx.Transpose">(any));
        constexpr auto scaled = maybe_call_on<2, "onnx.Mul", "onnx.Div">(op<"onnx.MatMul">(matrix, matrix));
        constexpr auto weights = op<"onnx.Softmax">(maybe_call_on<2, "onnx.Add">(scaled));
        constexpr auto product = op<"onnx.MatMul">(weights, maybe_call_on<1, "onnx.Transpose">(any));
        return product | op<"onnx.Transpose">(product);
    }

    /// Reads a region. Error: another region, constant operands, a softmax along another axis than the last, a mask that stretches the
    /// scores.
    [[nodiscard]] static outcome<attention_region> read(const region_view& r, std::size_t axes_allowed) {
        if (auto fine = check_float_region(r, axes_allowed); !fine) return fine.failure();
        return reader{r, {}}.read();
    }

private:
    struct reader {
        const region_view& r;
        std::size_t calls = 0;  // of the region that were read

        [[nodiscard]] outcome<attention_region> read() {
            attention_region p;
            value_id end = r.results[0];
            std::vector<std::int64_t> order;
            if (const region_value* transpose = take(end, "onnx.Transpose", 1)) {
                const auto stated = order_of_transpose(*transpose, r.type(end).rank());
                if (!stated) return error{"Transpose has no permutation of its axes"};
                order = *stated;
                end = transpose->operands[0];
            }
            const region_value* product = take(end, "onnx.MatMul", 2);
            const region_value* softmax = product == nullptr ? nullptr : take(product->operands[0], "onnx.Softmax", 1);
            if (softmax == nullptr) return error{"the region is no attention"};
            p.extents = static_shape(r.type(end));
            const std::size_t rank = p.extents.size();
            const auto last = static_cast<std::int64_t>(rank) - 1;
            const std::int64_t axis = inlay::read<softmax_attributes>(*softmax->attributes).axis;
            if (rank < 2 || (axis != last && axis != -1)) return error{"softmax is along axis " + std::to_string(axis) + ", not the last"};

            value_id scores = softmax->operands[0];
            std::optional<value_id> added;
            if (const region_value* sum = take(scores, "onnx.Add", 2)) {
                const std::size_t inside = r.operand(*sum, 0).kind == region_value::role::call ? 0 : 1;
                added = sum->operands[1 - inside];
                scores = sum->operands[inside];
            }
            if (auto fine = take_factor(scores, p.factor); !fine) return fine.failure();
            const std::vector<std::int64_t> shape = static_shape(r.type(scores));
            const region_value* compared = take(scores, "onnx.MatMul", 2);
            if (compared == nullptr || shape.size() != rank) return error{"the region is no attention"};
            value_id q = compared->operands[0], k = compared->operands[1];
            for (value_id* scaled : {&q, &k})
                if (auto fine = take_factor(*scaled, p.factor); !fine) return fine.failure();
            for (const auto& [from, to] : {std::pair{q, &p.queries}, std::pair{k, &p.keys}, std::pair{product->operands[1], &p.values}}) {
                auto read = anchored_product::read_operand(r, from, calls);
                if (!read) return read.failure();
                if (r[read->value].kind != region_value::role::input) return error{"an operand of the attention is a constant"};
                *to = {read->value, with_axes(read->extents, rank), with_axes(read->strides, rank, 0)};
            }
            if (calls != r.calls().size()) return error{"the region holds more than an attention"};
            if (added) {
                const bool fits = r[*added].kind == region_value::role::input || float_constant(r, *added) != nullptr;
                if (!fits || !r[*added].type->is_tensor() || r.type(*added).element != element_type::float32)
                    return error{"the mask is neither an input nor a constant of float32"};
                const std::vector<std::int64_t> added_shape = static_shape(r.type(*added));
                operand m{*added, with_axes(added_shape, rank), with_axes(row_major_strides(added_shape), rank, 0)};
                const auto beside = broadcast_operand::of(added_shape, shape);
                if (!beside || !beside->covers(axis_set::only(rank - 1)))
                    return error{"the mask has the type " + to_string(*r[*added].type) +
                                 ", which is no row, matrix or batch of the scores"};
                p.mask = std::move(m);
            }
            p.strides = strides_before_transpose(p.extents, order);
            return p;
        }

    private:
        /// The call of an operator at a value; null where there is another.
        [[nodiscard]] const region_value* take(value_id v, std::string_view op, std::size_t arity) {
            const region_value& c = r[v];
            if (c.kind != region_value::role::call || c.op != op || c.operands.size() < arity || !c.type->is_tensor()) return nullptr;
            ++calls;
            return &c;
        }
        /// Steps over a product with, or a quotient by, a constant number, where v is one.
        [[nodiscard]] outcome<void> take_factor(value_id& v, double& product) {
            for (const std::string_view op : {"onnx.Mul", "onnx.Div"}) {
                const region_value* c = take(v, op, 2);
                if (c == nullptr) continue;
                const bool second = op == "onnx.Div" || float_constant(r, c->operands[1]) != nullptr;
                const tensor* number = float_constant(r, c->operands[second ? 1 : 0]);
                const value_id inside = c->operands[second ? 0 : 1];
                if (number == nullptr || number->count() != 1 || static_shape(r.type(inside)) != static_shape(r.type(v)))
                    return error{std::string(op) + " in the attention is not by one constant number"};
                const double x = static_cast<double>(number->as<float>()[0]);
                product = op == "onnx.Mul" ? product * x : product / x;
                v = inside;
                return {};
            }
            return {};
        }
    };
};

}  // namespace inlay::detail

#endif
