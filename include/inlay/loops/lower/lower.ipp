// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWER_IPP
#define INLAY_LOOPS_LOWER_LOWER_IPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/lower/lower.hpp>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/lower/attention.hpp>
#include <inlay/loops/lower/elementwise.hpp>
#include <inlay/loops/lower/generation.hpp>
#include <inlay/loops/lower/half_precision.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/lowering.hpp>
#include <inlay/loops/lower/movement.hpp>
#include <inlay/loops/lower/normalizations.hpp>
#include <inlay/loops/lower/products.hpp>
#include <inlay/loops/lower/quantization.hpp>
#include <inlay/loops/lower/reductions.hpp>
#include <inlay/loops/lower/resizing.hpp>
#include <inlay/loops/lower/windows.hpp>
#include <inlay/loops/lower/without_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/run/scalar_value.hpp>

namespace inlay {

namespace detail {

/// Whether an operator gives elements as they are, or converts them itself.
[[nodiscard]] inline bool keeps_elements(std::string_view op) {
    if (op == "onnx.Cast" || op == "onnx.CastLike" || op == "onnx.Identity") return true;
    for (const lowering_entry& e : movement_lowerings())
        if (e.op == op) return true;
    return false;
}

/// Whether each result of an operator that has several is lowered where it is taken.
[[nodiscard]] constexpr bool gives_several(std::string_view op) {
    for (const std::string_view one : {"onnx.BatchNormalization", "onnx.Dropout", "onnx.LayerNormalization", "onnx.Split"})
        if (op == one) return true;
    return false;
}

}  // namespace detail

const lowering_entry* lowering_of(std::string_view op) {
    const lowering_entry* found = nullptr;
    const auto look = [&](std::span<const lowering_entry> table) {
        for (const lowering_entry& e : table)
            if (e.op == op) found = &e;
    };
    look(detail::attention_lowerings());
    look(detail::elementwise_lowerings());
    look(detail::generation_lowerings());
    look(detail::movement_lowerings());
    look(detail::normalization_lowerings());
    look(detail::product_lowerings());
    look(detail::quantization_lowerings());
    look(detail::reduction_lowerings());
    look(detail::resizing_lowerings());
    look(detail::window_lowerings());
    return found;
}

namespace detail {

/// Reads the one element of a tensor as a number.
[[nodiscard]] inline auto constant_read(lowering& nest, const tensor& t) {
    const scalar_value value = load_scalar(t.element(), t.data());
    return [&nest, value, e = t.element()](const std::vector<affine>&) {
        return is_floating(e) ? nest.build().number(value.number, e) : nest.build().integer(value.integer, e);
    };
}

outcome<loop_nest> lower_by(const region_view& r, std::string name, const own_lowering& own) {
    // More operations than this are not computed anew for each reading.
    constexpr std::size_t most_anew = 64;
    lowering nest(std::move(name));
    std::vector<lowered_tensor> values(r.values.size());
    std::vector<std::vector<const node_type*>> types;
    std::vector<std::vector<const tensor*>> constants;
    types.reserve(r.values.size());
    constants.reserve(r.values.size());
    // A result of a call, as a tensor of value v's type.
    const auto lowered = [&](const region_value& value, value_id v, std::size_t outputs) -> outcome<lowered_tensor> {
        std::vector<const node_type*>& of = types.emplace_back();
        std::vector<const tensor*>& known = constants.emplace_back();
        std::vector<lowered_tensor> operands;
        for (const value_id o : value.operands) {
            of.push_back(r[o].type);
            known.push_back(r[o].value);
            operands.push_back(values[o]);
        }
        const call_view call{value.op, value.attributes, of, known, outputs};
        lowered_call whole{nest,
                           call,
                           std::move(operands),
                           static_shape(r.type(v)),
                           r.type(v).element,
                           value.type,
                           r[v].kind == region_value::role::projection ? r[v].field : 0};
        std::optional<outcome<lowered_tensor>> special;
        if (own.lower != nullptr) special = own.lower(own.of, value.op, whole);
        const lowering_entry* const entry = special ? nullptr : lowering_of(value.op);
        if (!special && entry == nullptr) {
            const std::string_view why = reason_without_nest(value.op);
            return error{"the operator " + quoted_text(value.op, 80) + " has no loop nest" + (why.empty() ? "" : ": " + std::string(why))};
        }
        const bool is_widened = !special && !keeps_elements(value.op);
        if (is_widened) {
            for (lowered_tensor& t : whole.operands) t = cast_to(nest, t, computed_as(t.element));
            whole.element = computed_as(whole.element);
        }
        auto made = special ? *std::move(special) : entry->lower(whole);
        if (made && is_widened) made = cast_to(nest, *made, r.type(v).element);
        if (!made) return error{std::string(value.op) + ": " + made.failure().message};
        return made;
    };
    for (value_id v = 0; v < r.values.size(); ++v) {
        const region_value& value = r[v];
        if (value.kind == region_value::role::absent) continue;
        // Calls of several results are lowered for each that is taken.
        const bool is_call = value.kind == region_value::role::call, is_field = value.kind == region_value::role::projection;
        if (is_call && value.type->is_tuple() && gives_several(value.op)) continue;
        if (!value.type->is_tensor() || !value.type->is_static())
            return error{is_call ? std::string(value.op) +
                                       ": what gives several tensors, or one whose shape is not known before the run, has no loop nest"
                                 : std::string("a tensor whose shape is not known before the run has no loop nest")};
        if (is_float8(value.type->of_tensor.element))
            return error{"a tensor of " + std::string(name_of(value.type->of_tensor.element)) + " has no loop nest"};
        if (!is_call && !is_field) {
            values[v] = nest.input(value.kind == region_value::role::input ? "x" : "w", r.type(v));
            if (value.value != nullptr && value.value->count() == 1) values[v].read = constant_read(nest, *value.value);
            continue;
        }
        const region_value& call = is_field ? r[value.operands.front()] : value;
        auto made = lowered(call, v, is_field ? call.type->fields.size() : 1);
        if (!made) return made.failure();
        values[v] = made->cost > most_anew ? nest.stored(*made) : *std::move(made);
    }
    for (const value_id v : r.results) nest.result("y", values[v]);
    return std::move(nest).finish();
}

}  // namespace detail

}  // namespace inlay

#endif
