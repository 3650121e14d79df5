// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FUNCTIONS_A_NORMAL_FORM_HPP
#define INLAY_PASSES_FUNCTIONS_A_NORMAL_FORM_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/graph/each_clause.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/placement/call_rule.hpp>
#include <inlay/placement/function_role.hpp>

namespace inlay {

namespace detail {

/// Binds values in the order in which they are evaluated, block by block.
class a_normal_form {
public:
    explicit a_normal_form(const ir_module& m)
        : m_(m), left_(inside_left_functions(m)), roles_(function_roles(m)), made_(m.size(), no_node), bound_as_(m.size(), no_node) {
        b_.copy_from(m);
        lists_.resize(m.blocks());
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::let && bound_as_[m.operand(n, 1)] == no_node) bound_as_[m.operand(n, 1)] = m.operand(n, 0);
    }

    [[nodiscard]] ir_module build() {
        for (node_id n = 0; n < m_.size(); ++n)
            if (left_[n] != 0) copy(n);
        for (const node_id f : m_.functions()) {
            demand(f);
            run();
        }
        for (const node_id f : m_.functions()) b_.declare(made_[f]);
        if (m_.result_names().size() == 1) b_.name_results(m_.result_names());
        return b_.finish_in_blocks();
    }

private:
    struct binding {
        node_id variable, value;
    };
    struct visit {
        node_id node;
        std::uint32_t next = 0;  // the operand that is looked at next
    };

    node_id copy(node_id n) {
        operands_.clear();
        for (const node_id o : m_.operands(n)) operands_.push_back(made_[o]);
        return made_[n] = b_.copy(m_, n, operands_);
    }
    [[nodiscard]] bool is_left_alone(node_id n) const { return m_.kind(n) == node_kind::function && roles_[n] != function_role::planned; }
    /// Whether a value needs no name: it is one, or costs nothing to be written again.
    [[nodiscard]] bool is_atom(node_id n) const {
        const node_kind k = m_.kind(n);
        return k == node_kind::input || k == node_kind::constant || k == node_kind::global || is_left_alone(n);
    }
    [[nodiscard]] bool is_pack(node_id n, std::size_t i) const {
        return m_.kind(n) == node_kind::call && call_rule_of(m_.op(n)).is_pack(i) && m_.kind(m_.operand(n, i)) == node_kind::tuple;
    }

    void demand(node_id n) {
        if (made_[n] != no_node) return;
        if (is_atom(n))
            copy(n);
        else
            open_.push_back({n});
    }
    void run() {
        while (!open_.empty()) {
            visit& v = open_.back();
            const node_id n = v.node;
            if (v.next == m_.arity(n)) {
                open_.pop_back();
                finish(n);
                continue;
            }
            const std::uint32_t i = v.next++;
            const node_id o = m_.operand(n, i);
            if (m_.kind(n) == node_kind::let) {
                // Its variable is there before its value, which may be a function that calls itself.
                if (i == 0 && !is_atom(m_.operand(n, 1)) && bound_as_[m_.operand(n, 1)] == o && m_.kind(m_.operand(n, 1)) != node_kind::let)
                    static_cast<void>(variable_of(m_.operand(n, 1)));
                if (i == 2 && made_[m_.operand(n, 0)] == no_node) made_[m_.operand(n, 0)] = made_[m_.operand(n, 1)];
                if (i != 0) demand(o);
            } else if (is_pack(n, i)) {
                v.next = i;
                if (!pack_is_ready(o)) continue;
                ++open_.back().next;
                copy(o);
            } else {
                demand(o);
            }
        }
    }
    /// Asks for the next field of a pack that is not there; whether none is left.
    [[nodiscard]] bool pack_is_ready(node_id pack) {
        for (const node_id field : m_.operands(pack)) {
            if (made_[field] != no_node) continue;
            demand(field);
            if (made_[field] == no_node) return false;
        }
        return true;
    }

    /// The variable that stands for what node n gives.
    node_id variable_of(node_id n) {
        const node_id named = bound_as_[n];
        if (named != no_node) return made_[named] != no_node ? made_[named] : copy(named);
        const node_id v = b_.input(m_.name(n), m_.type(n));
        b_.set_where(v, m_.where(n));
        return v;
    }
    /// All that node n reads is there.
    void finish(node_id n) {
        switch (m_.kind(n)) {
            case node_kind::let:
                made_[n] = made_[m_.operand(n, 2)];
                return;
            case node_kind::function: {
                const std::size_t last = m_.arity(n) - 1;
                read_operands(n);
                // A function without parameters that gives what stands outside has no block.
                const block_id b = m_.block(m_.operand(n, 0));
                if (last != 0 || (b != m_.block(n) && m_.parent(b) == m_.block(n))) operands_[last] = bound(b, operands_[last]);
                break;
            }
            case node_kind::if_else:
                read_operands(n);
                for (const std::size_t side : {1, 2}) operands_[side] = side_of(n, side);
                break;
            case node_kind::match:
                read_operands(n);
                each_clause(m_, n, [&](std::size_t, std::size_t, std::size_t result) { operands_[result] = side_of(n, result); });
                break;
            default:
                read_operands(n);
                break;
        }
        const node_id value = b_.copy(m_, n, operands_);
        // The module's own functions are known by name.
        if (m_.block(n) == 0 && m_.kind(n) == node_kind::function) {
            made_[n] = value;
            return;
        }
        made_[n] = variable_of(n);
        lists_[m_.block(n)].push_back({made_[n], value});
    }
    void read_operands(node_id n) {
        operands_.clear();
        for (const node_id o : m_.operands(n)) operands_.push_back(made_[o]);
    }
    [[nodiscard]] node_id side_of(node_id n, std::size_t result) {
        const node_id r = m_.operand(n, result);
        const block_id b = m_.block(r);
        return b != m_.block(n) && m_.parent(b) == m_.block(n) ? bound(b, made_[r]) : made_[r];
    }
    /// A result behind all that was bound in a block.
    [[nodiscard]] node_id bound(block_id b, node_id result) {
        std::vector<binding>& list = lists_[b];
        while (!list.empty()) {
            const auto [variable, value] = list.back();
            list.pop_back();
            const node_id body = result;
            result = b_.let(variable, value, body);
            b_.set_where(result, placement(b_.so_far().where(body)));
            if (b_.so_far().position(value).is_known()) b_.set_position(result, b_.so_far().position(value));
        }
        return result;
    }

    const ir_module& m_;
    std::vector<char> left_;
    std::vector<function_role> roles_;
    ir_builder b_;
    std::vector<node_id> made_, bound_as_, operands_;
    std::vector<std::vector<binding>> lists_;  // by block
    std::vector<visit> open_;
};

}  // namespace detail

/// The program in A-normal form (Flanagan, Sabry, Duba, Felleisen 1993): the operands of every node are variables, constants, globals or
/// primitive functions, and what else a node gives is bound by a let, in the order in which values are evaluated: operands first, lets in
/// their order, a value with several readers once, in the innermost block that has all of them. Types, places, names and positions stay; a
/// variable is where its value is. Primitive functions and those of somebody else are left as they are. Linear; no recursion.
/// Precondition: `on_device` calls are gone, as in a planned program.
[[nodiscard]] inline ir_module to_a_normal_form(const ir_module& m) { return detail::a_normal_form(m).build(); }

}  // namespace inlay

#endif
