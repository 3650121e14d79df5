// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_OPERAND_CHECKS_HPP
#define INLAY_OPS_OPERAND_CHECKS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/loops/visit_element_type.hpp>

namespace inlay {

/// The operator's name as its dialect writes it: `Conv` for `onnx.Conv`.
[[nodiscard]] inline std::string short_name(std::string_view op) {
    const std::size_t dot = op.find('.');
    return std::string(dot == std::string_view::npos ? op : op.substr(dot + 1));
}

/// What is wrong with the number of operands, if anything: at least `least`, the first `least` of them not left out, at most `most`.
[[nodiscard]] inline std::optional<error> wrong_arity(const call_view& call, std::size_t least, std::size_t most) {
    if (call.arity() > most)
        return error{short_name(call.op) + " takes at most " + std::to_string(most) + " operands and has " + std::to_string(call.arity())};
    for (std::size_t i = 0; i < least; ++i)
        if (!call.has(i)) return error{short_name(call.op) + " needs operand " + std::to_string(i) + ", which is left out"};
    return std::nullopt;
}

/// What is wrong with the element type of operand i, if anything: `elements(floating_scalars())` allows floats.
[[nodiscard]] inline std::optional<error> wrong_element(const call_view& call, std::size_t i, element_mask allowed) {
    if (!call.has(i) || (mask_of(call.type(i).element) & allowed) != 0) return std::nullopt;
    return error{short_name(call.op) + " has no meaning for operand " + std::to_string(i) + " of element type " +
                 std::string(name_of(call.type(i).element))};
}

/// The axis counted from the front, where -1 is the last of `rank` axes; nothing where there is no such axis.
[[nodiscard]] inline std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
    const auto signed_rank = static_cast<std::int64_t>(rank);
    if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

/// The error for an axis that operand of rank `rank` does not have.
[[nodiscard]] inline error no_such_axis(const call_view& call, std::int64_t axis, std::size_t rank) {
    return error{short_name(call.op) + " has axis " + std::to_string(axis) + ", which an operand of rank " + std::to_string(rank) +
                 " does not have"};
}

/// The error for a result that memory does not hold.
[[nodiscard]] inline error no_memory(const call_view& call, const tensor_type& type) {
    return error{short_name(call.op) + " cannot allocate its result of type " + to_string(type)};
}

}  // namespace inlay

#endif
