// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_IR_MODULE_HPP
#define INLAY_IR_IR_MODULE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/shared_handle.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/ir/data_type.hpp>
#include <inlay/ir/source_position.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

class ir_builder;

/// The reference program: functions whose expressions stand in one arena, numbered in post order (operands first), a column per
/// property. Nested functions and branches are nodes whose last operands are the results of their blocks; a nested block reads
/// nodes of the blocks around it directly. The last function is the main one; its result is one node, a tuple where the program
/// has several results. A module is a value that is never changed: `ir_builder` makes new ones. Models `rewritable_graph`.
class ir_module {
public:
    using builder = ir_builder;

    [[nodiscard]] std::size_t size() const { return kind_.size(); }
    [[nodiscard]] node_kind kind(node_id n) const { return kind_[n]; }

    /// The operator of a call, with its dialect (`onnx.Conv`); for other kinds a word for the kind.
    [[nodiscard]] std::string_view op(node_id n) const {
        static constexpr std::string_view words[] = {"input",     "constant", "call",     "tuple",     "projection",
                                                     "function",  "apply",    "let",      "if",        "match",
                                                     "construct", "make_ref", "read_ref", "write_ref", "global"};
        return kind_[n] == node_kind::call ? strings_[symbol_[n]] : words[static_cast<std::size_t>(kind_[n])];
    }

    /// A number for the operator of a call: the same for two calls if and only if their operators are the same.
    [[nodiscard]] std::uint32_t op_id(node_id n) const { return symbol_[n]; }

    [[nodiscard]] std::size_t arity(node_id n) const { return operand_begin_[n + 1] - operand_begin_[n]; }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return operands_[operand_begin_[n] + i]; }
    [[nodiscard]] std::span<const node_id> operands(node_id n) const { return {operands_.data() + operand_begin_[n], arity(n)}; }

    [[nodiscard]] const node_type& type(node_id n) const { return types_[type_[n]]; }
    [[nodiscard]] const attribute_map& attributes(node_id n) const { return attribute_sets_[attributes_[n]]; }
    [[nodiscard]] const tensor* constant(node_id n) const { return kind_[n] == node_kind::constant ? &constants_[payload_[n]] : nullptr; }
    [[nodiscard]] block_id block(node_id n) const { return block_[n]; }

    /// The block that block b stands in; block 0 stands in itself.
    [[nodiscard]] block_id parent(block_id b) const { return block_parent_[b]; }
    [[nodiscard]] std::size_t blocks() const { return block_parent_.size(); }

    /// Which field a projection takes; the number of a match clause's variables per clause is in `clause_sizes` of its attributes.
    [[nodiscard]] std::size_t field(node_id n) const { return payload_[n]; }

    /// Where the value of node n is or is to be; free where nothing was said or planned. Of a function: where its result is. Of an
    /// `on_device`: the place that it names. Of a `device_copy`: where the copy is.
    [[nodiscard]] const placement& where(node_id n) const { return placements_[placement_[n]]; }
    /// Where a `device_copy` copies from.
    [[nodiscard]] const placement& copied_from(node_id n) const { return placements_[payload_[n]]; }
    /// A number for `where(n)`: the same for two nodes if and only if their placements are equal; 0 if it is free.
    [[nodiscard]] std::uint32_t where_number(node_id n) const { return placement_[n]; }

    /// Where the node was written in its text.
    [[nodiscard]] source_position position(node_id n) const { return n < positions_.size() ? positions_[n] : source_position(); }

    /// The algebraic data types that the module defines, in the order of their definitions.
    [[nodiscard]] std::span<const data_type> data_types() const { return data_types_; }

    /// The name of a global, a constructor, a called operator, or of a function that has one.
    [[nodiscard]] std::string_view symbol(node_id n) const { return strings_[symbol_[n]]; }

    /// The name that the source gave the node; empty where it gave none.
    [[nodiscard]] std::string_view name(node_id n) const { return strings_[name_[n]]; }

    /// Names of source nodes that this one stands for beside its own: what was folded or merged into it.
    [[nodiscard]] const std::vector<std::string>& origins(node_id n) const { return origin_sets_[origins_[n]]; }

    /// The function nodes of the module, main last.
    [[nodiscard]] std::span<const node_id> functions() const { return functions_; }
    [[nodiscard]] node_id main() const { return functions_.back(); }
    [[nodiscard]] std::span<const node_id> parameters(node_id function) const { return operands(function).first(arity(function) - 1); }
    [[nodiscard]] node_id result(node_id function) const { return operand(function, arity(function) - 1); }

    /// The parameters of main.
    [[nodiscard]] std::span<const node_id> inputs() const { return parameters(main()); }

    /// The nodes whose values main gives: the fields where its result is a tuple built there.
    [[nodiscard]] std::vector<node_id> results() const {
        const node_id r = result(main());
        if (kind(r) != node_kind::tuple) return {r};
        return {operands(r).begin(), operands(r).end()};
    }

    /// The names of main's results, in order; as many as `results()` where the source named them, else none.
    [[nodiscard]] const std::vector<std::string>& result_names() const { return result_names_; }

private:
    friend class ir_builder;

    /// What the strings are views of: a deque, so that they survive growth, and the copies' as well.
    struct text_store : owner_count {
        std::deque<std::string> all;

        static void release(text_store* s) { delete s; }
    };

    std::vector<node_kind> kind_;
    std::vector<std::uint32_t> operand_begin_{0};
    std::vector<node_id> operands_;
    std::vector<std::uint32_t> symbol_, name_, type_, attributes_, origins_, payload_, placement_;
    std::vector<block_id> block_;

    std::vector<block_id> block_parent_{0};
    std::vector<std::string_view> strings_{std::string_view()};
    shared_handle<text_store> texts_;
    std::vector<node_type> types_{node_type()};
    std::vector<attribute_map> attribute_sets_{attribute_map()};
    std::vector<std::vector<std::string>> origin_sets_{{}};
    std::vector<tensor> constants_;
    std::vector<placement> placements_{placement()};
    std::vector<source_position> positions_;  // shorter than the module where nothing more is known
    std::vector<data_type> data_types_;
    std::vector<node_id> functions_;
    std::vector<std::string> result_names_;
};

}  // namespace inlay

#endif
