// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_EDIT_HPP
#define INLAY_LOOPS_NEST_EDIT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/affine.hpp>
#include <inlay/loops/loop_nest.hpp>

namespace inlay::detail {

/// A sound nest while it is changed. Between steps statements may stand in any order, and may be reached by none; `tidy` ends that.
class nest_edit {
public:
    explicit nest_edit(loop_nest n) : nest_(std::move(n)) {}

    [[nodiscard]] const loop_nest& nest() const { return nest_; }
    [[nodiscard]] nest_statement& at(statement_id s) { return nest_.statements[s]; }
    [[nodiscard]] const nest_statement& at(statement_id s) const { return nest_.statements[s]; }
    [[nodiscard]] nest_buffer& buffer(buffer_id b) { return nest_.buffers[b]; }
    [[nodiscard]] loop_nest take() && { return std::move(nest_); }

    [[nodiscard]] outcome<statement_id> loop(const std::string& name) const {
        for (statement_id s = 0; s < nest_.statements.size(); ++s)
            if (at(s).kind == nest_statement::form::loop && nest_.variables[at(s).variable] == name) return s;
        return error{"the loop nest " + quoted_text(nest_.name) + " has no loop over " + quoted_text(name) +
                     name_hint(name, nest_.variables)};
    }
    [[nodiscard]] outcome<buffer_id> buffer(const std::string& name) const {
        std::vector<std::string> names;
        for (buffer_id b = 0; b < nest_.buffers.size(); ++b) {
            if (nest_.buffers[b].name == name) return b;
            names.push_back(nest_.buffers[b].name);
        }
        return error{"the loop nest " + quoted_text(nest_.name) + " has no buffer " + quoted_text(name) + name_hint(name, names)};
    }
    [[nodiscard]] bool is_taken(std::string_view name) const { return inlay::is_taken(nest_, name); }

    /// The statement that allocates a buffer; nothing for the caller's.
    [[nodiscard]] std::optional<statement_id> allocation_of(buffer_id b) const {
        for (statement_id s = 0; s < nest_.statements.size(); ++s)
            if (at(s).kind == nest_statement::form::allocate && at(s).buffer == b) return s;
        return std::nullopt;
    }
    /// The statements from one down to one inside it, both named; empty where it does not stand inside.
    [[nodiscard]] std::vector<statement_id> path(statement_id from, statement_id to) const {
        if (from == to) return {to};
        for (const statement_id part : at(from).parts)
            if (std::vector<statement_id> rest = path(part, to); !rest.empty()) {
                rest.insert(rest.begin(), from);
                return rest;
            }
        return {};
    }
    [[nodiscard]] bool stands_in(statement_id whole, statement_id part) const { return !path(whole, part).empty(); }

    /// Extents by variable, of all loops; 0 for a variable without one.
    [[nodiscard]] std::vector<std::int64_t> extents() const {
        std::vector<std::int64_t> all(nest_.variables.size(), 0);
        for (const nest_statement& s : nest_.statements)
            if (s.kind == nest_statement::form::loop) all[s.variable] = s.extent;
        return all;
    }

    /// A variable of that name, or of one like it that is free.
    variable_id variable(const std::string& name) {
        nest_.variables.push_back(free_name(nest_, name));
        return static_cast<variable_id>(nest_.variables.size() - 1);
    }
    statement_id add(nest_statement s) {
        nest_.statements.push_back(std::move(s));
        return static_cast<statement_id>(nest_.statements.size() - 1);
    }
    expression_id add(nest_expression e) {
        nest_.expressions.push_back(std::move(e));
        return static_cast<expression_id>(nest_.expressions.size() - 1);
    }
    buffer_id add(nest_buffer b) {
        nest_.buffers.push_back(std::move(b));
        return static_cast<buffer_id>(nest_.buffers.size() - 1);
    }
    function_id add(loop_nest function) {
        nest_.functions.push_back(std::move(function));
        return static_cast<function_id>(nest_.functions.size() - 1);
    }
    statement_id block(std::vector<statement_id> parts) {
        nest_statement s;
        s.parts = std::move(parts);
        return add(std::move(s));
    }
    /// A statement with one part.
    statement_id around(nest_statement s, statement_id part) {
        s.parts = {part};
        return add(std::move(s));
    }

    /// Puts a statement in another's place.
    void replace(statement_id old, statement_id with) {
        for (nest_statement& s : nest_.statements) std::replace(s.parts.begin(), s.parts.end(), old, with);
        if (nest_.root == old) nest_.root = with;
    }

    void replace_root(statement_id with) { nest_.root = with; }

    /// Puts a number in a variable's place, everywhere.
    void substitute(variable_id v, const affine& value) {
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

    /// Puts a number in a variable's place in a statement and those inside it alone.
    void substitute_in(statement_id whole, variable_id v, const affine& value) {
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
    /// A copy of an expression with a number in a variable's place.
    [[nodiscard]] expression_id substituted(expression_id id, variable_id v, const affine& value) {
        nest_expression e = nest_.expressions[id];
        for (expression_id& operand : e.operands) operand = substituted(operand, v, value);
        for (affine& a : e.indices) a = a.with(v, value);
        for (affine_bound& b : e.bounds) b.value = b.value.with(v, value);
        return add(std::move(e));
    }

    /// Calls `f(statement)` for a statement and all inside it, in their order.
    template <class F>
    void each(statement_id whole, F&& f) const {
        f(whole);
        for (const statement_id part : at(whole).parts) each(part, f);
    }
    /// Calls `f(expression)` for an expression and all that it is made of.
    template <class F>
    void each_operand(expression_id whole, F&& f) const {
        f(nest_.expressions[whole]);
        for (const expression_id part : nest_.expressions[whole].operands) each_operand(part, f);
    }
    [[nodiscard]] bool has_value(statement_id s) const {
        return at(s).kind == nest_statement::form::store || at(s).kind == nest_statement::form::update;
    }
    /// Calls `f(buffer, indices, reach, writes)` for each place that a statement and those inside it touch. `reach`: how far behind the
    /// indices; empty: one element.
    template <class F>
    void each_access(statement_id whole, F&& f) const {
        each(whole, [&](statement_id id) {
            const nest_statement& s = at(id);
            if (has_value(id)) {
                each_operand(s.value, [&](const nest_expression& e) {
                    if (e.kind == nest_expression::form::load) f(e.buffer, e.indices, std::vector<std::int64_t>(), false);
                });
                f(s.buffer, s.indices, std::vector<std::int64_t>(), true);
            }
            if (s.kind != nest_statement::form::call) return;
            const loop_nest& callee = nest_.functions[s.callee];
            const std::vector<buffer_id> parameters = parameters_of(callee);
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                const nest_buffer& p = callee.buffers[parameters[i]];
                f(s.places[i].buffer, s.places[i].at, reach_of(s.places[i], p.extents), p.scope == buffer_scope::output);
            }
        });
    }
    [[nodiscard]] bool touches(statement_id whole, buffer_id b, bool writes_alone = false) const {
        bool found = false;
        each_access(whole, [&](buffer_id of, const auto&, const auto&, bool writes) { found |= of == b && (writes || !writes_alone); });
        return found;
    }

    /// A copy of an expression in which `f(load)` stands for each load for which it gives an expression.
    template <class F>
    expression_id rewritten(expression_id id, F&& f) {
        nest_expression e = nest_.expressions[id];
        if (e.kind == nest_expression::form::load) {
            const std::optional<expression_id> with = f(e);
            return with ? *with : id;
        }
        bool is_changed = false;
        for (expression_id& operand : e.operands) {
            const expression_id before = operand;
            operand = rewritten(before, f);
            is_changed |= operand != before;
        }
        return is_changed ? add(std::move(e)) : id;
    }
    /// Puts what `f(load)` gives in the place of loads in a statement and those inside it.
    template <class F>
    void rewrite_loads(statement_id whole, F&& f) {
        std::vector<statement_id> all;
        each(whole, [&](statement_id s) { all.push_back(s); });
        for (const statement_id s : all)
            if (has_value(s)) {
                const expression_id value = rewritten(at(s).value, f);
                at(s).value = value;
            }
    }
    /// Has a statement and those inside it touch another buffer in a buffer's place, at `f(indices)`.
    template <class F>
    void redirect(statement_id whole, buffer_id from, buffer_id to, F&& f) {
        rewrite_loads(whole, [&](const nest_expression& e) -> std::optional<expression_id> {
            if (e.buffer != from) return std::nullopt;
            nest_expression made = e;
            made.buffer = to;
            made.indices = f(e.indices);
            return add(std::move(made));
        });
        std::vector<statement_id> all;
        each(whole, [&](statement_id s) { all.push_back(s); });
        for (const statement_id id : all) {
            nest_statement& s = at(id);
            if (has_value(id) && s.buffer == from) {
                s.buffer = to;
                s.indices = f(s.indices);
            }
            for (nest_place& p : s.places)
                if (p.buffer == from) p = {to, f(p.at), p.along};
        }
    }

    /// Drops what nothing reaches, and loops and blocks around nothing; puts the rest in order, parts before the whole.
    void tidy() {
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

private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

    [[nodiscard]] bool does_nothing(statement_id id) const {
        const nest_statement& s = at(id);
        return (s.kind == nest_statement::form::block || !s.parts.empty()) &&
               std::all_of(s.parts.begin(), s.parts.end(), [&](statement_id part) { return does_nothing(part); });
    }
    [[nodiscard]] affine moved(const affine& a) const {
        affine made(a.constant());
        for (const affine::term& t : a.terms()) made += affine::of(variable_of_[t.variable], t.factor);
        return made;
    }
    void move_indices(std::vector<affine>& indices, std::vector<affine_bound>& bounds) const {
        for (affine& a : indices) a = moved(a);
        for (affine_bound& b : bounds) b.value = moved(b.value);
    }
    expression_id moved_expression(expression_id id) {
        if (expression_of_[id] != none) return expression_of_[id];
        nest_expression e = old_->expressions[id];
        for (expression_id& operand : e.operands) operand = moved_expression(operand);
        move_indices(e.indices, e.bounds);
        if (e.kind == nest_expression::form::load) e.buffer = buffer_of_[e.buffer];
        new_->expressions.push_back(std::move(e));
        return expression_of_[id] = static_cast<expression_id>(new_->expressions.size() - 1);
    }
    std::optional<statement_id> moved(statement_id id) {
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

    loop_nest nest_;
    const loop_nest* old_ = nullptr;
    loop_nest* new_ = nullptr;
    std::vector<std::uint32_t> expression_of_, variable_of_, buffer_of_;
};

}  // namespace inlay::detail

#endif
