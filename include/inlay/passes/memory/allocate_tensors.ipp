// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_MEMORY_ALLOCATE_TENSORS_IPP
#define INLAY_PASSES_MEMORY_ALLOCATE_TENSORS_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/passes/memory/allocate_tensors.hpp>

#include <inlay/graph/element_type.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/passes/functions/a_normal_form.hpp>
#include <inlay/passes/functions/primitive_callees.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/placement/function_role.hpp>

namespace inlay {

namespace detail {

/// Builds a module in A-normal form anew with explicit memory.
class tensor_allocation {
public:
    tensor_allocation(const ir_module& m, const placement& host, op_finder find)
        : m_(m),
          host_(host),
          find_(find),
          left_(inside_left_functions(m)),
          callee_(primitive_callees(m)),
          outputs_(call_outputs(m)),
          made_(m.size(), no_node) {
        b_.copy_from(m);
        const auto types = m.data_types();
        if (std::none_of(types.begin(), types.end(), [](const data_type& t) { return t.name == "Storage"; })) {
            data_type storage;
            storage.name = "Storage";
            b_.declare(std::move(storage));
        }
    }

    [[nodiscard]] ir_module build() {
        std::vector<char> replaced(m_.size(), 0);
        for (node_id n = 0; n < m_.size(); ++n)
            if (m_.kind(n) == node_kind::let && left_[n] == 0 && gets_storage(m_.operand(n, 1))) replaced[m_.operand(n, 1)] = 1;
        for (node_id n = 0; n < m_.size(); ++n) {
            if (replaced[n] != 0) continue;
            if (m_.kind(n) == node_kind::let && replaced[m_.operand(n, 1)] != 0) {
                made_[n] = allocated(n);
                continue;
            }
            operands_.clear();
            for (const node_id o : m_.operands(n)) operands_.push_back(made_[o]);
            made_[n] = b_.copy(m_, n, operands_);
        }
        for (const node_id f : m_.functions()) b_.declare(made_[f]);
        b_.name_results(m_.result_names());
        return b_.finish_in_blocks();
    }

private:
    struct binding {
        node_id variable, value;
    };
    using integers = std::vector<std::int64_t>;

    // What gets storage.

    [[nodiscard]] static bool has_numbers(const node_type& t) { return t.is_tensor() && size_of(t.of_tensor.element) != 0; }
    [[nodiscard]] static std::span<const node_type> outputs_of(const node_type& result) {
        return result.is_tuple() ? std::span<const node_type>(result.fields) : std::span<const node_type>(&result, 1);
    }
    [[nodiscard]] bool is_copy(node_id n) const { return m_.kind(n) == node_kind::call && m_.op(n) == "device_copy"; }
    /// What a kernel call gives its kernel, constants of an operator's call among it.
    [[nodiscard]] std::span<const node_id> arguments_of(node_id n) const {
        if (m_.kind(n) == node_kind::apply) return m_.operands(n).subspan(1);
        if (m_.op(n) == "call_lowered") return m_.operands(m_.operand(n, 1));
        return m_.operands(n);
    }
    [[nodiscard]] node_id kernel_of(node_id n) const {
        const bool is_lowered = m_.kind(n) == node_kind::call && m_.op(n) == "call_lowered" && m_.arity(n) == 2 &&
                                m_.kind(m_.operand(n, 1)) == node_kind::tuple;
        return m_.kind(n) == node_kind::apply || is_lowered ? callee_[m_.operand(n, 0)] : no_node;
    }
    [[nodiscard]] bool is_operator(node_id n) const { return m_.kind(n) == node_kind::call && call_rule_of(m_.op(n)).op.empty(); }

    [[nodiscard]] bool gets_storage(node_id n) const {
        if (is_copy(n)) return m_.kind(m_.operand(n, 0)) != node_kind::constant && has_numbers(m_.type(n));
        if (kernel_of(n) == no_node && !is_operator(n)) return false;
        const auto outputs = outputs_of(m_.type(n));
        if (outputs.empty() || !std::all_of(outputs.begin(), outputs.end(), has_numbers)) return false;
        for (const node_id a : arguments_of(n)) {
            if (!m_.type(a).is_tensor()) return false;
            if (m_.kind(a) != node_kind::constant && !(m_.where(a) == m_.where(n))) return false;
        }
        return m_.type(n).is_static() || shape_follows(n, 1) || shape_follows(n, 64);
    }
    /// Whether the type rules say the shape of what a kernel gives where all extents of its operands are known; `probe` stands for those
    /// that are not.
    [[nodiscard]] bool shape_follows(node_id n, std::int64_t probe) const {
        std::unordered_map<node_id, node_type> types;
        const auto probed = [&](node_id o) {
            tensor_type t = m_.type(o).of_tensor;
            if (!t.ranked) return false;
            for (extent& e : t.extents)
                if (!e.is_known()) e = extent(probe);
            types.insert_or_assign(o, node_type(std::move(t)));
            return true;
        };
        const node_id kernel = kernel_of(n);
        if (kernel == no_node) {
            for (const node_id o : m_.operands(n))
                if (!probed(o)) return false;
            return infer(n, types) && types[n].is_static();
        }
        for (const node_id p : m_.parameters(kernel))
            if (!probed(p)) return false;
        const node_id result = m_.result(kernel);
        // Operands stand before their readers, so what stands in the kernel is met in order.
        for (const node_id o : nodes_of(kernel)) {
            if (m_.kind(o) == node_kind::constant) types.insert_or_assign(o, m_.type(o));
            if (m_.kind(o) == node_kind::call && !infer(o, types)) return false;
            if (m_.kind(o) == node_kind::projection) {
                const node_type& whole = types[m_.operand(o, 0)];
                if (!whole.is_tuple() || m_.field(o) >= whole.fields.size()) return false;
                node_type field = whole.fields[m_.field(o)];
                types.insert_or_assign(o, std::move(field));
            }
            if (m_.kind(o) == node_kind::tuple) {
                std::vector<node_type> fields;
                for (const node_id f : m_.operands(o)) fields.push_back(types[f]);
                types.insert_or_assign(o, node_type::tuple(std::move(fields)));
            }
        }
        return types[result].is_static();
    }
    [[nodiscard]] std::vector<node_id> nodes_of(node_id function) const {
        std::vector<node_id> found, open{m_.result(function)};
        while (!open.empty()) {
            const node_id n = open.back();
            open.pop_back();
            found.push_back(n);
            for (const node_id o : m_.operands(n)) open.push_back(o);
            if (found.size() > m_.size()) break;  // shared parts are met again and again; what is that large is no kernel
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
    [[nodiscard]] bool infer(node_id n, std::unordered_map<node_id, node_type>& types) const {
        const op_definition* d = find_(m_.op(n));
        if (d == nullptr || d->infer == nullptr) return false;
        std::vector<const node_type*> operands;
        std::vector<const tensor*> constants;
        for (const node_id o : m_.operands(n)) {
            operands.push_back(&types[o]);
            constants.push_back(m_.constant(o));
        }
        auto made = d->infer(call_view{d->name, &m_.attributes(n), operands, constants, outputs_[n]});
        if (!made) return false;
        types.insert_or_assign(n, *std::move(made));
        return true;
    }

    // How it gets it.

    /// The type of the shape of a tensor.
    [[nodiscard]] static node_type type_of_shape(const node_type& t) {
        tensor_type extents(element_type::int64, shape(1));
        if (t.of_tensor.ranked) extents.extents[0] = extent(static_cast<std::int64_t>(t.of_tensor.rank()));
        return node_type(std::move(extents));
    }

    node_id at(node_id made, const placement& there) {
        b_.set_where(made, there);
        return made;
    }
    node_id on_host(const tensor& value) { return at(b_.constant(value), host_); }
    node_id number(std::int64_t value) { return on_host(tensor::scalar(value)); }
    node_id bind(node_id value, std::string_view name = {}) {
        const node_id variable = b_.input(name, b_.so_far().type(value));
        b_.set_where(variable, placement(b_.so_far().where(value)));
        list_.push_back({variable, value});
        return variable;
    }

    /// The kernel, and what it is given. An operator's constants stand in it, so that its shape function sees them.
    [[nodiscard]] node_id kernel(node_id n, std::vector<node_id>& arguments) {
        if (kernel_of(n) != no_node) {
            for (const node_id a : arguments_of(n)) arguments.push_back(made_[a]);
            return made_[m_.operand(n, 0)];
        }
        std::vector<node_id> parameters, operands;
        for (const node_id o : m_.operands(n)) {
            if (m_.kind(o) == node_kind::constant) {
                operands.push_back(b_.constant(*m_.constant(o)));
                continue;
            }
            arguments.push_back(made_[o]);
            parameters.push_back(b_.input(m_.name(o), m_.type(o)));
            operands.push_back(parameters.back());
        }
        const node_id body = at(b_.copy(m_, n, operands), {});
        attribute_map attributes;
        attributes.set("Primitive", std::int64_t{1});
        const node_id f = b_.function(parameters, body, {}, attributes);
        b_.set_position(f, m_.position(n));
        return f;
    }
    node_id tuple_at(const std::vector<node_id>& fields, const placement& there) { return at(b_.tuple(fields), there); }

    /// A tensor of this type in storage of its own. `shape`: of one that is known in the run alone.
    node_id room(const node_type& type, const placement& there, std::optional<node_id> shape, node_id variable) {
        const tensor_type& t = type.of_tensor;
        const std::string element(name_of(t.element));
        node_id bytes, extents = no_node;
        attribute_map attributes;
        attributes.set("dtype", element);
        if (shape) {
            extents = *shape;
            bytes = bind(at(b_.call("vm.storage_size", {extents}, attributes, tensor_type(element_type::int64, inlay::shape())), host_));
        } else {
            const integers known = static_shape(t);
            extents = on_host(tensor::of({static_cast<std::int64_t>(known.size())}, known));
            bytes = number(*element_count(known) * static_cast<std::int64_t>(size_of(t.element)));
            attributes.set("const_shape", known);
            attributes.set("assert_shape", known);
        }
        const node_id storage =
            bind(at(b_.call("memory.alloc_storage", {bytes, number(storage_alignment)}, {}, node_type::data("Storage", {})), there));
        const node_id made = at(b_.call("memory.alloc_tensor", {storage, number(0), extents}, attributes, type), there);
        if (variable == no_node) return bind(made);
        list_.push_back({variable, made});
        return variable;
    }

    node_id allocated(node_id let) {
        const node_id n = m_.operand(let, 1), variable = made_[m_.operand(let, 0)];
        const placement there = m_.where(n);
        const node_type& result = m_.type(n);
        list_.clear();
        const auto outputs = outputs_of(result);
        std::vector<node_id> arguments, shapes, rooms;
        const node_id callee = is_copy(n) ? no_node : kernel(n, arguments);
        if (is_copy(n)) arguments.push_back(made_[m_.operand(n, 0)]);
        if (!result.is_static()) {
            for (const node_id a : arguments) {
                shapes.push_back(bind(at(b_.call("vm.shape_of", {a}, {}, type_of_shape(b_.so_far().type(a))), host_)));
            }
            if (callee != no_node) shapes = shapes_of_results(callee, shapes, result);
        }
        for (std::size_t k = 0; k < outputs.size(); ++k)
            rooms.push_back(room(outputs[k], there, result.is_static() ? std::nullopt : std::optional(shapes[k]),
                                 result.is_tuple() ? no_node : variable));
        const node_type unit = node_type::tuple({});
        if (callee == no_node)
            bind(at(b_.call("memory.copy", {arguments[0], rooms[0]}, {}, unit), there));
        else
            bind(at(b_.call("vm.invoke_tvm_op", {callee, tuple_at(arguments, there), tuple_at(rooms, there)}, {}, unit), there));
        b_.set_position(list_.back().value, m_.position(n));
        if (result.is_tuple()) list_.push_back({variable, tuple_at(rooms, there)});
        node_id body = made_[m_.operand(let, 2)];
        for (std::size_t k = list_.size(); k-- > 0;) body = at(b_.let(list_[k].variable, list_[k].value, body), m_.where(let));
        return body;
    }
    [[nodiscard]] std::vector<node_id> shapes_of_results(node_id callee, const std::vector<node_id>& shapes, const node_type& result) {
        node_type whole = type_of_shape(result);
        if (result.is_tuple()) {
            std::vector<node_type> fields;
            for (const node_type& f : result.fields) fields.push_back(type_of_shape(f));
            whole = node_type::tuple(std::move(fields));
        }
        const node_id found = bind(at(b_.call("vm.shape_func", {callee, tuple_at(shapes, host_)}, {}, whole), host_));
        if (!result.is_tuple()) return {found};
        std::vector<node_id> all;
        for (std::size_t k = 0; k < result.fields.size(); ++k) all.push_back(bind(at(b_.projection(found, k), host_)));
        return all;
    }

    const ir_module& m_;
    placement host_;
    op_finder find_;
    ir_builder b_;
    std::vector<char> left_;
    std::vector<node_id> callee_;
    std::vector<std::size_t> outputs_;
    std::vector<node_id> made_, operands_;
    std::vector<binding> list_;  // of the let that is made
};

ir_module allocate_tensors_by(const ir_module& m, const placement& host, op_finder find) {
    return tensor_allocation(to_a_normal_form(m), host, find).build();
}

}  // namespace detail

}  // namespace inlay

#endif
