// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_SCOPES_HPP
#define INLAY_IR_RELAY_SCOPES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/ancestor_tree.hpp>
#include <inlay/graph/each_clause.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// A number of a scope of a program's text; 0 is the file.
using scope_id = std::uint32_t;

/// Whether a function is declared alone, `extern def @f(...) -> T;`: its result is a variable that stands for the buffer it writes to.
[[nodiscard]] inline bool has_no_body(const ir_module& m, node_id function) {
    return m.attributes(function).integer("extern", 0) != 0 && m.kind(m.result(function)) == node_kind::input;
}

/// Where the nodes of a module stand in its text, by their uses alone: each in the innermost scope that holds all of them. Scopes are the
/// bodies of functions, the branches of an if, the clauses of a match, and of a let two: the value, where the variable may be used already,
/// and in that the body. Of a module that is still being built it is enough that its functions are declared. Linear in the module, times
/// the logarithm of how deep scopes are nested.
class relay_scopes {
public:
    static constexpr scope_id nowhere = 0xFFFF'FFFFu;

    explicit relay_scopes(const ir_module& m)
        : m_(m),
          home_(m.size(), nowhere),
          first_(m.size(), nowhere),
          binder_(m.size(), nowhere),
          definition_(m.size(), no_definition),
          uses_(m.size(), 0) {
        for (std::uint32_t i = 0; i < m.functions().size(); ++i) {
            home_[m.functions()[i]] = 0;
            definition_[m.functions()[i]] = i;
        }
        for (auto n = static_cast<node_id>(m.size()); n-- > 0;)
            if (home_[n] != nowhere) uses_of(n);
    }

    /// The innermost scope that holds all uses of a node; `nowhere` where no function of the module needs it. To be bound is no use.
    [[nodiscard]] scope_id home(node_id n) const { return home_[n]; }
    /// By how many operands of other nodes it is used.
    [[nodiscard]] std::uint32_t uses(node_id n) const { return uses_[n]; }
    /// The first of the scopes that a node has, one behind the other.
    [[nodiscard]] scope_id first(node_id n) const { return first_[n]; }
    /// The scope in which a variable may be used; `nowhere` where nothing binds it.
    [[nodiscard]] scope_id binder(node_id variable) const { return binder_[variable]; }
    /// Whether a variable is used outside of the scope that it is bound for.
    [[nodiscard]] bool escapes(node_id variable) const {
        return home_[variable] != nowhere && (binder_[variable] == nowhere || !is_inside(home_[variable], binder_[variable]));
    }
    /// Of a let: whether the value reads the variable.
    [[nodiscard]] bool is_recursive(node_id let) const {
        const scope_id used = home_[m_.operand(let, 0)];
        return used != nowhere && !is_inside(used, first_[let] + 1);
    }
    /// Of a node that no scope but the file holds: the first of the module's functions that needs it.
    [[nodiscard]] std::uint32_t definition(node_id n) const { return definition_[n]; }

    /// The number of scopes; what stands in another has a higher number.
    [[nodiscard]] std::size_t size() const { return tree_.size(); }
    [[nodiscard]] scope_id parent(scope_id s) const { return tree_.parent(s); }
    [[nodiscard]] bool is_inside(scope_id inner, scope_id outer) const { return tree_.is_inside(inner, outer); }

    /// How many scopes a node has.
    [[nodiscard]] std::size_t scopes_of(node_id n) const {
        if (first_[n] == nowhere) return 0;
        if (m_.kind(n) != node_kind::match) return m_.kind(n) == node_kind::function ? 1 : 2;
        std::size_t count = 0;
        each_clause(m_, n, [&](std::size_t, std::size_t, std::size_t) { ++count; });
        return count;
    }
    /// Calls `f(operand, scope)` for each operand that a node uses, with the scope that it does so in. Variables that it binds are none.
    template <class F>
    void each_use(node_id n, F&& f) const {
        const auto operands = m_.operands(n);
        switch (m_.kind(n)) {
            case node_kind::function:
                if (!has_no_body(m_, n)) f(operands.back(), first_[n]);
                return;
            case node_kind::if_else:
                f(operands[0], home_[n]);
                f(operands[1], first_[n]);
                f(operands[2], first_[n] + 1);
                return;
            case node_kind::let:
                f(operands[1], first_[n]);
                f(operands[2], first_[n] + 1);
                return;
            case node_kind::match:
                f(operands[0], home_[n]);
                each_clause(m_, n, [&](std::size_t c, std::size_t, std::size_t result) {
                    f(operands[result], static_cast<scope_id>(first_[n] + c));
                });
                return;
            default:
                for (const node_id o : operands) f(o, home_[n]);
        }
    }

private:
    static constexpr std::uint32_t no_definition = 0xFFFF'FFFFu;

    scope_id make(scope_id parent, std::uint32_t definition) {
        definition_of_.push_back(definition);
        return tree_.add(parent);
    }

    void uses_of(node_id n) {
        const scope_id own = home_[n];
        const std::uint32_t definition = own == 0 ? definition_[n] : definition_of_[own];
        switch (m_.kind(n)) {
            case node_kind::function:
                first_[n] = make(own, definition);
                for (const node_id p : m_.parameters(n)) binder_[p] = first_[n];
                // What stands for the buffer of a function that is declared alone is its own.
                if (has_no_body(m_, n)) binder_[m_.result(n)] = first_[n];
                break;
            case node_kind::if_else:
                first_[n] = make(own, definition);
                make(own, definition);
                break;
            case node_kind::let:
                first_[n] = make(own, definition);
                make(first_[n], definition);
                binder_[m_.operand(n, 0)] = first_[n];
                break;
            case node_kind::match:
                first_[n] = static_cast<scope_id>(tree_.size());
                each_clause(m_, n, [&](std::size_t, std::size_t begin, std::size_t result) {
                    const scope_id clause = make(own, definition);
                    for (std::size_t i = begin; i < result; ++i) binder_[m_.operand(n, i)] = clause;
                });
                break;
            default:
                break;
        }
        each_use(n, [&](node_id o, scope_id s) {
            ++uses_[o];
            home_[o] = home_[o] == nowhere || home_[o] == s ? s : tree_.meeting(home_[o], s);
            definition_[o] = std::min(definition_[o], definition);
        });
    }
    const ir_module& m_;
    ancestor_tree tree_;
    std::vector<std::uint32_t> definition_of_{no_definition};  // by scope: the first function that needs it
    std::vector<scope_id> home_, first_, binder_;              // by node
    std::vector<std::uint32_t> definition_, uses_;             // by node
};

}  // namespace inlay

#endif
