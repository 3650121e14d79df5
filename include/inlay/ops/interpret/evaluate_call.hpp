// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_EVALUATE_CALL_HPP
#define INLAY_OPS_INTERPRET_EVALUATE_CALL_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

namespace detail {

/// Whether a computed tensor is of the type that the rule gave, as far as that is known.
[[nodiscard]] inline bool fits(const tensor& value, const tensor_type& type) {
    if (type.element != element_type::none && value.element() != type.element) return false;
    if (!type.ranked) return true;
    if (value.rank() != type.rank()) return false;
    for (std::size_t i = 0; i < type.rank(); ++i)
        if (type.extents[i].is_known() && type.extents[i].size != value.extents()[i]) return false;
    return true;
}

}  // namespace detail

/// What an operator makes of these tensors: its type rule, with all operands known, checks them; then its meaning is run; what comes out
/// is held against the rule. An operand left out is a tensor that is not `ok()`. Where operands are float16 or bfloat16 and the operator
/// computes with them (anything but `injective`), they are widened to float32 and the results narrowed again. `promised`, where given,
/// becomes the type that the rule says: an operator of which it says a tuple has as many results as that has fields. The error does not
/// name the node.
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_call(const op_definition& op, const attribute_map& attributes,
                                                                std::span<const tensor> operands, std::size_t outputs = 1,
                                                                node_type* promised = nullptr) {
    if (op.evaluate == nullptr) return error{short_name(op.name) + " has no meaning declared that could be evaluated"};
    std::vector<node_type> types;
    types.reserve(operands.size());
    for (const tensor& t : operands) types.push_back(t.ok() ? node_type(t.type()) : node_type::tuple({}));
    std::vector<const node_type*> type_pointers;
    std::vector<const tensor*> values;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        type_pointers.push_back(&types[i]);
        values.push_back(operands[i].ok() ? &operands[i] : nullptr);
    }
    call_view call{op.name, &attributes, type_pointers, values, outputs};

    node_type expected;
    if (op.infer != nullptr) {
        auto inferred = op.infer(call);
        if (!inferred) return inferred.failure();
        expected = std::move(*inferred);
    }

    std::vector<tensor> widened;
    bool any_half = false;
    for (const tensor& t : operands) any_half = any_half || (t.ok() && is_half(t.element()));
    if (any_half && op.kind != op_kind::injective) {
        widened.assign(operands.begin(), operands.end());
        for (std::size_t i = 0; i < widened.size(); ++i) {
            if (!widened[i].ok() || !is_half(widened[i].element())) continue;
            auto wide = convert_elements(widened[i], element_type::float32);
            if (!wide) return error{short_name(op.name) + " cannot allocate its operands as float32"};
            widened[i] = std::move(*wide);
            types[i].of_tensor.element = element_type::float32;
            values[i] = &widened[i];
        }
        operands = widened;
    }

    auto results = op.evaluate(call, operands);
    if (!results) return results;
    const auto field = [&](std::size_t i) -> const node_type& { return expected.is_tuple() ? expected.fields[i] : expected; };
    const std::size_t count = std::max(expected.is_tuple() ? expected.fields.size() : 1, outputs > 1 ? outputs : 0);
    if (results->size() < count)
        return error{short_name(op.name) + " was asked for " + std::to_string(count) + " outputs and gave " +
                     std::to_string(results->size())};
    for (std::size_t i = 0; i < (expected.is_tuple() ? expected.fields.size() : 1); ++i) {
        if (!field(i).is_tensor()) continue;
        tensor& value = (*results)[i];
        const tensor_type& type = field(i).of_tensor;
        if (is_half(type.element) && value.element() == element_type::float32)
            if (auto narrow = convert_elements(value, type.element)) value = std::move(*narrow);
        if (!value.ok() || !detail::fits(value, type))
            return error{short_name(op.name) + " gave output " + std::to_string(i) + " of type " + to_string(value.type()) +
                         ", where its type rule says " + to_string(type)};
    }
    if (promised != nullptr) *promised = std::move(expected);
    return results;
}

}  // namespace inlay

#endif
