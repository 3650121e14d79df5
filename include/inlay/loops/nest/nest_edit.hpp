// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_EDIT_HPP
#define INLAY_LOOPS_NEST_NEST_EDIT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

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

    [[nodiscard]] INLAY_FUNCTION outcome<statement_id> loop(const std::string& name) const;
    [[nodiscard]] INLAY_FUNCTION outcome<buffer_id> buffer(const std::string& name) const;
    [[nodiscard]] bool is_taken(std::string_view name) const { return inlay::is_taken(nest_, name); }

    /// The statement that allocates a buffer; nothing for the caller's.
    [[nodiscard]] INLAY_FUNCTION std::optional<statement_id> allocation_of(buffer_id b) const;
    /// The statements from one down to one inside it, both named; empty where it does not stand inside.
    [[nodiscard]] INLAY_FUNCTION std::vector<statement_id> path(statement_id from, statement_id to) const;
    [[nodiscard]] bool stands_in(statement_id whole, statement_id part) const { return !path(whole, part).empty(); }

    /// Extents by variable, of all loops; 0 for a variable without one.
    [[nodiscard]] INLAY_FUNCTION std::vector<std::int64_t> extents() const;

    /// A variable of that name, or of one like it that is free.
    INLAY_FUNCTION variable_id variable(const std::string& name);
    INLAY_FUNCTION statement_id add(nest_statement s);
    INLAY_FUNCTION expression_id add(nest_expression e);
    INLAY_FUNCTION buffer_id add(nest_buffer b);
    INLAY_FUNCTION function_id add(loop_nest function);
    INLAY_FUNCTION statement_id block(std::vector<statement_id> parts);
    /// A statement with one part.
    INLAY_FUNCTION statement_id around(nest_statement s, statement_id part);
    /// A statement in which a buffer is there.
    INLAY_FUNCTION statement_id allocated(buffer_id b, statement_id part);

    /// Puts a statement in another's place.
    INLAY_FUNCTION void replace(statement_id old, statement_id with);

    void replace_root(statement_id with) { nest_.root = with; }

    /// Puts a number in a variable's place, everywhere.
    INLAY_FUNCTION void substitute(variable_id v, const affine& value);

    /// Puts a number in a variable's place in a statement and those inside it alone.
    INLAY_FUNCTION void substitute_in(statement_id whole, variable_id v, const affine& value);
    /// A copy of an expression with a number in a variable's place.
    [[nodiscard]] INLAY_FUNCTION expression_id substituted(expression_id id, variable_id v, const affine& value);

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
    [[nodiscard]] INLAY_FUNCTION bool has_value(statement_id s) const;
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
    [[nodiscard]] INLAY_FUNCTION bool touches(statement_id whole, buffer_id b, bool writes_alone = false) const;

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
    INLAY_FUNCTION void tidy();

private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

    [[nodiscard]] INLAY_FUNCTION bool does_nothing(statement_id id) const;
    [[nodiscard]] INLAY_FUNCTION affine moved(const affine& a) const;
    INLAY_FUNCTION void move_indices(std::vector<affine>& indices, std::vector<affine_bound>& bounds) const;
    INLAY_FUNCTION expression_id moved_expression(expression_id id);
    INLAY_FUNCTION std::optional<statement_id> moved(statement_id id);

    loop_nest nest_;
    const loop_nest* old_ = nullptr;
    loop_nest* new_ = nullptr;
    std::vector<std::uint32_t> expression_of_, variable_of_, buffer_of_;
};

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/nest_edit.ipp>
#endif

#endif
