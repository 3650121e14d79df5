// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_CALL_RULE_HPP
#define INLAY_PLACEMENT_CALL_RULE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inlay/core/in_force.hpp>

namespace inlay {

/// Where a call reads an operand.
enum class operand_place : std::uint8_t {
    with_call,  // where the call is
    on_host,    // on the host, wherever the call is
    anywhere    // wherever it is: only its type, or the operand as code, is read
};

/// Where an operator reads its operands and leaves its result.
struct call_rule {
    enum class form : std::uint8_t { op, on_device, device_copy, lowered_call };

    std::string_view op;
    form what = form::op;
    bool result_on_host = false;
    std::array<operand_place, 3> first{};           // of the first operands
    operand_place rest = operand_place::with_call;  // of those behind
    bool names_place = false;                       // where it is, is one of its attributes
    bool has_packs = false;                         // operands behind the first are tuples, written there, that only hold arguments

    [[nodiscard]] constexpr operand_place of(std::size_t operand) const { return operand < first.size() ? first[operand] : rest; }
    [[nodiscard]] constexpr bool is_pack(std::size_t operand) const { return has_packs && operand != 0; }
};

namespace detail {
using enum operand_place;
inline constexpr operand_place place_of_buffers = in_force<"placement.rule.invoke">() ? with_call : anywhere;
inline constexpr operand_place place_of_sizes = in_force<"placement.rule.storage">() ? on_host : with_call;
inline constexpr call_rule call_rules[] = {
    {"", call_rule::form::op, false, {}, with_call},
    {"on_device", call_rule::form::on_device, false, {}, with_call, true},
    {"device_copy", call_rule::form::device_copy, false, {}, with_call, true},
    {"call_lowered", call_rule::form::lowered_call, false, {anywhere, anywhere, anywhere}, anywhere, false, true},
    {"vm.shape_of", call_rule::form::op, true, {anywhere, anywhere, anywhere}, anywhere},
    {"vm.reshape_tensor", call_rule::form::op, false, {with_call, on_host, on_host}, on_host},
    {"vm.invoke_tvm_op", call_rule::form::op, false, {anywhere, place_of_buffers, place_of_buffers}, with_call, false, true},
    {"vm.shape_func", call_rule::form::op, true, {anywhere, on_host, on_host}, on_host, false, true},
    {"memory.copy", call_rule::form::op, false, {anywhere, with_call, with_call}, with_call},
    {"memory.alloc_storage", call_rule::form::op, false, {place_of_sizes, place_of_sizes, place_of_sizes}, on_host, true},
    {"memory.alloc_tensor", call_rule::form::op, false, {with_call, on_host, on_host}, on_host},
};
}  // namespace detail

/// The rule of an operator. Most have the plain one: all operands and the result are in one place.
[[nodiscard]] constexpr const call_rule& call_rule_of(std::string_view op) {
    // All but the first rule are of names that begin so.
    if (!op.empty() && (op[0] == 'o' || op[0] == 'd' || op[0] == 'c' || op[0] == 'v' || op[0] == 'm'))
        for (const call_rule& r : detail::call_rules)
            if (r.op == op) return r;
    return detail::call_rules[0];
}

}  // namespace inlay

#endif
