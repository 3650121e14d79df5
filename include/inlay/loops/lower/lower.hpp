// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWER_HPP
#define INLAY_LOOPS_LOWER_LOWER_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/loops/lower/lowering.hpp>
#include <inlay/loops/lower/without_nest.hpp>
#include <inlay/loops/scalar_value.hpp>

namespace inlay {

/// How calls of that operator, with dialect, are lowered; null where none is.
[[nodiscard]] INLAY_FUNCTION const lowering_entry* lowering_of(std::string_view op);

namespace detail {

/// Reads the one element of a tensor as a number.
[[nodiscard]] inline auto constant_read(lowering& nest, const tensor& t) {
    const scalar_value value = load_scalar(t.element(), t.data());
    return [&nest, value, e = t.element()](const std::vector<affine>&) {
        return is_floating(e) ? nest.build().number(value.number, e) : nest.build().integer(value.integer, e);
    };
}

}  // namespace detail

/// A region as a loop nest: its inputs, then its constants, are the nest's inputs, row-major. What is computed place by place is computed
/// where it is read; reductions, what they read, and results stand in memory. Constants of one element are numbers in the nest. A call for
/// which `own(op, call)`, an optional `outcome<lowered_tensor>`, gives something is lowered so, every other one as `lowering_of` says. The
/// error names the operator that has no nest, and why.
template <class Own>
[[nodiscard]] outcome<loop_nest> lower(const region_view& r, std::string name, Own&& own) {
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
        const lowered_call whole{nest,
                                 call,
                                 std::move(operands),
                                 static_shape(r.type(v)),
                                 r.type(v).element,
                                 value.type,
                                 r[v].kind == region_value::role::projection ? r[v].field : 0};
        std::optional<outcome<lowered_tensor>> special = own(value.op, whole);
        const lowering_entry* const entry = special ? nullptr : lowering_of(value.op);
        if (!special && entry == nullptr) {
            const std::string_view why = reason_without_nest(value.op);
            return error{"the operator " + quoted_text(value.op, 80) + " has no loop nest" + (why.empty() ? "" : ": " + std::string(why))};
        }
        auto made = special ? *std::move(special) : entry->lower(whole);
        if (!made) return error{std::string(value.op) + ": " + made.failure().message};
        return made;
    };
    for (value_id v = 0; v < r.values.size(); ++v) {
        const region_value& value = r[v];
        if (value.kind == region_value::role::absent) continue;
        // Calls of several results are lowered for each that is taken.
        const bool is_call = value.kind == region_value::role::call, is_field = value.kind == region_value::role::projection;
        if (is_call && value.type->is_tuple() && (value.op == "onnx.Split" || value.op == "onnx.Dropout")) continue;
        if (!value.type->is_tensor() || !value.type->is_static())
            return error{is_call ? std::string(value.op) +
                                       ": what gives several tensors, or one whose shape is not known before the run, has no loop nest"
                                 : std::string("a tensor whose shape is not known before the run has no loop nest")};
        if (!is_call && !is_field) {
            values[v] = nest.input(value.kind == region_value::role::input ? "x" : "w", r.type(v));
            if (value.value != nullptr && value.value->count() == 1) values[v].read = detail::constant_read(nest, *value.value);
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
[[nodiscard]] inline outcome<loop_nest> lower(const region_view& r, std::string name) {
    return lower(r, std::move(name), [](std::string_view, const lowered_call&) -> std::optional<outcome<lowered_tensor>> { return {}; });
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/lower.ipp>
#endif

#endif
