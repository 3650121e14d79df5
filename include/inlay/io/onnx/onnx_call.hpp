// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_CALL_HPP
#define INLAY_IO_ONNX_ONNX_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/check_call.hpp>
#include <inlay/ops/loops/half_float.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay::detail {

/// One node of an ONNX file on its way into a program: operator without dialect, operands (`no_node` where one is left out),
/// attributes, the number of outputs that somebody reads, and their types as far as the file declares them.
struct onnx_call {
    std::string op;
    std::string dialect = "onnx";
    std::vector<node_id> operands;
    attribute_map attributes;
    std::vector<std::string> graphs;  // the attributes that are functions among the operands
    std::size_t outputs = 1;
    std::size_t declared_outputs = 1;
    std::string name;
    node_type type;

    [[nodiscard]] bool has(std::size_t i) const { return i < operands.size() && operands[i] != no_node; }

    /// Puts a value at operand i; operands before it that are not there are left out.
    void set_operand(std::size_t i, node_id value) {
        if (operands.size() <= i) operands.resize(i + 1, no_node);
        operands[i] = value;
    }
};

/// What the declared type adds to the inferred one: extents, and types of tuple fields, that inference could not tell.
inline node_type refined(const node_type& inferred, const node_type& declared) {
    if (inferred.kind == node_type::form::unknown) return declared;
    if (inferred.kind != declared.kind) return inferred;
    node_type made = inferred;
    if (made.is_tuple()) {
        if (made.fields.size() == declared.fields.size())
            for (std::size_t i = 0; i < made.fields.size(); ++i) made.fields[i] = refined(made.fields[i], declared.fields[i]);
        return made;
    }
    if (!made.is_tensor() || made.of_tensor.element != declared.of_tensor.element || !declared.of_tensor.ranked) return made;
    if (!made.of_tensor.ranked) return declared;
    if (made.of_tensor.rank() != declared.of_tensor.rank()) return made;
    for (std::size_t i = 0; i < made.of_tensor.extents.size(); ++i)
        if (made.of_tensor.extents[i] == extent()) made.of_tensor.extents[i] = declared.of_tensor.extents[i];
    return made;
}

/// Adds calls to a program: fills in the operands that are left out, and asks the operators' rules for types on the way, because
/// rewriting old forms needs ranks.
class onnx_emitter {
public:
    onnx_emitter(ir_builder& builder, op_finder find) : builder_(builder), find_(find) {}

    [[nodiscard]] ir_builder& builder() { return builder_; }

    /// The unit value of the innermost open block; each has its own, so that no function captures one.
    node_id unit() {
        if (units_.back() == no_node) units_.back() = builder_.unit();
        return units_.back();
    }
    void open_block() {
        builder_.open_block();
        units_.push_back(no_node);
    }
    /// Forgets the block's unit value; the builder's block is closed by whoever opened it there.
    void leave_block() { units_.pop_back(); }

    /// The type of a value as a tensor's, or null.
    [[nodiscard]] const tensor_type* type_of(node_id n) const {
        const node_type& type = builder_.so_far().type(n);
        return type.is_tensor() ? &type.of_tensor : nullptr;
    }
    [[nodiscard]] bool is_ranked(node_id n) const { return type_of(n) != nullptr && type_of(n)->ranked; }
    [[nodiscard]] const tensor* value_of(node_id n) const { return builder_.so_far().constant(n); }

    node_id integers(const std::vector<std::int64_t>& values, const std::string& name) {
        return builder_.constant(tensor::of({static_cast<std::int64_t>(values.size())}, values), name);
    }
    /// A scalar of the element type that `like` has; float32 where that is not known.
    node_id number(double value, node_id like, const std::string& name) {
        const tensor_type* type = type_of(like);
        if (type != nullptr && type->element == element_type::float64) return builder_.constant(tensor::scalar(value), name);
        if (type != nullptr && type->element == element_type::float16) {
            tensor half(element_type::float16, {});
            half.as<std::uint16_t>()[0] = float16_bits::narrowed(value).bits;
            return builder_.constant(half, name);
        }
        return builder_.constant(tensor::scalar(static_cast<float>(value)), name);
    }

    /// Whether the operators that were given know the call and its attributes, and it has those that it needs. The error's text follows the
    /// node's name.
    [[nodiscard]] outcome<void> check(const onnx_call& call) const {
        if (find_ == nullptr) return {};
        std::vector<attribute_use> uses;
        for (const auto& [name, value] : call.attributes) {
            const bool is_empty = std::visit([](const auto& v) { return has_no_entries(v); }, value);
            uses.push_back({name, is_empty ? std::nullopt : std::optional(static_cast<attribute_form>(value.index()))});
        }
        for (const std::string& name : call.graphs) uses.push_back({name, attribute_form::graph});
        return check_call(find_, call.dialect + "." + call.op, uses, call_place::file);
    }

    node_id emit(onnx_call call) {
        while (!call.operands.empty() && call.operands.back() == no_node) call.operands.pop_back();
        for (node_id& n : call.operands)
            if (n == no_node) n = unit();
        const std::string op = call.dialect + "." + call.op;
        node_type type = refined(inferred(op, call), call.type);
        if (call.outputs > 1 && !(type.is_tuple() && type.fields.size() == call.outputs))
            type = node_type::tuple(std::vector<node_type>(call.outputs));
        return builder_.call(op, call.operands, call.attributes, type, call.name);
    }

private:
    /// A list without entries is one of any kind.
    template <class T>
    static bool has_no_entries(const std::vector<T>& list) {
        return list.empty();
    }
    template <class T>
    static bool has_no_entries(const T&) {
        return false;
    }

    [[nodiscard]] node_type inferred(const std::string& op, const onnx_call& call) const {
        const op_definition* definition = find_ == nullptr ? nullptr : find_(op);
        if (definition == nullptr || definition->infer == nullptr) return {};
        const ir_module& m = builder_.so_far();
        std::vector<const node_type*> types;
        std::vector<const tensor*> constants;
        for (const node_id n : call.operands) {
            if (m.type(n).kind == node_type::form::unknown) return {};
            types.push_back(&m.type(n));
            constants.push_back(m.constant(n));
        }
        const auto result = definition->infer(call_view{op, &call.attributes, types, constants, call.outputs});
        return result ? *result : node_type();
    }

    ir_builder& builder_;
    op_finder find_;
    std::vector<node_id> units_{no_node};
};

}  // namespace inlay::detail

#endif
