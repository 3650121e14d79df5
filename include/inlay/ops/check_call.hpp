// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_CHECK_CALL_HPP
#define INLAY_OPS_CHECK_CALL_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/attribute_use.hpp>
#include <inlay/ops/onnx/onnx_operator_names.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// Finds the definition of an operator, or null: `onnx_ops::find`.
using op_finder = const op_definition* (*)(std::string_view name);

namespace detail {

/// Whether a value of one form can stand for one that is declared. A whole number is a number; a list without entries is a list of any.
/// A tensor of a type that tensors here do not hold is read as texts.
[[nodiscard]] inline bool serves(attribute_form given, attribute_form declared) {
    using form = attribute_form;
    return given == declared || (given == form::integer && declared == form::number) ||
           (given == form::integers && declared == form::numbers) || (given == form::texts && declared == form::tensor);
}

/// `Softmax takes axis and beta`.
[[nodiscard]] inline std::string takes(std::string_view op, attribute_table table) {
    std::string text = std::string(op) + " takes ";
    for (std::size_t i = 0; i < table.size(); ++i)
        text += (i == 0 ? "" : i + 1 == table.size() ? " and " : ", ") + std::string(table[i].name);
    return table.empty() ? text + "no attributes" : text;
}

/// The error about a call without an attribute that it needs. Its text follows the name of a node.
[[nodiscard]] inline error lacks(std::string_view op, const declared_attribute& a) {
    return error{"lacks the attribute " + quoted_text(a.name) + ", " + std::string(to_text(a.form)) + " that " + std::string(op) +
                 " needs; give it one"};
}

}  // namespace detail

/// Whether an operator's table has these attributes, and of their forms, and whether they are all that a call there needs. The error's text
/// follows the name of a node: `has the attribute 'axs', which ... `. `op` is without dialect.
[[nodiscard]] inline outcome<void> check_attributes(std::string_view op, attribute_table table, std::span<const attribute_use> given,
                                                    call_place place = call_place::pattern) {
    for (const attribute_use& use : given) {
        const declared_attribute* declared = find_attribute(table, use.name);
        if (declared == nullptr) {
            std::vector<std::string_view> names;
            for (const declared_attribute& a : table) names.push_back(a.name);
            const std::string_view near = nearest_name(use.name, names);
            return error{"has the attribute " + quoted_text(use.name) + ", which " + std::string(op) + " does not have in its newest form" +
                         (near.empty() ? "" : " (did you mean " + quoted_text(near) + "?)") + "; " + detail::takes(op, table)};
        }
        if (use.form && !detail::serves(*use.form, declared->form))
            return error{"has the attribute " + quoted_text(use.name) + " as " + std::string(to_text(*use.form)) + ", where " +
                         std::string(op) + " takes " + std::string(to_text(declared->form))};
    }
    if (place == call_place::pattern) return {};
    for (const declared_attribute& a : table) {
        if (a.need != attribute_need::required || (a.form == attribute_form::graph && place == call_place::rule)) continue;
        if (std::none_of(given.begin(), given.end(), [&](const attribute_use& use) { return use.name == a.name; }))
            return detail::lacks(op, a);
    }
    return {};
}

/// Whether an operator set, `find`, knows a call that a file or a text asks for: the operator if it is of ONNX's dialect, and the
/// attributes if it has the operator; of a call that is no pattern also that none is lacking which it needs. Operators of other dialects,
/// old forms (`onnx.Scan.v8`) and operators of ONNX that have no meaning here pass. The error's text follows the name of a node.
[[nodiscard]] inline outcome<void> check_call(op_finder find, std::string_view op, std::span<const attribute_use> given,
                                              call_place place = call_place::pattern) {
    constexpr std::string_view dialect = "onnx.";
    const bool is_onnx = op.substr(0, dialect.size()) == dialect;
    const std::string_view name = is_onnx ? op.substr(dialect.size()) : op;
    if (const op_definition* known = find(op); known != nullptr) return check_attributes(name, known->attributes, given, place);
    if (!is_onnx || name.find('.') != std::string_view::npos || is_onnx_operator(name)) return {};
    return error{"asks for the operator " + quoted_text(name) + ", which ONNX does not have" + name_hint(name, onnx_operator_names) +
                 "; correct its name, or give it a domain of its own"};
}

/// `check_call` for one operator set, as `pattern_text_options::check` takes it.
template <op_set Ops>
[[nodiscard]] outcome<void> check_call_of(std::string_view op, std::span<const attribute_use> given,
                                          call_place place = call_place::pattern) {
    return check_call(&Ops::find, op, given, place);
}

/// What an operator of a set declares that an attribute holds, as `pattern_text_options::form_of` takes it.
template <op_set Ops>
[[nodiscard]] std::optional<attribute_form> declared_form_of(std::string_view op, std::string_view attribute) {
    const op_definition* known = Ops::find(op);
    const declared_attribute* declared = known == nullptr ? nullptr : find_attribute(known->attributes, attribute);
    return declared == nullptr ? std::nullopt : std::optional(declared->form);
}

}  // namespace inlay

#endif
