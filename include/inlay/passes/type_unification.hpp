// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_TYPE_UNIFICATION_HPP
#define INLAY_PASSES_TYPE_UNIFICATION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/each_clause.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/match_pattern.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/passes/type_terms.hpp>

namespace inlay::detail {

/// Whether types of a module do not follow from those before them alone: it binds, applies, matches, or makes values of data types.
[[nodiscard]] inline bool needs_unification(const ir_module& m) {
    for (node_id n = 0; n < m.size(); ++n) switch (m.kind(n)) {
            case node_kind::apply:
            case node_kind::let:
            case node_kind::match:
            case node_kind::construct:
            case node_kind::make_ref:
            case node_kind::read_ref:
            case node_kind::write_ref:
            case node_kind::global:
                return true;
            default:
                break;
        }
    return false;
}

/// Finds the types of a program of the whole functional language: each node says once which types are equal, and operators, whose rules
/// need their operands' types, are asked as soon as these are known.
class type_unification {
public:
    type_unification(const ir_module& m, op_finder find) : m_(m), find_(find), outputs_(call_outputs(m)), term_(m.size()) {
        for (const data_type& d : m.data_types())
            for (const data_type::constructor& c : d.constructors) constructors_.emplace(c.name, std::pair{&d, &c});
        for (const node_id f : m.functions()) functions_.emplace(m.symbol(f), f);
        value_of_.assign(m.size(), no_node);
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::let) value_of_[m.operand(n, 0)] = m.operand(n, 1);
    }

    /// The error names the node and what does not fit.
    [[nodiscard]] std::optional<error> run() {
        for (node_id n = 0; n < m_.size(); ++n) term_[n] = terms_.variable();
        // Variables first, so that what is wrong is told where they are used.
        for (node_id n = 0; n < m_.size(); ++n)
            if (m_.kind(n) == node_kind::let) static_cast<void>(terms_.unify(of(n, 0), of(n, 1)));
        std::vector<node_id> waiting;
        for (node_id n = 0; n < m_.size(); ++n) {
            auto done = relate(n);
            if (!done) return at_source(m_, n, done.failure());
            if (!*done) waiting.push_back(n);
        }
        // What waits for types of others is asked again as long as something becomes known.
        for (std::size_t before = terms_.changes() + 1; !waiting.empty() && before != terms_.changes();) {
            before = terms_.changes();
            std::vector<node_id> still;
            for (const node_id n : waiting) {
                auto done = relate_waiting(n);
                if (!done) return at_source(m_, n, done.failure());
                if (!*done) still.push_back(n);
            }
            if (still.size() != waiting.size()) --before;
            waiting = std::move(still);
        }
        return std::nullopt;
    }

    /// The type of node n as far as it was found. The error: it would hold itself.
    [[nodiscard]] outcome<node_type> type(node_id n) {
        auto t = terms_.resolved(term_[n]);
        if (!t) return at_source(m_, n, t.failure());
        if (m_.kind(n) == node_kind::function || m_.kind(n) == node_kind::global) t->variables = m_.type(n).variables;
        return t;
    }

private:
    [[nodiscard]] term_id of(node_id n, std::size_t operand) const { return term_[m_.operand(n, operand)]; }
    [[nodiscard]] std::string text(term_id t) {
        const auto known = terms_.resolved(t);
        return known ? to_string(*known) : std::string("a type that holds itself");
    }
    [[nodiscard]] outcome<bool> equal(term_id a, term_id b, std::string_view what) {
        if (terms_.unify(a, b)) return true;
        return error{std::string(what) + ": one is of type " + text(a) + " and the other of type " + text(b)};
    }
    /// What the source declared is what was found.
    [[nodiscard]] outcome<bool> declared(node_id n) {
        if (m_.type(n).kind == node_type::form::unknown) return true;
        return equal(terms_.of(m_.type(n)), term_[n], "its declared type does not fit what it is");
    }

    /// The function that a callee stands for where it is generic, or null: its variables are chosen anew at each use.
    [[nodiscard]] const node_type* generic(node_id callee) const {
        node_id f = callee;
        if (m_.kind(f) == node_kind::global) {
            const auto at = functions_.find(m_.symbol(f));
            if (at == functions_.end()) return nullptr;
            f = at->second;
        } else if (m_.kind(f) == node_kind::input && value_of_[f] != no_node) {
            f = value_of_[f];
        }
        return m_.kind(f) == node_kind::function && !m_.type(f).variables.empty() ? &m_.type(f) : nullptr;
    }
    [[nodiscard]] term_id instance(const node_type& type) {
        type_terms::substitution chosen;
        for (const std::string& v : type.variables) chosen.emplace(v, terms_.variable());
        return terms_.of(type, chosen);
    }

    /// Says what node n is; whether that is all.
    outcome<bool> relate(node_id n) {
        const node_kind kind = m_.kind(n);
        switch (kind) {
            case node_kind::input:
                return declared(n);
            case node_kind::constant:
                return equal(term_[n], terms_.tensor(m_.constant(n)->type()), "a constant");
            case node_kind::tuple: {
                std::vector<term_id> fields;
                for (std::size_t i = 0; i < m_.arity(n); ++i) fields.push_back(of(n, i));
                return equal(term_[n], terms_.tuple(std::move(fields)), "a tuple");
            }
            case node_kind::function:
                return function(n);
            case node_kind::let:
                if (auto bound = equal(of(n, 0), of(n, 1), "the variable and its value"); !bound) return bound;
                return equal(term_[n], of(n, 2), "a let and its body");
            case node_kind::make_ref:
                return equal(term_[n], terms_.reference(of(n, 0)), "a reference");
            case node_kind::read_ref:
                return equal(of(n, 0), terms_.reference(term_[n]), "what is read is no reference to this");
            case node_kind::write_ref:
                if (auto cell = equal(of(n, 0), terms_.reference(of(n, 1)), "what is written does not fit the reference"); !cell)
                    return cell;
                return equal(term_[n], terms_.tuple({}), "a write");
            case node_kind::construct:
                return construct(n);
            case node_kind::match:
                if (auto patterns = match_patterns(n); !patterns) return patterns;
                return relate_waiting(n);
            case node_kind::global: {
                const auto at = functions_.find(m_.symbol(n));
                if (at == functions_.end()) return error{"the program has no function @" + std::string(m_.symbol(n))};
                if (generic(n) != nullptr) return true;  // each call chooses for itself
                return equal(term_[n], term_[at->second], "a function and its name");
            }
            default:
                return relate_waiting(n);
        }
    }
    /// The same for what may have to wait.
    outcome<bool> relate_waiting(node_id n) {
        switch (m_.kind(n)) {
            case node_kind::call:
                return call(n);
            case node_kind::projection:
                return projection(n);
            case node_kind::apply:
                return apply(n);
            case node_kind::if_else:
                if (terms_.is_known(of(n, 0)) &&
                    (terms_.form(of(n, 0)) != node_type::form::tensor || terms_.tensor_of(of(n, 0)).element != element_type::boolean))
                    return error{"its condition is of type " + text(of(n, 0)) + ", where a bool was expected"};
                return one_of(n, {m_.operand(n, 1), m_.operand(n, 2)}, "its branches");
            case node_kind::match:
                return one_of(n, clauses(n), "its clauses");
            default:
                return true;
        }
    }

    /// A value that is one of several: what they have in common, once all are known or that cannot wait.
    outcome<bool> one_of(node_id n, const std::vector<node_id>& values, std::string_view what) {
        bool known = true;
        for (const node_id v : values) known = known && terms_.is_known(term_[v]);
        if (!known) {
            // A branch that calls the function around it is of the type of the others.
            for (const node_id v : values)
                if (!terms_.is_known(term_[v]) && terms_.is_known(term_[n]))
                    if (auto same = equal(term_[v], term_[n], what); !same) return same;
            for (const node_id v : values)
                if (terms_.is_known(term_[v]) && !terms_.is_known(term_[n]))
                    if (auto same = equal(term_[n], term_[v], what); !same) return same;
            return false;
        }
        std::optional<term_id> all;
        for (const node_id v : values) {
            const auto both = all ? terms_.joined(*all, term_[v]) : std::optional(term_[v]);
            if (!both)
                return error{std::string(what) + " give " + text(*all) + " and " + text(term_[v]) + ", which are not types of one value"};
            all = both;
        }
        if (!all) return true;
        return equal(term_[n], *all, what);
    }
    [[nodiscard]] std::vector<node_id> clauses(node_id n) const {
        std::vector<node_id> results;
        each_clause(m_, n, [&](std::size_t, std::size_t, std::size_t result) { results.push_back(m_.operand(n, result)); });
        return results;
    }

    outcome<bool> function(node_id n) {
        std::vector<term_id> fields;
        for (std::size_t i = 0; i < m_.arity(n); ++i) fields.push_back(of(n, i));
        const node_type& type = m_.type(n);
        if (type.is_function() && type.fields.size() == fields.size())
            if (auto result = equal(terms_.of(type.fields.back()), fields.back(), "the body does not fit the declared result"); !result)
                return result;
        return equal(term_[n], terms_.function(std::move(fields)), "a function");
    }

    outcome<bool> apply(node_id n) {
        const node_id callee = m_.operand(n, 0);
        std::vector<term_id> fields;
        for (std::size_t i = 1; i < m_.arity(n); ++i) fields.push_back(of(n, i));
        term_id f = term_[callee];
        if (const node_type* type = generic(callee)) f = instance(*type);
        if (terms_.is_known(f)) {
            if (terms_.form(f) != node_type::form::function)
                return error{"applies a value of type " + text(f) + ", where a function was expected"};
            const std::vector<term_id> wanted = terms_.fields(f);
            if (wanted.size() != m_.arity(n))
                return error{"gives " + std::to_string(m_.arity(n) - 1) + " arguments to a function of type " + text(f)};
            for (std::size_t i = 0; i + 1 < wanted.size(); ++i)
                if (!terms_.unify(wanted[i], fields[i]))
                    return error{"gives argument " + std::to_string(i) + " of type " + text(fields[i]) + " to a function of type " +
                                 text(f)};
            return equal(term_[n], wanted.back(), "a call and the function's result");
        }
        fields.push_back(term_[n]);
        return equal(f, terms_.function(std::move(fields)), "what is called");
    }

    outcome<bool> projection(node_id n) {
        const term_id t = of(n, 0);
        if (!terms_.is_known(t)) return false;
        if (terms_.form(t) == node_type::form::tensor && m_.field(n) == 0) return equal(term_[n], t, "a call of one output");
        if (terms_.form(t) != node_type::form::tuple)
            return error{"takes field " + std::to_string(m_.field(n)) + " of a value of type " + text(t) + ", where a tuple was expected"};
        if (m_.field(n) >= terms_.fields(t).size())
            return error{"takes field " + std::to_string(m_.field(n)) + " of a tuple of type " + text(t)};
        return equal(term_[n], terms_.fields(t)[m_.field(n)], "a tuple's field");
    }

    outcome<bool> call(node_id n) {
        const std::string_view op = m_.op(n);
        if ((op == "on_device" || op == "device_copy") && m_.arity(n) == 1) return equal(term_[n], of(n, 0), "an annotation and its value");
        if (op == "call_lowered" && m_.arity(n) == 2 && m_.kind(m_.operand(n, 1)) == node_kind::tuple) {
            std::vector<term_id> fields;
            for (const node_id a : m_.operands(m_.operand(n, 1))) fields.push_back(term_[a]);
            fields.push_back(term_[n]);
            return equal(of(n, 0), terms_.function(std::move(fields)), "what is called does not take these arguments");
        }
        const op_definition* definition = find_(op);
        if (definition == nullptr || definition->infer == nullptr) return declared(n);
        std::vector<node_type> types;
        for (std::size_t i = 0; i < m_.arity(n); ++i) {
            auto t = terms_.resolved(of(n, i));
            if (!t) return t.failure();
            if (!type_terms::is_whole(*t)) return false;
            types.push_back(*std::move(t));
        }
        std::vector<const node_type*> operands;
        std::vector<const tensor*> constants;
        for (std::size_t i = 0; i < types.size(); ++i) {
            operands.push_back(&types[i]);
            constants.push_back(m_.constant(m_.operand(n, i)));
        }
        auto made = definition->infer(call_view{op, &m_.attributes(n), operands, constants, outputs_[n]});
        if (!made) return made.failure();
        if (made->kind == node_type::form::unknown) return declared(n);
        return equal(term_[n], terms_.of(*made), "what it gives does not fit");
    }

    outcome<bool> construct(node_id n) {
        const auto at = constructors_.find(m_.symbol(n));
        if (at == constructors_.end()) return unknown_constructor(m_.symbol(n));
        const auto& [data, made] = at->second;
        if (made->fields.size() != m_.arity(n))
            return error{"gives " + std::to_string(m_.arity(n)) + " fields to " + made->name + ", which has " +
                         std::to_string(made->fields.size())};
        auto [whole, chosen] = fresh(*data);
        for (std::size_t i = 0; i < m_.arity(n); ++i)
            if (auto field = equal(terms_.of(made->fields[i], chosen), of(n, i),
                                   "field " + std::to_string(i) + " of " + made->name + " does not fit");
                !field)
                return field;
        return equal(term_[n], whole, "a value");
    }
    [[nodiscard]] std::pair<term_id, type_terms::substitution> fresh(const data_type& d) {
        type_terms::substitution chosen;
        std::vector<term_id> arguments;
        for (const std::string& v : d.variables) {
            arguments.push_back(terms_.variable());
            chosen.emplace(v, arguments.back());
        }
        return {terms_.data(d.name, std::move(arguments)), std::move(chosen)};
    }
    [[nodiscard]] error unknown_constructor(std::string_view name) const {
        std::vector<std::string> known;
        for (const auto& [c, types] : constructors_) known.emplace_back(c);
        return error{"no data type has the constructor " + quoted_text(name, 80) + name_hint(name, known)};
    }

    outcome<bool> match_patterns(node_id n) {
        outcome<bool> met = true;
        const bool fits = each_clause(m_, n, [&](std::size_t c, std::size_t first, std::size_t result) {
            if (met) met = clause_pattern(n, c, first, result);
        });
        if (!met) return met;
        if (!fits) return error{"has clauses of more variables than it has operands"};
        return true;
    }
    /// What a clause's pattern says of what is matched, and its variables, which stand from `first` to before `result`.
    outcome<bool> clause_pattern(node_id n, std::size_t clause, std::size_t first, std::size_t result) {
        const auto* texts = m_.attributes(n).get<std::vector<std::string>>("patterns");
        auto pattern = read_match_pattern(texts != nullptr && clause < texts->size() ? std::string_view((*texts)[clause]) : "_");
        if (!pattern) return pattern.failure();
        std::vector<term_id> wanted{of(n, 0)};
        std::size_t variable = first;
        for (const match_pattern::part& part : pattern->parts) {
            const term_id t = wanted.back();
            wanted.pop_back();
            std::vector<term_id> fields;
            switch (part.what) {
                case match_pattern::form::wildcard:
                    continue;
                case match_pattern::form::variable:
                    if (variable == result) return error{"has clauses of more variables than it has operands"};
                    if (auto bound = equal(of(n, variable++), t, "a variable of a clause does not fit what it is bound to"); !bound)
                        return bound;
                    continue;
                case match_pattern::form::tuple: {
                    for (std::size_t i = 0; i < part.fields; ++i) fields.push_back(terms_.variable());
                    if (auto same = equal(t, terms_.tuple(fields), "a clause takes a tuple apart that is none of this size"); !same)
                        return same;
                    break;
                }
                case match_pattern::form::constructor: {
                    const auto known = constructors_.find(part.name);
                    if (known == constructors_.end()) return unknown_constructor(part.name);
                    const auto& [data, made] = known->second;
                    if (made->fields.size() != part.fields)
                        return error{"a clause takes " + std::to_string(part.fields) + " fields of " + made->name + ", which has " +
                                     std::to_string(made->fields.size())};
                    auto [whole, chosen] = fresh(*data);
                    if (auto same = equal(t, whole, "a clause is for values of another type"); !same) return same;
                    for (const node_type& f : made->fields) fields.push_back(terms_.of(f, chosen));
                    break;
                }
            }
            wanted.insert(wanted.end(), fields.rbegin(), fields.rend());
        }
        return true;
    }

    const ir_module& m_;
    op_finder find_;
    std::vector<std::size_t> outputs_;
    type_terms terms_;
    std::vector<term_id> term_;
    std::vector<node_id> value_of_;  // of a let's variable
    std::unordered_map<std::string_view, node_id> functions_;
    std::unordered_map<std::string_view, std::pair<const data_type*, const data_type::constructor*>> constructors_;
};

}  // namespace inlay::detail

#endif
