// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_CALL_VIEW_HPP
#define INLAY_GRAPH_CALL_VIEW_HPP

#include <cstddef>
#include <span>
#include <string_view>

#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// One call of an operator as type rules, meanings and predicates see it: name, attributes, the operands' types, and the values of
/// those operands that are constants (null elsewhere). An optional operand that is left out has the type of the empty tuple.
/// The view owns nothing.
struct call_view {
    std::string_view op;
    const attribute_map* attributes = nullptr;
    std::span<const node_type* const> types;
    std::span<const tensor* const> constants;
    std::size_t outputs = 1;  // how many outputs the caller wants; the result is a tuple where more than one

    [[nodiscard]] std::size_t arity() const { return types.size(); }

    /// Whether operand i is there: within the arity and not left out.
    [[nodiscard]] bool has(std::size_t i) const { return i < types.size() && !types[i]->is_tuple(); }

    /// Operand i's type as a tensor's. Precondition: `has(i)`.
    [[nodiscard]] const tensor_type& type(std::size_t i) const { return types[i]->of_tensor; }

    /// Operand i's value where it is a constant, else null.
    [[nodiscard]] const tensor* constant(std::size_t i) const { return i < constants.size() ? constants[i] : nullptr; }
};

}  // namespace inlay

#endif
