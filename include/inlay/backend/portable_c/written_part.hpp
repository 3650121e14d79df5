// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_PART_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_PART_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/only_call.hpp>
#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/backend/portable_c/written_gathers.hpp>
#include <inlay/backend/portable_c/written_quantization.hpp>
#include <inlay/backend/portable_c/written_ranks.hpp>
#include <inlay/backend/portable_c/written_resizing.hpp>
#include <inlay/backend/portable_c/written_scatters.hpp>
#include <inlay/backend/portable_c/written_windows.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay::portable {

/// How calls of that operator, with dialect, and so many outputs are written; null where none is.
[[nodiscard]] inline const written_entry* written_of(std::string_view op, std::size_t outputs = 1) {
    const written_entry* found = nullptr;
    const auto look = [&](std::span<const written_entry> table) {
        for (const written_entry& e : table)
            if (e.op == op && outputs >= e.least_outputs) found = &e;
    };
    look(written_gathers);
    look(written_quantization);
    look(written_resizing);
    look(written_scatters);
    look(written_ranks);
    look(written_windows);
    return found;
}
/// The same of a call in a region.
[[nodiscard]] inline const written_entry* written_of(const region_value& call) {
    return written_of(call.op, call.type->is_tuple() ? call.type->fields.size() : 1);
}

/// Why no call of an operator of the table has code in C; empty where some have.
[[nodiscard]] constexpr std::string_view reason_without_c(std::string_view op) {
    for (const std::string_view one : {"onnx.Compress", "onnx.NonZero", "onnx.Unique"})
        if (op == one) return "the shape is known only while it runs";
    for (const std::string_view one : {"onnx.Loop", "onnx.Scan"})
        if (op == one) return "it is control, whose bodies are programs of their own";
    for (const std::string_view one : {"onnx.Constant", "onnx.Shape", "onnx.Size"})
        if (op == one) return "it is known before the run, and folding has replaced it";
    return {};
}

/// A region of one call, written as it stands. The error says that it has another form, or what of it has no code.
[[nodiscard]] inline outcome<c_part> written_part(const region_view& r, std::string_view name) {
    const region_value* const call = inlay::detail::only_call(r);
    const written_entry* const how = call == nullptr ? nullptr : written_of(*call);
    if (how == nullptr) return error{"the region is no single call that is written in C"};
    std::vector<std::string> names(r.values.size()), parameters;
    c_part made;
    made.name = std::string(name);
    for (value_id v = 0; v < r.input_count + r.constant_count; ++v) {
        const region_value& value = r[v];
        if (value.kind == region_value::role::absent) continue;
        const std::string type(stored_c_type(value.type->of_tensor.element));
        if (type.empty()) return error{"C has no elements of type " + std::string(name_of(value.type->of_tensor.element))};
        const bool is_input = v < r.input_count;
        names[v] = is_input ? "in" + std::to_string(v) : "w" + std::to_string(made.constants.size());
        parameters.push_back("const " + type + "* restrict " + names[v]);
        if (!is_input) made.constants.push_back(*value.value);
    }
    return with_call_view(r, *call, [&](const call_view& seen) -> outcome<c_part> {
        written_call written{seen, {}, {}, {}};
        for (const value_id o : call->operands) written.operands.push_back(names[o]);
        written.results.resize(seen.outputs);
        for (std::size_t i = 0; i < seen.outputs; ++i)
            written.types.push_back(call->type->is_tuple() ? &call->type->fields[i].of_tensor : &call->type->of_tensor);
        for (std::size_t i = 0; i < r.results.size(); ++i) {
            const region_value& result = r[r.results[i]];
            const std::string type(stored_c_type(result.type->of_tensor.element));
            if (type.empty()) return error{"C has no elements of type " + std::string(name_of(result.type->of_tensor.element))};
            std::string& own = written.results[result.kind == region_value::role::projection ? result.field : 0];
            own = "out" + std::to_string(i);
            parameters.push_back(type + "* restrict " + own);
        }
        auto body = how->write(written);
        if (!body) return error{std::string(call->op) + ": " + body.failure().message};
        if (body->workspace_bytes != 0) parameters.push_back("unsigned char* workspace");
        made.text = inlay::detail::c_function_text(made.name, parameters, body->text);
        made.needs = std::move(body->needs);
        made.workspace_bytes = body->workspace_bytes;
        return std::move(made);
    });
}

}  // namespace inlay::portable

#endif
