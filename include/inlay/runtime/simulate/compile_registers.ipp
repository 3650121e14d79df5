// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_COMPILE_REGISTERS_IPP
#define INLAY_RUNTIME_SIMULATE_COMPILE_REGISTERS_IPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/runtime/simulate/compile_registers.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/ops/interpret/match_clauses.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/passes/recover_places.hpp>
#include <inlay/placement/function_role.hpp>
#include <inlay/runtime/simulate/assign_registers.hpp>
#include <inlay/runtime/simulate/code_lists.hpp>

namespace inlay {

namespace detail {

/// Makes code of one function after the other, block by block.
class register_compiler {
public:
    register_compiler(const ir_module& m, const function_scopes& scopes, op_finder find)
        : m_(m),
          scopes_(scopes),
          places_(recover_places(m)),
          find_(find),
          outputs_(call_outputs(m)),
          register_(m.size(), no_register),
          function_(m.size(), no_number),
          list_of_block_(m.blocks(), no_number),
          runs_at_caller_(m.size(), 0),
          is_kernel_(kernels_of(m, scopes)) {}

    outcome<register_program> run() {
        if (m_.functions().empty()) return error{"the module declares no function, so there is nothing to run"};
        for (const node_id f : m_.functions()) {
            named_.emplace(m_.symbol(f), f);
            static_cast<void>(number_of(f));
        }
        p_.main = function_[m_.main()];
        // Functions that stand in others are found on the way, behind those.
        for (std::size_t i = 0; i < functions_.size(); ++i)
            if (auto wrong = compile(functions_[i])) return std::move(*wrong);
        return std::move(p_);
    }

private:
    using op = register_op;

    static constexpr std::uint32_t no_number = 0xFFFF'FFFFu;

    struct visit {
        node_id node;
        std::uint32_t next = 0;
    };

    [[nodiscard]] std::uint32_t number_of(node_id function) {
        if (function_[function] == no_number) {
            function_[function] = static_cast<std::uint32_t>(functions_.size());
            functions_.push_back(function);
            p_.functions.emplace_back();
        }
        return function_[function];
    }
    [[nodiscard]] register_id fresh() { return next_register_++; }
    void set_register(node_id n, register_id r) {
        register_[n] = r;
        touched_.push_back(n);
    }

    // Where things are.

    [[nodiscard]] bool is_inside(node_id n, node_id function) const {
        for (node_id f = scopes_.owner(n); f != no_node; f = scopes_.owner(f))
            if (f == function) return true;
        return false;
    }
    [[nodiscard]] bool decide_where_it_runs(node_id f) const {
        if (!m_.where(f).is_free()) return false;
        const node_id around = scopes_.owner(f), by = places_.said_by(f);
        if (m_.attributes(f).integer("Primitive", 0) != 0 || by == no_node) return true;
        return around != no_node && runs_at_caller_[around] != 0 && !is_inside(by, around);
    }
    /// By node: whether it is a function that runs as one kernel, or stands in one.
    [[nodiscard]] static std::vector<char> kernels_of(const ir_module& m, const function_scopes& scopes) {
        std::vector<char> is_kernel(m.size(), 0);
        if (!in_force<"placement.kernel.arguments">()) return is_kernel;
        const std::vector<function_role> roles = function_roles(m);
        // A function comes behind what stands in it.
        for (auto f = static_cast<node_id>(m.size()); f-- > 0;) {
            if (m.kind(f) != node_kind::function) continue;
            const node_id around = scopes.owner(f);
            is_kernel[f] = roles[f] == function_role::primitive || roles[f] == function_role::untouched ||
                           (around != no_node && is_kernel[around] != 0);
        }
        return is_kernel;
    }
    [[nodiscard]] memory_id memory_by(node_id says) {
        if (is_kernel_[current_] != 0) return in_no_memory;
        if (says == no_node) return in_callers_memory;
        if (runs_at_caller_[current_] != 0 && !is_inside(says, current_)) return in_callers_memory;
        return p_.memories.of(m_.where(says));
    }
    /// The memory of a place that a node names; within a kernel no memory is looked at.
    [[nodiscard]] memory_id memory_named(const placement& p) { return is_kernel_[current_] != 0 ? in_no_memory : p_.memories.of(p); }
    [[nodiscard]] memory_id memory_of(node_id n) { return memory_by(places_.said_by(n)); }
    /// Where the operands of a node are, as far as they do not say otherwise.
    [[nodiscard]] memory_id memory_in(node_id n) { return memory_by(places_.inside_said_by(n)); }

    // Instructions.

    /// The list of the block that a node stands in.
    [[nodiscard]] std::uint32_t list_of(node_id n) {
        if (scopes_.owner(n) == no_node) return root_;
        std::uint32_t& list = list_of_block_[m_.block(n)];
        if (list == no_number) list = lists_.add();
        return list;
    }
    [[nodiscard]] register_instruction made(op what, node_id n, register_id to, register_id from = no_register) const {
        register_instruction i;
        i.op = what;
        i.node = n;
        i.to = to;
        i.from = from;
        return i;
    }
    void emit(const register_instruction& i) { lists_.put(list_of(i.node), i); }
    /// Emits an instruction of a node, which gives the node's value.
    void give_value(register_instruction i) {
        if (i.to == no_register) i.to = fresh();
        emit(i);
        set_register(i.node, i.to);
    }
    void take_arguments(register_instruction& i, const std::vector<register_id>& list) {
        i.arguments = static_cast<std::uint32_t>(p_.arguments.size());
        i.count = static_cast<std::uint32_t>(list.size());
        p_.arguments.insert(p_.arguments.end(), list.begin(), list.end());
    }
    void fail(register_instruction& i, std::string sentence) {
        i.op = op::fail;
        i.to = i.from = no_register;
        i.number = static_cast<std::uint32_t>(p_.sentences.size());
        p_.sentences.push_back(std::move(sentence));
    }
    [[nodiscard]] std::uint32_t tag_of(std::string_view constructor) {
        const auto [at, is_new] = tags_.try_emplace(std::string(constructor), static_cast<std::uint32_t>(p_.tags.size()));
        if (is_new) p_.tags.emplace_back(constructor);
        return at->second;
    }

    [[nodiscard]] bool is_leaf(node_id n) const { return m_.kind(n) == node_kind::constant || m_.kind(n) == node_kind::global; }

    /// The register in which node `user` finds a value; what is made anew for each reader is made there.
    [[nodiscard]] register_id used_by(node_id user, node_id o) {
        if (!is_leaf(o)) return register_[o];
        register_instruction i = leaf(user, o);
        i.to = fresh();
        lists_.put(list_of(user), i);
        return i.to;
    }
    [[nodiscard]] register_id operand(node_id n, std::size_t i) { return used_by(n, m_.operand(n, i)); }
    [[nodiscard]] std::vector<register_id> operands(node_id n, std::size_t first = 0) {
        std::vector<register_id> list;
        for (std::size_t i = first; i < m_.arity(n); ++i) list.push_back(operand(n, i));
        return list;
    }
    [[nodiscard]] register_instruction leaf(node_id user, node_id o) {
        register_instruction i = made(op::load_constant, o, no_register);
        if (m_.kind(o) == node_kind::constant) {
            i.memory = m_.where(o).is_free() ? memory_in(user) : memory_named(m_.where(o));
            i.number = static_cast<std::uint32_t>(p_.constants.size());
            p_.constants.push_back(*m_.constant(o));
            return i;
        }
        const auto f = named_.find(m_.symbol(o));
        if (f == named_.end()) {
            fail(i, "calls " + quoted_text(m_.symbol(o)) + ", and the module has no function of that name");
        } else {
            i.op = op::make_function;
            i.number = number_of(f->second);
        }
        return i;
    }

    // One function.

    std::optional<error> compile(node_id f) {
        current_ = f;
        runs_at_caller_[f] = decide_where_it_runs(f) ? 1 : 0;
        next_register_ = 0;
        lists_.clear();
        root_ = lists_.add();
        register_function code;
        code.name = m_.symbol(f);
        code.node = f;
        for (const node_id parameter : m_.parameters(f)) {
            const bool says = is_kernel_[f] != 0 && !m_.where(parameter).is_free();
            code.parameters.push_back(says ? p_.memories.of(m_.where(parameter)) : memory_of(parameter));
            code.elements.push_back(m_.type(parameter).of_tensor.element);
            set_register(parameter, fresh());
        }
        for (const node_id c : scopes_.captured(f)) {
            if (is_leaf(c)) continue;
            set_register(c, fresh());
            ++code.captured;
        }
        code.is_kernel = is_kernel_[f] != 0;
        code.result = code.is_kernel && !m_.where(f).is_free() ? p_.memories.of(m_.where(f)) : memory_of(f);
        if (m_.attributes(f).integer("extern", 0) != 0) {
            register_instruction i = made(op::fail, f, no_register);
            fail(i, "is a lowered function, whose body is not known, so it cannot be run");
            code.code.push_back(i);
        } else if (auto wrong = body(f, code)) {
            return wrong;
        }
        code.registers = next_register_;
        assign_registers(code, p_.arguments);
        p_.functions[function_[f]] = std::move(code);
        for (const node_id n : touched_) register_[n] = no_register;
        touched_.clear();
        return std::nullopt;
    }
    std::optional<error> body(node_id f, register_function& code) {
        // The body is the block around all others of the function.
        const node_id result = m_.result(f);
        block_id b = m_.block(m_.operand(f, 0));
        while (b != 0 && m_.parent(b) != m_.block(f)) b = m_.parent(b);
        if (b != 0 && b != m_.block(f)) list_of_block_[b] = root_;
        if (auto wrong = evaluate(result)) return wrong;
        std::vector<register_instruction> last;
        register_instruction give = made(op::give, f, no_register, passed_on(f, result, last));
        give.memory = code.is_kernel ? in_no_memory : code.result;
        last.push_back(give);
        for (const register_instruction& i : last) lists_.put(root_, i);
        code.code = lists_.flat(root_);
        return std::nullopt;
    }
    /// The register of a value that ends a block; a leaf is loaded by what is added to `last`.
    [[nodiscard]] register_id passed_on(node_id user, node_id o, std::vector<register_instruction>& last) {
        if (!is_leaf(o)) return register_[o];
        last.push_back(leaf(user, o));
        last.back().to = fresh();
        return last.back().to;
    }

    /// Evaluates a node and what it needs, what is not there yet, in the order of operands.
    std::optional<error> evaluate(node_id root) {
        std::vector<visit> open;
        const auto demand = [&](node_id o, node_id by) -> std::optional<error> {
            if (is_leaf(o) || register_[o] != no_register) return std::nullopt;
            if (m_.kind(o) == node_kind::input)
                return at_source(m_, by, error{"reads the variable " + quoted_text(m_.name(o), 80) + " where it is not bound"});
            open.push_back({o});
            return std::nullopt;
        };
        if (auto wrong = demand(root, root)) return wrong;
        while (!open.empty()) {
            const node_id n = open.back().node;
            if (register_[n] != no_register) {
                open.pop_back();
                continue;
            }
            const bool is_function = m_.kind(n) == node_kind::function;
            const std::span<const node_id> needed = is_function ? scopes_.captured(n) : m_.operands(n);
            if (open.back().next == needed.size()) {
                open.pop_back();
                if (auto wrong = finish(n)) return wrong;
                continue;
            }
            const std::uint32_t next = open.back().next++;
            if (m_.kind(n) == node_kind::let) {
                if (next == 0) continue;
                if (next == 2) set_register(m_.operand(n, 0), operand(n, 1));
            }
            if (m_.kind(n) == node_kind::match && next == 1)
                if (auto wrong = bind_clauses(n)) return wrong;
            // A variable that is not bound yet is the one that a let is about to bind to this very function.
            if (is_function && m_.kind(needed[next]) == node_kind::input) continue;
            // A tuple that only holds arguments lies nowhere.
            if (is_pack(n, next)) {
                for (std::size_t i = m_.arity(needed[next]); i-- > 0;)
                    if (auto wrong = demand(m_.operand(needed[next], i), n)) return wrong;
                continue;
            }
            if (auto wrong = demand(needed[next], n)) return wrong;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool is_pack(node_id n, std::size_t i) const {
        return m_.kind(n) == node_kind::call && call_rule_of(m_.op(n)).is_pack(i) && m_.kind(m_.operand(n, i)) == node_kind::tuple;
    }
    [[nodiscard]] std::vector<register_id> fields_of_pack(node_id n, std::size_t i) {
        std::vector<register_id> list;
        for (const node_id o : m_.operands(m_.operand(n, i))) list.push_back(used_by(n, o));
        return list;
    }

    /// All that node n needs is there.
    std::optional<error> finish(node_id n) {
        switch (m_.kind(n)) {
            case node_kind::call:
                call(n);
                break;
            case node_kind::tuple:
            case node_kind::construct: {
                register_instruction i = made(op::make_tuple, n, no_register);
                if (m_.kind(n) == node_kind::construct) {
                    i.op = op::make_data;
                    i.number = tag_of(m_.symbol(n));
                }
                i.memory = memory_of(n);
                take_arguments(i, operands(n));
                give_value(i);
                break;
            }
            case node_kind::projection: {
                register_instruction i = made(op::take_field, n, no_register, operand(n, 0));
                i.number = static_cast<std::uint32_t>(m_.field(n));
                i.memory = memory_of(n);
                give_value(i);
                break;
            }
            case node_kind::function: {
                register_instruction i = made(op::make_function, n, no_register);
                i.number = number_of(n);
                std::vector<register_id> captured;
                for (const node_id c : scopes_.captured(n))
                    if (!is_leaf(c)) captured.push_back(register_[c]);
                take_arguments(i, captured);
                give_value(i);
                break;
            }
            case node_kind::apply:
                apply(n, m_.operand(n, 0), operands(n, 1));
                break;
            case node_kind::let:
                set_register(n, operand(n, 2));
                break;
            case node_kind::if_else:
                branch(n);
                break;
            case node_kind::match:
                match(n);
                break;
            case node_kind::make_ref:
            case node_kind::read_ref:
            case node_kind::write_ref: {
                register_instruction i = made(op::make_reference, n, no_register, operand(n, 0));
                if (m_.kind(n) == node_kind::read_ref) i.op = op::read_reference;
                if (m_.kind(n) == node_kind::write_ref) i.op = op::write_reference;
                i.memory = memory_of(n);
                take_arguments(i, operands(n, 1));
                give_value(i);
                break;
            }
            default:
                break;
        }
        return std::nullopt;
    }

    void call(node_id n) {
        const std::string_view name = m_.op(n);
        if (name == "on_device" && m_.arity(n) == 1) {
            const register_id body = operand(n, 0);
            if (is_fixed_on_device(m_, n)) {
                register_instruction i = made(op::expect, n, no_register, body);
                i.memory = memory_in(n);
                emit(i);
            }
            set_register(n, body);
            return;
        }
        if (name == "device_copy" && m_.arity(n) == 1) {
            register_instruction i = made(op::copy, n, no_register, operand(n, 0));
            i.source = memory_named(m_.copied_from(n));
            i.memory = memory_named(m_.where(n));
            return give_value(i);
        }
        if (name == "memory.copy" && m_.arity(n) == 2) return store(n, operand(n, 0), {operand(n, 1)});
        const call_rule& rule = call_rule_of(name);
        if (rule.has_packs && m_.arity(n) > 1) return call_with_packs(n);
        register_operator o;
        o.name = name;
        o.definition = find_(name);
        o.rule = &rule;
        o.attributes = m_.attributes(n);
        o.outputs = outputs_[n];
        register_instruction i = made(op::invoke, n, no_register);
        i.number = static_cast<std::uint32_t>(p_.operators.size());
        i.memory = memory_of(n);
        take_arguments(i, operands(n));
        p_.operators.push_back(std::move(o));
        give_value(i);
    }

    void call_with_packs(node_id n) {
        for (std::size_t i = 1; i < m_.arity(n); ++i) {
            if (is_pack(n, i)) continue;
            register_instruction wrong = made(op::fail, n, no_register);
            fail(wrong, "needs a tuple of the arguments, written where it is called");
            emit(wrong);
            set_register(n, fresh());
            return;
        }
        const std::string_view name = m_.op(n);
        if (name == "vm.shape_func") {
            register_instruction i = made(op::infer_shapes, n, no_register, operand(n, 0));
            i.memory = is_kernel_[current_] != 0 ? in_no_memory : memory_table::host;
            take_arguments(i, fields_of_pack(n, 1));
            return give_value(i);
        }
        apply(n, m_.operand(n, 0), fields_of_pack(n, 1));
        if (name == "vm.invoke_tvm_op" && m_.arity(n) == 3) store(n, register_[n], fields_of_pack(n, 2));
    }
    /// Node n writes a value into tensors in storage, and gives the unit value.
    void store(node_id n, register_id value, const std::vector<register_id>& into) {
        register_instruction i = made(op::store, n, no_register, value);
        i.memory = memory_of(n);
        take_arguments(i, into);
        emit(i);
        give_value(made(op::make_tuple, n, no_register));
    }

    void apply(node_id n, node_id callee, const std::vector<register_id>& list) {
        register_instruction i = made(op::call, n, no_register);
        const auto f = m_.kind(callee) == node_kind::global ? named_.find(m_.symbol(callee)) : named_.end();
        if (f != named_.end()) {
            i.op = op::call_function;
            i.number = number_of(f->second);
        } else {
            i.from = used_by(n, callee);
        }
        i.memory = memory_of(n);
        take_arguments(i, list);
        give_value(i);
    }

    // Branches and matches.

    /// The side that ends in operand `result` of node n, behind these tests.
    [[nodiscard]] code_lists::side side_of(node_id n, std::size_t result, std::vector<register_instruction> tests, register_id to) {
        code_lists::side s;
        s.tests = std::move(tests);
        const node_id r = m_.operand(n, result);
        const block_id b = m_.block(r);
        if (!is_leaf(r) && b != m_.block(n) && m_.parent(b) == m_.block(n)) s.list = list_of_block_[b];
        const register_id value = passed_on(n, r, s.last);
        s.last.push_back(made(op::move, n, to, value));
        return s;
    }
    void branch(node_id n) {
        register_instruction test = made(op::jump_unless, n, no_register, operand(n, 0));
        test.memory = memory_of(n);
        const register_id to = fresh();
        code_lists::choice c;
        c.otherwise.node = n;
        c.sides.push_back(side_of(n, 1, {test}, to));
        c.sides.push_back(side_of(n, 2, {}, to));
        lists_.put(list_of(n), std::move(c));
        set_register(n, to);
    }

    /// Gives the variables of a match registers, and makes the tests of its clauses.
    std::optional<error> bind_clauses(node_id n) {
        auto clauses = match_clauses_of(m_, n);
        if (!clauses) return at_source(m_, n, clauses.failure());
        const register_id whole = operand(n, 0);
        register_instruction expected = made(op::expect, n, no_register, whole);
        expected.memory = memory_of(n);
        emit(expected);
        auto& tests = tests_[n];
        for (const match_clause& c : *clauses) tests.push_back({tests_of(n, c, whole), c.result});
        return std::nullopt;
    }
    [[nodiscard]] std::vector<register_instruction> tests_of(node_id n, const match_clause& c, register_id whole) {
        struct part {
            register_id of;
            std::uint32_t field;
        };
        std::vector<register_instruction> tests;
        std::vector<part> left{{whole, no_number}};
        std::size_t variable = c.first_variable;
        for (const match_pattern::part& p : c.pattern.parts) {
            const part at = left.back();
            left.pop_back();
            if (p.what == match_pattern::form::wildcard) continue;
            register_id value = at.of;
            if (at.field != no_number) {
                register_instruction field = made(op::take_field, n, fresh(), at.of);
                field.number = at.field;
                tests.push_back(field);
                value = field.to;
            }
            if (p.what == match_pattern::form::variable) {
                set_register(m_.operand(n, variable++), value);
                continue;
            }
            register_instruction test = made(op::jump_unless_tag, n, no_register, value);
            test.number = p.what == match_pattern::form::constructor ? tag_of(p.name) : 0;
            test.fields = p.fields;
            tests.push_back(test);
            for (std::uint32_t i = p.fields; i-- > 0;) left.push_back({value, i});
        }
        return tests;
    }
    void match(node_id n) {
        const register_id to = fresh();
        code_lists::choice c;
        c.otherwise = made(op::fail, n, no_register);
        fail(c.otherwise, "has no clause for the value that it looks at");
        if (m_.arity(n) > 1) {
            const auto tests = tests_.find(n);
            for (auto& [list, result] : tests->second) c.sides.push_back(side_of(n, result, std::move(list), to));
            tests_.erase(tests);
        }
        lists_.put(list_of(n), std::move(c));
        set_register(n, to);
    }

    const ir_module& m_;
    const function_scopes& scopes_;
    program_places places_;
    op_finder find_;
    std::vector<std::size_t> outputs_;
    register_program p_;
    std::unordered_map<std::string_view, node_id> named_;
    std::unordered_map<std::string, std::uint32_t> tags_;
    std::vector<node_id> functions_;  // in the order of their numbers

    // Of the function that is compiled; by node.
    node_id current_ = no_node;
    register_id next_register_ = 0;
    std::vector<register_id> register_;
    std::vector<node_id> touched_;
    code_lists lists_;
    std::uint32_t root_ = 0;
    std::unordered_map<node_id, std::vector<std::pair<std::vector<register_instruction>, std::size_t>>> tests_;

    std::vector<std::uint32_t> function_, list_of_block_;
    std::vector<char> runs_at_caller_;
    std::vector<char> is_kernel_;  // by node
};

outcome<register_program> compile_registers_by(const ir_module& m, op_finder find) {
    auto scopes = function_scopes::of(m);
    if (!scopes) return scopes.failure();
    return register_compiler(m, *scopes, find).run();
}

}  // namespace detail

}  // namespace inlay

#endif
