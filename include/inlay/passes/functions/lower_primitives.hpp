// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FUNCTIONS_LOWER_PRIMITIVES_HPP
#define INLAY_PASSES_FUNCTIONS_LOWER_PRIMITIVES_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/passes/functions/primitive_callees.hpp>
#include <inlay/passes/rebuild.hpp>
#include <inlay/placement/function_role.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// A kernel that a program calls: what is to be generated once.
struct lowered_function {
    std::string name;                     // of the function in the program
    std::vector<target_instance> target;  // that code is generated for: one, or none where the call said nothing
    ir_module body;                       // the function alone, as main
};

/// A program whose kernels are functions of the module, and these functions.
struct lowered_program {
    ir_module program;
    std::vector<lowered_function> functions;  // in the order of their first calls
};

namespace detail {

/// Function f of a module as a program of its own. Precondition: it reads nothing from around it but constants.
[[nodiscard]] inline ir_module function_as_program(const ir_module& m, node_id f) {
    ir_builder b;
    b.copy_from(m);
    std::unordered_map<node_id, node_id> made;
    std::vector<node_id> open{f}, operands;
    while (!open.empty()) {
        const node_id n = open.back();
        const bool is_made = made.contains(n);
        bool ready = true;
        if (!is_made)
            for (const node_id o : m.operands(n))
                if (!made.contains(o)) {
                    open.push_back(o);
                    ready = false;
                }
        if (!is_made && !ready) continue;
        open.pop_back();
        if (is_made) continue;
        operands.clear();
        for (const node_id o : m.operands(n)) operands.push_back(made[o]);
        if (n == f) {
            attribute_map none;
            made[n] = b.function(std::span<const node_id>(operands).first(operands.size() - 1), operands.back(), "main", none);
        } else {
            made[n] = b.copy(m, n, operands);
        }
    }
    b.declare(made[f]);
    return b.finish_in_blocks();
}

/// Builds a module anew with the primitive functions that are called as functions of it.
class primitive_lowering {
public:
    explicit primitive_lowering(const ir_module& m) : m_(m), made_(m.size(), no_node), callee_(primitive_callees(m)) {
        b_.copy_from(m);
        for (const node_id f : m.functions()) names_.insert(std::string(m.symbol(f)));
    }

    [[nodiscard]] lowered_program build() {
        const std::vector<char> left = inside_left_functions(m_);
        std::vector<node_id> operands;
        for (node_id n = 0; n < m_.size(); ++n) {
            operands.clear();
            for (const node_id o : m_.operands(n)) operands.push_back(made_[o]);
            const bool is_call = m_.kind(n) == node_kind::apply && callee_[m_.operand(n, 0)] != no_node && left[n] == 0;
            made_[n] = is_call ? call(n, std::span<const node_id>(operands).subspan(1)) : b_.copy(m_, n, operands);
        }
        for (const node_id f : functions_) b_.declare(f);
        for (const node_id f : m_.functions()) b_.declare(made_[f]);
        b_.name_results(m_.result_names());
        result_.program = b_.finish_in_blocks();
        return std::move(result_);
    }

private:
    node_id call(node_id n, std::span<const node_id> arguments) {
        const node_id f = callee_[m_.operand(n, 0)];
        const node_id named = b_.global(name_of(f, n), m_.type(f));
        b_.set_where(named, m_.where(n));
        const node_id pack = b_.tuple(arguments);
        b_.set_where(pack, m_.where(n));
        const node_id made = b_.call("call_lowered", {named, pack}, {}, m_.type(n), m_.name(n));
        b_.set_where(made, m_.where(n));
        b_.set_position(made, m_.position(n));
        return made;
    }

    /// The name of the kernel for a call, which is made where it is new. What differs in a kernel: the function, the target, and the memory
    /// scopes of what it reads and writes.
    [[nodiscard]] std::string name_of(node_id f, node_id call) {
        const std::size_t parameters = m_.arity(f) - 1;
        const placement& there = m_.where(call);
        std::string key =
            text_of(f) + "\n" + (there.target.empty() ? std::string() : target_text(there.target.front())) + "\n" + there.scope;
        for (std::size_t i = 0; i < parameters; ++i) key += "\n" + m_.where(m_.operand(call, i + 1)).scope;
        std::string& name = kernels_[key];
        if (!name.empty()) return name;
        name = fresh_name(f);
        attribute_map attributes = m_.attributes(f);
        if (!there.target.empty()) attributes.set("target", target_text(there.target.front()));
        functions_.push_back(declared(f, call, name, attributes));
        result_.functions.push_back({name, there.target, alone_.at(f)});
        return name;
    }
    /// The function with what stands in it, in the scopes of a call.
    node_id declared(node_id f, node_id call, const std::string& name, const attribute_map& attributes) {
        const ir_module& body = alone_.at(f);
        std::vector<node_id> made(body.size(), no_node), operands;
        for (node_id n = 0; n < body.main(); ++n) {
            operands.clear();
            for (const node_id o : body.operands(n)) operands.push_back(made[o]);
            made[n] = b_.copy(body, n, operands);
        }
        operands.clear();
        const auto scope = [&](node_id n, const placement& there) {
            if (!there.scope.empty() && b_.so_far().where(n).is_free()) b_.set_where(n, placement::in_scope(there.scope));
        };
        for (std::size_t i = 0; i + 1 < m_.arity(f); ++i) {
            operands.push_back(made[body.operand(body.main(), i)]);
            scope(operands.back(), m_.where(m_.operand(call, i + 1)));
        }
        const node_id function = b_.function(operands, made[body.result(body.main())], name, attributes);
        b_.set_type(function, m_.type(f));
        b_.set_position(function, m_.position(f));
        scope(function, m_.where(call));
        return function;
    }

    /// The function as text, with the contents of its constants: equal for functions that do the same in the same way,
    /// whatever their variables are called.
    [[nodiscard]] const std::string& text_of(node_id f) {
        const auto [at, is_new] = texts_.try_emplace(f);
        if (!is_new) return at->second;
        const ir_module& body = alone_.emplace(f, function_as_program(m_, f)).first->second;
        at->second = print_relay(rebuild(body, [](module_rebuilder& r, node_id n) { r.builder().set_name(r.copy(n), {}); })).text;
        for (node_id n = 0; n < body.size(); ++n)
            if (const tensor* value = body.constant(n)) at->second += "\n" + to_string(value->content());
        return at->second;
    }
    /// `lowered_` and the operators of the function, with a number where that is taken.
    [[nodiscard]] std::string fresh_name(node_id f) {
        static constexpr std::size_t most_letters = 60;
        const ir_module& body = alone_.at(f);
        std::string wanted = "lowered";
        for (node_id n = 0; n < body.size() && wanted.size() < most_letters; ++n) {
            if (body.kind(n) != node_kind::call) continue;
            wanted += "_";
            for (const char c : body.op(n)) wanted += c == '.' ? '_' : c;
        }
        std::string name = wanted;
        for (std::size_t k = 1; !names_.insert(name).second; ++k) name = wanted + "_" + std::to_string(k);
        return name;
    }

    const ir_module& m_;
    ir_builder b_;
    lowered_program result_;
    std::vector<node_id> made_, functions_;
    std::vector<node_id> callee_;                   // the primitive function that a node stands for
    std::unordered_map<node_id, ir_module> alone_;  // by function
    std::unordered_map<node_id, std::string> texts_;
    std::map<std::string, std::string> kernels_;  // names by what is generated
    std::set<std::string> names_;
};

}  // namespace detail

/// The program with each call of a primitive function as `call_lowered(@kernel, (arguments))`, where the kernels are functions of the
/// module, primitive as before, with the target of their calls as the attribute `target`: one for each function, target and scopes of
/// memory that it is called with, so that code is generated once for all calls that can share it. Primitive functions that are called in no
/// other way than by a value that somebody passes on stay. Places stay as they are. Linear in the module and in what its kernels hold.
/// Precondition: primitive functions read nothing from around them but constants.
[[nodiscard]] inline lowered_program lower_primitives(const ir_module& m) { return detail::primitive_lowering(m).build(); }

}  // namespace inlay

#endif
