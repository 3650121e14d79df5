// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_MEMORY_ALLOCATION_TABLE_HPP
#define INLAY_PASSES_MEMORY_ALLOCATION_TABLE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/passes/memory/plan_storage.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/placement/function_role.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// What memory a program of `allocate_tensors` asks for, as a generator of code ahead of time reads it.
struct allocation_table {
    /// A tensor in storage.
    struct part {
        node_id variable = no_node;
        node_type type;
        std::optional<std::int64_t> offset;  // in bytes; nothing where the run decides
    };
    /// Storage that one run of a function asks for once.
    struct storage {
        node_id variable = no_node;
        std::string function;  // of the module; what stands in nested functions belongs to the one around them
        placement where;
        std::optional<std::int64_t> bytes;  // nothing where the run decides
        std::int64_t alignment = 1;         // in bytes
        std::vector<part> parts;
    };
    std::vector<storage> all;           // in the order of the program
    std::vector<node_id> on_their_own;  // kernels and copies that ask for memory themselves
};

/// The table of a program. Linear, times a logarithm.
[[nodiscard]] inline allocation_table allocations_of(const ir_module& m) {
    allocation_table table;
    std::vector<node_id> function(m.size(), no_node);
    for (const node_id f : m.functions()) function[f] = f;
    for (auto n = static_cast<node_id>(m.size()); n-- > 0;)
        if (function[n] != no_node)
            for (const node_id o : m.operands(n)) function[o] = function[n];
    const std::vector<char> left = inside_left_functions(m);
    // A let stands behind those that come after it.
    std::vector<node_id> lets;
    for (auto n = static_cast<node_id>(m.size()); n-- > 0;)
        if (m.kind(n) == node_kind::let && m.kind(m.operand(n, 1)) == node_kind::call && left[n] == 0 && function[n] != no_node)
            lets.push_back(n);
    std::stable_sort(lets.begin(), lets.end(), [&](node_id a, node_id b) { return function[a] < function[b]; });
    std::map<node_id, std::size_t> number;             // by variable
    std::vector<std::pair<node_id, node_id>> tensors;  // let, and variable of its storage
    for (const node_id let : lets) {
        const node_id value = m.operand(let, 1);
        if (m.op(value) == "memory.alloc_storage" && m.arity(value) == 2) {
            allocation_table::storage s;
            s.variable = m.operand(let, 0);
            s.function = m.symbol(function[let]);
            s.where = m.where(value);
            s.bytes = detail::known_integer(m, m.operand(value, 0));
            s.alignment = detail::known_integer(m, m.operand(value, 1)).value_or(1);
            number[s.variable] = table.all.size();
            table.all.push_back(std::move(s));
        } else if (m.op(value) == "memory.alloc_tensor" && m.arity(value) == 3) {
            tensors.emplace_back(let, m.operand(value, 0));
        } else if (m.op(value) == "device_copy" || call_rule_of(m.op(value)).op.empty()) {
            table.on_their_own.push_back(value);
        }
    }
    for (const auto& [let, storage] : tensors) {
        const node_id value = m.operand(let, 1);
        if (const auto s = number.find(storage); s != number.end())
            table.all[s->second].parts.push_back({m.operand(let, 0), m.type(value), detail::known_integer(m, m.operand(value, 1))});
    }
    return table;
}

/// For people: a storage in a line, and a tensor in a line below it.
[[nodiscard]] inline std::string to_string(const allocation_table& table) {
    const auto number = [](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : std::string("?"); };
    std::string text;
    for (const allocation_table::storage& s : table.all) {
        text += "@" + s.function + ": " + number(s.bytes) + " bytes on " + to_string(s.where) + "\n";
        for (const allocation_table::part& p : s.parts) text += "  at " + number(p.offset) + ": " + to_string(p.type) + "\n";
    }
    if (!table.on_their_own.empty()) text += std::to_string(table.on_their_own.size()) + " more ask for memory themselves\n";
    return text;
}

}  // namespace inlay

#endif
