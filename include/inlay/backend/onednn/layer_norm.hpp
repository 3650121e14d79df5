// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_LAYER_NORM_HPP
#define INLAY_BACKEND_ONEDNN_LAYER_NORM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Layer normalisation over the last axes: as one operator, and in the nine nodes that exporters spell it with.
struct onednn_layer_norm {
    struct plan {
        value_id x = 0;
        std::int64_t rows = 1, columns = 1;
        double epsilon = 1e-5;
        const tensor* scale = nullptr;  // null: one
        const tensor* shift = nullptr;  // null: zero
    };

    static constexpr auto pattern_of_operator() { return dsl::op<"onnx.LayerNormalization">; }

    /// `(x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) * scale + shift`
    static constexpr auto pattern_of_spelling() {
        using namespace dsl;
        constexpr auto difference = op<"onnx.Sub">(as<"x">, op<"onnx.ReduceMean">(as<"x">, rest));
        constexpr auto square = op<"onnx.Pow">(difference, constant) | op<"onnx.Mul">(as<"d">(difference), as<"d">);
        constexpr auto deviation = op<"onnx.Sqrt">(commutative<"onnx.Add">(op<"onnx.ReduceMean">(square, rest), constant));
        return maybe_call_on<2, "onnx.Add">(maybe_call_on<2, "onnx.Mul">(op<"onnx.Div">(difference, deviation)));
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, onednn_most_axes); !fine) return fine.failure();
        plan p;
        const region_value& root = r[r.results[0]];
        if (root.op == "onnx.LayerNormalization") {
            const auto rank = static_cast<std::int64_t>(r.type(r.results[0]).rank());
            std::int64_t axis = inlay::read<layer_normalization_attributes>(*root.attributes).axis;
            axis += axis < 0 ? rank : 0;
            if (axis < 0 || axis >= rank || root.operands.size() < 2)
                return error{"LayerNormalization has an axis outside its operand, or no scale"};
            p.x = root.operands[0];
            p.epsilon = inlay::read<layer_normalization_attributes>(*root.attributes).epsilon;
            if (auto fine = set_extents(r, p, axis); !fine) return fine.failure();
            if (auto fine = set_row(r, root.operands[1], p, p.scale); !fine) return fine.failure();
            if (r.has_operand(root, 2))
                if (auto fine = set_row(r, root.operands[2], p, p.shift); !fine) return fine.failure();
        } else if (auto fine = read_spelling(r, p); !fine) {
            return fine.failure();
        }
        if (r[p.x].kind != region_value::role::input) return error{"what is normalised is no input of the region"};
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> proposals(const plan&, const region_view& r) { return {plain_borders(r)}; }

    using description = onednn_primitive;

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view& r, const dnnl::engine& engine,
                                                       const border_formats& b) {
        if (b != plain_borders(r)) return error{"oneDNN's layer normalisation takes and gives row-major tensors only"};
        const auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
        const dnnl::layer_normalization_forward::desc op(dnnl::prop_kind::forward_inference, onednn_plain({p.rows, p.columns}),
                                                         static_cast<float>(p.epsilon), flags);
        return onednn_primitive::ask<dnnl::layer_normalization_forward>(op, engine, "layer normalisation");
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        const auto row = [&](const tensor* t, float otherwise) {
            std::vector<float> numbers(static_cast<std::size_t>(p.columns), otherwise);
            if (t != nullptr)
                for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = t->as<float>()[t->count() == 1 ? 0 : i];
            return program.constant(numbers);
        };
        program.step(d, {{DNNL_ARG_SRC, program.input(p.x, d.src_desc())},
                         {DNNL_ARG_DST, program.result(0, d.dst_desc())},
                         {DNNL_ARG_SCALE, row(p.scale, 1)},
                         {DNNL_ARG_SHIFT, row(p.shift, 0)}});
        return onednn_program::finish(std::move(program));
    }

private:
    [[nodiscard]] static outcome<void> set_extents(const region_view& r, plan& p, std::int64_t axis) {
        const std::vector<std::int64_t> e = static_shape(r.type(p.x));
        for (std::size_t i = 0; i < e.size(); ++i) (static_cast<std::int64_t>(i) < axis ? p.rows : p.columns) *= e[i];
        return {};
    }
    /// A constant of one number per column, or one for all.
    [[nodiscard]] static outcome<void> set_row(const region_view& r, value_id v, const plan& p, const tensor*& row) {
        const tensor* t = float_constant(r, v);
        const auto columns = static_cast<std::size_t>(p.columns);
        // Of a row that is stretched over others, only the last axes may have more than one element.
        if (t == nullptr || (t->count() != columns && t->count() != 1))
            return error{"scale or shift of type " + to_string(*r[v].type) + " is no constant row of the normalised axes"};
        const std::vector<std::int64_t> whole = static_shape(r.type(r.results[0]));
        if (t->rank() > whole.size())
            return error{"scale or shift of type " + to_string(*r[v].type) + " has more axes than what it stands beside"};
        for (std::size_t i = 0; i < t->rank(); ++i) {
            const std::int64_t mine = t->extents()[t->rank() - 1 - i];
            if (t->count() != 1 && mine != 1 && mine != whole[whole.size() - 1 - i])
                return error{"scale or shift of type " + to_string(*r[v].type) + " is stretched"};
        }
        row = t;
        return {};
    }

    [[nodiscard]] static outcome<void> read_spelling(const region_view& r, plan& p) {
        value_id v = r.results[0];
        const auto is = [&](value_id n, std::string_view op) { return r[n].kind == region_value::role::call && r[n].op == op; };
        std::optional<value_id> shift, scale;
        // The root's other operand is a constant: a chain of at most a sum and a product above the division.
        for (const auto& [op, found] : {std::pair<std::string_view, std::optional<value_id>*>("onnx.Add", &shift), {"onnx.Mul", &scale}}) {
            if (!is(v, op) || r[v].operands.size() != 2) continue;
            const std::size_t inside = r.operand(r[v], 0).kind == region_value::role::call ? 0 : 1;
            *found = r[v].operands[1 - inside];
            v = r[v].operands[inside];
        }
        if (!is(v, "onnx.Div") || !is(r[v].operands[0], "onnx.Sub")) return error{"the region is no layer normalisation"};
        const value_id difference = r[v].operands[0], deviation = r[v].operands[1];
        p.x = r[difference].operands[0];
        const auto rank = r.type(p.x).rank();
        const auto mean_of = [&](value_id n, std::int64_t axis) {
            const auto axes = axes_of(r, n, rank);
            return axes && axes->size() == 1 && (*axes)[0] == axis && inlay::read<reduce_attributes>(*r[n].attributes).keepdims;
        };
        const auto last = static_cast<std::int64_t>(rank) - 1;
        if (!is(r[difference].operands[1], "onnx.ReduceMean") || !mean_of(r[difference].operands[1], last))
            return error{"the mean is not over the last axis, its extent kept"};
        if (!is(deviation, "onnx.Sqrt") || !is(r[deviation].operands[0], "onnx.Add")) return error{"the deviation is no root of a sum"};
        const region_value& sum = r[r[deviation].operands[0]];
        const std::size_t inside = r.operand(sum, 0).kind == region_value::role::call ? 0 : 1;
        const tensor* epsilon = float_constant(r, sum.operands[1 - inside]);
        if (epsilon == nullptr || epsilon->count() != 1) return error{"the epsilon of the layer normalisation is no constant number"};
        p.epsilon = static_cast<double>(epsilon->as<float>()[0]);
        const value_id mean = sum.operands[inside];
        if (!is(mean, "onnx.ReduceMean") || !mean_of(mean, last)) return error{"the variance is not over the last axis, its extent kept"};
        const region_value& square = r.operand(r[mean], 0);
        if (square.op == "onnx.Pow") {
            const tensor* exponent = square.operands.size() == 2 ? float_constant(r, square.operands[1]) : nullptr;
            if (exponent == nullptr || exponent->count() != 1 || exponent->as<float>()[0] != 2)
                return error{"the variance is of another power than 2"};
        }
        if (auto fine = set_extents(r, p, last); !fine) return fine;
        if (static_shape(r.type(r.results[0])) != static_shape(r.type(p.x))) return error{"scale or shift stretches what is normalised"};
        if (scale)
            if (auto fine = set_row(r, *scale, p, p.scale); !fine) return fine;
        if (shift)
            if (auto fine = set_row(r, *shift, p, p.shift); !fine) return fine;
        return {};
    }

    [[nodiscard]] static std::optional<std::vector<std::int64_t>> axes_of(const region_view& r, value_id n, std::size_t rank) {
        std::vector<std::int64_t> axes;
        if (r.has_operand(r[n], 1)) {
            const tensor* given = r.operand(r[n], 1).value;
            const auto read = given == nullptr ? std::nullopt : integers_of(*given);
            if (!read) return std::nullopt;
            axes = *read;
        }
        for (std::int64_t& a : axes) a += a < 0 ? static_cast<std::int64_t>(rank) : 0;
        return axes;
    }
};

}  // namespace inlay::detail

#endif
