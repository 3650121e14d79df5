// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_EDIT_IPP
#define INLAY_LOOPS_NEST_NEST_EDIT_IPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/nest/nest_edit.hpp>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay::detail {

outcome<statement_id> nest_edit::loop(const std::string& name) const {
    for (statement_id s = 0; s < nest_.statements.size(); ++s)
        if (at(s).kind == nest_statement::form::loop && nest_.variables[at(s).variable] == name) return s;
    return error{"the loop nest " + quoted_text(nest_.name) + " has no loop over " + quoted_text(name) + name_hint(name, nest_.variables)};
}

outcome<buffer_id> nest_edit::buffer(const std::string& name) const {
    std::vector<std::string> names;
    for (buffer_id b = 0; b < nest_.buffers.size(); ++b) {
        if (nest_.buffers[b].name == name) return b;
        names.push_back(nest_.buffers[b].name);
    }
    return error{"the loop nest " + quoted_text(nest_.name) + " has no buffer " + quoted_text(name) + name_hint(name, names)};
}

std::optional<statement_id> nest_edit::allocation_of(buffer_id b) const {
    for (statement_id s = 0; s < nest_.statements.size(); ++s)
        if (at(s).kind == nest_statement::form::allocate && at(s).buffer == b) return s;
    return std::nullopt;
}

std::vector<statement_id> nest_edit::path(statement_id from, statement_id to) const {
    if (from == to) return {to};
    for (const statement_id part : at(from).parts)
        if (std::vector<statement_id> rest = path(part, to); !rest.empty()) {
            rest.insert(rest.begin(), from);
            return rest;
        }
    return {};
}

std::vector<std::int64_t> nest_edit::extents() const {
    std::vector<std::int64_t> all(nest_.variables.size(), 0);
    for (const nest_statement& s : nest_.statements)
        if (s.kind == nest_statement::form::loop) all[s.variable] = s.extent;
    return all;
}

variable_id nest_edit::variable(const std::string& name) {
    nest_.variables.push_back(free_name(nest_, name));
    return static_cast<variable_id>(nest_.variables.size() - 1);
}

statement_id nest_edit::add(nest_statement s) {
    nest_.statements.push_back(std::move(s));
    return static_cast<statement_id>(nest_.statements.size() - 1);
}

expression_id nest_edit::add(nest_expression e) {
    nest_.expressions.push_back(std::move(e));
    return static_cast<expression_id>(nest_.expressions.size() - 1);
}

buffer_id nest_edit::add(nest_buffer b) {
    nest_.buffers.push_back(std::move(b));
    return static_cast<buffer_id>(nest_.buffers.size() - 1);
}

function_id nest_edit::add(loop_nest function) {
    nest_.functions.push_back(std::move(function));
    return static_cast<function_id>(nest_.functions.size() - 1);
}

statement_id nest_edit::block(std::vector<statement_id> parts) {
    nest_statement s;
    s.parts = std::move(parts);
    return add(std::move(s));
}

statement_id nest_edit::around(nest_statement s, statement_id part) {
    s.parts = {part};
    return add(std::move(s));
}

statement_id nest_edit::allocated(buffer_id b, statement_id part) {
    nest_statement s;
    s.kind = nest_statement::form::allocate;
    s.buffer = b;
    return around(std::move(s), part);
}

void nest_edit::replace(statement_id old, statement_id with) {
    for (nest_statement& s : nest_.statements) std::replace(s.parts.begin(), s.parts.end(), old, with);
    if (nest_.root == old) nest_.root = with;
}

void nest_edit::substitute(variable_id v, const affine& value) {
    const auto in = [&](std::vector<affine>& indices, std::vector<affine_bound>& bounds) {
        for (affine& a : indices) a = a.with(v, value);
        for (affine_bound& b : bounds) b.value = b.value.with(v, value);
    };
    for (nest_expression& e : nest_.expressions) in(e.indices, e.bounds);
    for (nest_statement& s : nest_.statements) {
        in(s.indices, s.bounds);
        for (nest_place& p : s.places)
            for (affine& a : p.at) a = a.with(v, value);
    }
}

void nest_edit::substitute_in(statement_id whole, variable_id v, const affine& value) {
    std::vector<statement_id> all;
    each(whole, [&](statement_id s) { all.push_back(s); });
    for (const statement_id id : all) {
        if (has_value(id)) {
            const expression_id moved = substituted(at(id).value, v, value);
            at(id).value = moved;
        }
        nest_statement& s = at(id);
        for (affine& a : s.indices) a = a.with(v, value);
        for (affine_bound& b : s.bounds) b.value = b.value.with(v, value);
        for (nest_place& p : s.places)
            for (affine& a : p.at) a = a.with(v, value);
    }
}

expression_id nest_edit::substituted(expression_id id, variable_id v, const affine& value) {
    nest_expression e = nest_.expressions[id];
    for (expression_id& operand : e.operands) operand = substituted(operand, v, value);
    for (affine& a : e.indices) a = a.with(v, value);
    for (affine_bound& b : e.bounds) b.value = b.value.with(v, value);
    return add(std::move(e));
}

bool nest_edit::has_value(statement_id s) const {
    return at(s).kind == nest_statement::form::store || at(s).kind == nest_statement::form::update;
}

bool nest_edit::touches(statement_id whole, buffer_id b, bool writes_alone) const {
    bool found = false;
    each_access(whole, [&](buffer_id of, const auto&, const auto&, bool writes) { found |= of == b && (writes || !writes_alone); });
    return found;
}

void nest_edit::tidy() {
    loop_nest made;
    made.name = nest_.name;
    made.functions = nest_.functions;
    old_ = &nest_;
    new_ = &made;
    expression_of_.assign(nest_.expressions.size(), none);
    variable_of_.assign(nest_.variables.size(), none);
    buffer_of_.assign(nest_.buffers.size(), none);
    // Loops number their variables from the outermost to the innermost, in the order of the text.
    std::vector<char> is_there(nest_.buffers.size(), 0);
    each(nest_.root, [&](statement_id id) {
        const nest_statement& s = at(id);
        if (does_nothing(id)) return;
        if (s.kind == nest_statement::form::allocate) is_there[s.buffer] = 1;
        if (s.kind != nest_statement::form::loop) return;
        variable_of_[s.variable] = static_cast<std::uint32_t>(made.variables.size());
        made.variables.push_back(nest_.variables[s.variable]);
    });
    for (buffer_id b = 0; b < nest_.buffers.size(); ++b) {
        const buffer_scope scope = nest_.buffers[b].scope;
        if (is_there[b] == 0 && scope != buffer_scope::input && scope != buffer_scope::output) continue;
        buffer_of_[b] = static_cast<std::uint32_t>(made.buffers.size());
        made.buffers.push_back(nest_.buffers[b]);
    }
    const std::optional<statement_id> root = moved(nest_.root);
    if (!root) made.statements.emplace_back();
    made.root = root.value_or(0);
    nest_ = std::move(made);
}

bool nest_edit::does_nothing(statement_id id) const {
    const nest_statement& s = at(id);
    return (s.kind == nest_statement::form::block || !s.parts.empty()) &&
           std::all_of(s.parts.begin(), s.parts.end(), [&](statement_id part) { return does_nothing(part); });
}

affine nest_edit::moved(const affine& a) const {
    affine made(a.constant());
    for (const affine::term& t : a.terms()) made += affine::of(variable_of_[t.variable], t.factor);
    return made;
}

void nest_edit::move_indices(std::vector<affine>& indices, std::vector<affine_bound>& bounds) const {
    for (affine& a : indices) a = moved(a);
    for (affine_bound& b : bounds) b.value = moved(b.value);
}

expression_id nest_edit::moved_expression(expression_id id) {
    if (expression_of_[id] != none) return expression_of_[id];
    nest_expression e = old_->expressions[id];
    for (expression_id& operand : e.operands) operand = moved_expression(operand);
    move_indices(e.indices, e.bounds);
    if (e.kind == nest_expression::form::load) e.buffer = buffer_of_[e.buffer];
    new_->expressions.push_back(std::move(e));
    return expression_of_[id] = static_cast<expression_id>(new_->expressions.size() - 1);
}

std::optional<statement_id> nest_edit::moved(statement_id id) {
    if (does_nothing(id)) return std::nullopt;
    nest_statement s = old_->statements[id];
    std::vector<statement_id> parts;
    for (const statement_id part : s.parts)
        if (const auto one = moved(part)) parts.push_back(*one);
    if (s.kind == nest_statement::form::block && parts.size() == 1) return parts.front();
    s.parts = std::move(parts);
    move_indices(s.indices, s.bounds);
    for (nest_place& p : s.places) {
        for (affine& a : p.at) a = moved(a);
        p.buffer = buffer_of_[p.buffer];
    }
    if (s.kind == nest_statement::form::loop) s.variable = variable_of_[s.variable];
    if (has_value(id)) s.value = moved_expression(s.value);
    if (has_value(id) || s.kind == nest_statement::form::allocate) s.buffer = buffer_of_[s.buffer];
    new_->statements.push_back(std::move(s));
    return static_cast<statement_id>(new_->statements.size() - 1);
}

}  // namespace inlay::detail

#endif
