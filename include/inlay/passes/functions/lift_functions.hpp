// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FUNCTIONS_LIFT_FUNCTIONS_HPP
#define INLAY_PASSES_FUNCTIONS_LIFT_FUNCTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/function_scopes.hpp>
#include <inlay/placement/function_role.hpp>

namespace inlay {

namespace detail {

/// Builds a module anew with its nested functions as functions of the module.
class function_lifting {
public:
    function_lifting(const ir_module& m, const function_scopes& scopes)
        : m_(m), scopes_(scopes), roles_(function_roles(m)), made_(m.size(), no_node), bound_as_(m.size(), no_node) {
        b_.copy_from(m);
        for (const node_id f : m.functions()) names_.insert(std::string(m.symbol(f)));
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::let && m.kind(m.operand(n, 1)) == node_kind::function) bound_as_[m.operand(n, 1)] = m.operand(n, 0);
    }

    [[nodiscard]] ir_module build() {
        std::vector<node_id> operands;
        for (node_id n = 0; n < m_.size(); ++n) {
            operands.clear();
            const node_id reader = m_.kind(n) == node_kind::function ? n : scopes_.owner(n);
            for (const node_id o : m_.operands(n)) operands.push_back(as_seen_in(reader, o));
            made_[n] = is_lifted(n) ? lift(n, operands) : b_.copy(m_, n, operands);
        }
        for (const node_id f : lifted_) b_.declare(f);
        for (const node_id f : m_.functions()) b_.declare(made_[f]);
        b_.name_results(m_.result_names());
        return b_.finish_in_blocks();
    }

private:
    [[nodiscard]] bool is_lifted(node_id n) const {
        return m_.kind(n) == node_kind::function && scopes_.owner(n) != no_node && roles_[n] == function_role::planned &&
               !is_given_by_closure(n) && !stands_in_left_function(n);
    }
    /// Whether it was lifted before.
    [[nodiscard]] bool is_given_by_closure(node_id n) const {
        const node_id around = scopes_.owner(n);
        return m_.attributes(around).integer("Closure", 0) != 0 && m_.result(around) == n;
    }
    [[nodiscard]] bool stands_in_left_function(node_id n) const {
        for (node_id f = scopes_.owner(n); f != no_node; f = scopes_.owner(f))
            if (roles_[f] != function_role::planned) return true;
        return false;
    }
    /// What a function that is lifted reads from around it, but for itself.
    [[nodiscard]] std::vector<node_id> captured(node_id f) const {
        std::vector<node_id> list;
        for (const node_id c : scopes_.captured(f))
            if (c != bound_as_[f] && m_.kind(c) != node_kind::global) list.push_back(c);
        return list;
    }
    [[nodiscard]] static std::uint64_t key(node_id f, node_id o) { return (std::uint64_t{f} << 32) | o; }

    /// What stands for node o in the body of a function (`no_node`: of the module).
    node_id as_seen_in(node_id f, node_id o) {
        if (m_.kind(o) == node_kind::constant || f == no_node || scopes_.owner(o) == f) return made_[o];
        if (m_.kind(o) == node_kind::global) return made_[o];
        if (!is_lifted(f)) return as_seen_in(scopes_.owner(f), o);
        const auto [at, is_new] = inside_.try_emplace(key(f, o), no_node);
        if (!is_new) return at->second;
        // A function that calls itself makes itself anew from what it was given.
        const node_id made = o == bound_as_[f] ? closure(f, f) : variable_like(o);
        return inside_[key(f, o)] = made;
    }
    node_id variable_like(node_id o) {
        const node_id v = b_.input(m_.name(o), m_.type(o));
        b_.set_where(v, m_.where(o));
        return v;
    }

    /// The value of a lifted function where `reader` reads it.
    node_id closure(node_id f, node_id reader) {
        const std::vector<node_id> list = captured(f);
        std::vector<node_type> types;
        for (const node_id c : list) types.push_back(m_.type(c));
        const node_type type = list.empty() ? m_.type(f) : node_type::function(std::move(types), m_.type(f));
        const node_id named = b_.global(name_of(f), type);
        b_.set_where(named, m_.where(f));
        if (list.empty()) return named;
        std::vector<node_id> operands{named};
        for (const node_id c : list) operands.push_back(as_seen_in(reader, c));
        const node_id made = b_.apply(operands, m_.type(f));
        b_.set_where(made, m_.where(f));
        b_.set_position(made, m_.position(f));
        return made;
    }
    node_id lift(node_id f, std::span<const node_id> operands) {
        const std::vector<node_id> list = captured(f);
        attribute_map attributes = m_.attributes(f);
        if (list.empty()) {
            lifted_.push_back(named_function(f, operands, name_of(f), attributes, m_.type(f)));
            return closure(f, scopes_.owner(f));
        }
        const node_id inner = b_.copy(m_, f, operands);
        std::vector<node_id> whole;
        std::vector<node_type> types;
        for (const node_id c : list) {
            whole.push_back(as_seen_in(f, c));
            types.push_back(m_.type(c));
        }
        whole.push_back(inner);
        attribute_map closes;
        closes.set("Closure", std::int64_t{1});
        lifted_.push_back(named_function(f, whole, name_of(f), closes, node_type::function(std::move(types), m_.type(f))));
        return closure(f, scopes_.owner(f));
    }
    node_id named_function(node_id f, std::span<const node_id> operands, const std::string& name, const attribute_map& attributes,
                           const node_type& type) {
        const node_id made = b_.function(operands.first(operands.size() - 1), operands.back(), name, attributes);
        b_.set_type(made, type);
        b_.set_where(made, m_.where(f));
        b_.set_position(made, m_.position(f));
        return made;
    }

    /// `outer.inner`: the function of the module that it stands in, and its variable; with a number where that is taken.
    [[nodiscard]] std::string name_of(node_id f) {
        std::string& name = name_[f];
        if (!name.empty()) return name;
        node_id outer = f;
        while (scopes_.owner(outer) != no_node) outer = scopes_.owner(outer);
        const node_id variable = bound_as_[f];
        const std::string wanted = std::string(m_.symbol(outer)) + "_" +
                                   (variable == no_node || m_.name(variable).empty() ? "function" : std::string(m_.name(variable)));
        name = wanted;
        for (std::size_t k = 1; !names_.insert(name).second; ++k) name = wanted + "_" + std::to_string(k);
        return name;
    }

    const ir_module& m_;
    const function_scopes& scopes_;
    std::vector<function_role> roles_;
    ir_builder b_;
    std::vector<node_id> made_, bound_as_, lifted_;
    std::unordered_map<std::uint64_t, node_id> inside_;  // by function and node around it
    std::unordered_map<node_id, std::string> name_;
    std::set<std::string> names_;
};

}  // namespace detail

/// The program with every nested function as a function of the module (Johnsson 1985). One that reads nothing from around it becomes a
/// global. One that does becomes a function of what it reads, with the attribute `Closure`, that gives the function itself; where it stood,
/// the global is called with these values. One that calls itself makes itself anew from them. Primitive functions and those of somebody
/// else stay where they are. Types, places and positions stay; what is read is given where it is. The error names a node that reads from a
/// body that is not around it. Linear in the module and in what its functions capture.
[[nodiscard]] inline outcome<ir_module> lift_functions(const ir_module& m) {
    const auto scopes = function_scopes::of(m);
    if (!scopes) return scopes.failure();
    return detail::function_lifting(m, *scopes).build();
}

}  // namespace inlay

#endif
