// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_NODES_HPP
#define INLAY_IO_RELAY_RELAY_NODES_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/relay/relay_attribute.hpp>
#include <inlay/io/relay/relay_cursor.hpp>
#include <inlay/io/relay/relay_metadata.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/relay_scopes.hpp>

namespace inlay {

/// What stands in the brackets of a call, or of a function, behind its operands: attributes by name, and the places among them, which are
/// numbers in the metadata.
struct relay_attributes {
    static constexpr std::size_t no_place = static_cast<std::size_t>(-1);
    static constexpr std::size_t most = 1000;  // of one node; they are kept in order, which more would take long to find

    attribute_map values;
    std::size_t place = no_place, from = no_place, to = no_place;  // virtual_device, src_virtual_device, dst_virtual_device

    /// Whether the name may have a place. What is nothing is left out.
    bool set(const std::string& name, relay_attribute a) {
        if (a.what == relay_attribute::form::value) values.set(name, std::move(a.value));
        if (a.what != relay_attribute::form::place) return true;
        if (name != "virtual_device" && name != "src_virtual_device" && name != "dst_virtual_device") return false;
        (name == "virtual_device" ? place : name == "src_virtual_device" ? from : to) = a.place;
        return true;
    }
};

/// The head of a function: all but its body.
struct relay_head {
    source_position at;
    std::string name;  // empty: it has none
    std::vector<std::string> variables;
    std::vector<node_id> parameters;
    node_type result;
    relay_attributes attributes;
};

/// Makes the nodes of a program that is read. Types of values are what the text says, so that nothing here grows with how deep values are
/// nested. Each node has its position.
class relay_nodes {
public:
    /// `metadata`, which outlives this; null where it cannot be read.
    explicit relay_nodes(const relay_metadata* metadata)
        : metadata_(metadata), constants_(metadata == nullptr ? 0 : metadata->constants.size(), no_node) {}

    node_id variable(std::string_view name, const node_type& type, source_position at) { return placed(b_.input(name, type), at); }
    node_id constant(const tensor& value, source_position at) { return placed(b_.constant(value), at); }
    /// A constant of the metadata, one node for all that refer to it. Precondition: it is there.
    node_id constant(std::size_t index, source_position at) {
        if (constants_[index] == no_node) constants_[index] = constant(metadata_->constants[index], at);
        return constants_[index];
    }
    /// A function by name, one node for each definition that mentions it.
    node_id global(const std::string& name, source_position at) {
        const auto [known, fresh] = globals_.try_emplace(name, no_node);
        if (fresh) {
            known->second = placed(b_.global(name, {}), at);
            all_globals_.push_back(known->second);
        }
        return known->second;
    }
    node_id tuple(std::span<const node_id> fields, source_position at) { return add(node_kind::tuple, fields, at); }
    node_id projection(node_id of, std::uint32_t field, source_position at) {
        return placed(b_.add(node_kind::projection, {of}, 0, {}, {}, {}, field), at);
    }
    node_id let(node_id variable, node_id value, node_id body, source_position at) {
        return add(node_kind::let, std::array{variable, value, body}, at);
    }
    node_id if_else(node_id condition, node_id first, node_id second, source_position at) {
        return add(node_kind::if_else, std::array{condition, first, second}, at);
    }
    node_id match(std::span<const node_id> operands, const attribute_map& attributes, source_position at) {
        return add(node_kind::match, operands, at, attributes);
    }
    node_id construct(std::string_view constructor, std::span<const node_id> operands, source_position at) {
        return placed(b_.construct(constructor, operands), at);
    }
    node_id apply(std::span<const node_id> callee_and_arguments, const attribute_map& attributes, source_position at) {
        return add(node_kind::apply, callee_and_arguments, at, attributes);
    }
    node_id call(std::string_view op, std::span<const node_id> operands, source_position at) { return placed(b_.call(op, operands), at); }

    /// A call of an operator with its attributes; references and annotations of places have kinds and columns of their own. What is wrong
    /// is told, and something stands there all the same.
    node_id call(relay_cursor& c, std::string_view op, std::span<const node_id> operands, relay_attributes a, source_position at) {
        const auto takes = [&](std::size_t count) {
            return operands.size() == count || c.fault(at, std::string(op) + " takes " + (count == 1 ? "one value" : "two values") +
                                                               ", and is given " + std::to_string(operands.size()));
        };
        if (op == "ref") return takes(1) ? add(node_kind::make_ref, operands, at) : missing();
        if (op == "ref_read") return takes(1) ? add(node_kind::read_ref, operands, at) : missing();
        if (op == "ref_write") return takes(2) ? add(node_kind::write_ref, operands, at) : missing();
        if (op == "device_copy") {
            if (!takes(1)) return missing();
            if (!a.values.empty()) c.fault(at, "device_copy has no attribute " + quoted_text(a.values.begin()->first));
            const node_id made = b_.device_copy(operands[0], place(a.from), place(a.to));
            b_.set_type(made, {});
            return placed(made, at);
        }
        if (op == "on_device") {
            if (!takes(1)) return missing();
            if (a.values.integer("constrain_result", 0) == 0) a.values.erase("constrain_result");
            if (a.values.integer("constrain_body", 1) != 0) a.values.erase("constrain_body");
        }
        if (a.from != relay_attributes::no_place || a.to != relay_attributes::no_place)
            c.fault(at, "only device_copy has src_virtual_device and dst_virtual_device");
        const node_id made = b_.call(op, operands, a.values);
        if (a.place != relay_attributes::no_place) b_.set_where(made, place(a.place));
        return placed(made, at);
    }

    /// A function, of which nothing is known but its head where `result` is no node.
    node_id function(const relay_head& h, node_id result) {
        attribute_map attributes = h.attributes.values;
        if (result == no_node) {
            attributes.set("extern", std::int64_t{1});
            result = variable({}, h.result, h.at);
            if (h.attributes.place != relay_attributes::no_place) b_.set_where(result, place(h.attributes.place));
        }
        std::vector<node_id> operands = h.parameters;
        operands.push_back(result);
        std::vector<node_type> parameters;
        for (const node_id p : h.parameters) parameters.push_back(b_.so_far().type(p));
        node_type type = node_type::function(std::move(parameters), h.result);
        type.variables = h.variables;
        node_id made = no_node;
        if (h.name.empty()) {
            made = b_.add(node_kind::function, operands, 0, {}, type, attributes);
        } else {
            made = b_.function(h.parameters, result, h.name, attributes);
            b_.set_type(made, type);
            (h.name == "main" ? main_ : functions_).push_back(made);
            globals_ = {};
        }
        if (h.attributes.place != relay_attributes::no_place) b_.set_where(made, place(h.attributes.place));
        return placed(made, h.at);
    }

    /// What stands where something could not be read.
    node_id missing() {
        if (missing_ == no_node) missing_ = b_.unit();
        return missing_;
    }
    void set_place(node_id n, std::size_t index) { b_.set_where(n, place(index)); }
    [[nodiscard]] std::string_view name(node_id n) const { return b_.so_far().name(n); }

    /// The program, if all of it could be read; what is still wrong with it is told.
    ir_module finish(relay_faults& faults, const std::vector<data_type>& types) {
        std::unordered_map<std::string_view, node_id> named;
        for (const std::vector<node_id>* list : {&functions_, &main_})
            for (const node_id f : *list) {
                b_.declare(f);
                named.emplace(b_.so_far().symbol(f), f);
            }
        for (const node_id g : all_globals_)
            if (const auto f = named.find(b_.so_far().symbol(g)); f != named.end()) b_.set_type(g, node_type(b_.so_far().type(f->second)));
        for (const data_type& t : types) b_.declare(t);
        tell_escapes(faults);
        return faults.empty() ? b_.finish_in_blocks() : ir_module();
    }

private:
    node_id placed(node_id n, source_position at) {
        b_.set_position(n, at);
        return n;
    }
    node_id add(node_kind kind, std::span<const node_id> operands, source_position at, const attribute_map& attributes = {}) {
        return placed(b_.add(kind, operands, 0, {}, {}, attributes), at);
    }
    [[nodiscard]] placement place(std::size_t index) const {
        return metadata_ == nullptr || index >= metadata_->placements.size() ? placement() : metadata_->placements[index];
    }

    /// A value may be mentioned anywhere, and the variables that it reads only where they are bound.
    void tell_escapes(relay_faults& faults) {
        const ir_module& m = b_.so_far();
        const relay_scopes scopes(m);
        std::vector<char> is_told(m.size(), 0);
        for (node_id n = 0; n < m.size() && !faults.is_full(); ++n) {
            if (scopes.home(n) == relay_scopes::nowhere) continue;
            scopes.each_use(n, [&](node_id v, scope_id s) {
                if (m.kind(v) != node_kind::input || is_told[v] != 0 || !scopes.escapes(v)) return;
                if (scopes.binder(v) != relay_scopes::nowhere && scopes.is_inside(s, scopes.binder(v))) return;
                is_told[v] = 1;
                const source_position bound = m.position(v);
                faults.add(m.position(n), quoted_text("%" + std::string(m.name(v))) +
                                              " is read here for a value that is used outside of its scope; it is bound in line " +
                                              std::to_string(bound.line) + ", column " + std::to_string(bound.column));
            });
        }
    }

    ir_builder b_;
    const relay_metadata* metadata_;
    std::vector<node_id> constants_;                    // of the metadata
    std::unordered_map<std::string, node_id> globals_;  // of the definition that is read
    std::vector<node_id> all_globals_, functions_, main_;
    node_id missing_ = no_node;
};

}  // namespace inlay

#endif
