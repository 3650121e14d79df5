// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_INFER_TYPES_IPP
#define INLAY_PASSES_INFER_TYPES_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/passes/infer_types.hpp>

#include <inlay/core/quoted_text.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/passes/rebuild.hpp>
#include <inlay/passes/type_size.hpp>
#include <inlay/passes/type_unification.hpp>

namespace inlay {

namespace detail {

/// Bindings in effect: checked against the program, with the symbols that shapes of inputs decide.
class bound_extents {
public:
    [[nodiscard]] static outcome<bound_extents> of(const ir_module& m, const type_bindings& given) {
        bound_extents b;
        for (const auto& [symbol, size] : given.symbols) {
            if (size < 0)
                return error{"the symbol " + quoted_text(symbol) + " is bound to " + std::to_string(size) +
                             ", and an extent is not negative"};
            if (const auto wrong = b.decide(symbol, size)) return error{*wrong};
        }
        for (const auto& [name, sizes] : given.inputs)
            if (const auto wrong = b.bind_input(m, name, sizes)) return error{*wrong};
        if (const auto wrong = b.check_used(m, given)) return error{*wrong};
        return b;
    }

    /// The type with bound symbols as numbers.
    [[nodiscard]] node_type applied(node_type type) const {
        for (extent& e : type.of_tensor.extents)
            if (const auto at = sizes_.find(e.symbol); !e.is_known() && at != sizes_.end()) e = extent(at->second);
        for (node_type& f : type.fields) f = applied(std::move(f));
        return type;
    }

    /// The shape given for an input, or null.
    [[nodiscard]] const shape* given(node_id input) const {
        const auto at = inputs_.find(input);
        return at == inputs_.end() ? nullptr : &at->second;
    }

    /// Whether a declared number was replaced, so that shapes declared inside the program are no longer to be trusted.
    [[nodiscard]] bool replaces() const { return replaces_; }

private:
    std::optional<std::string> decide(const std::string& symbol, std::int64_t size) {
        const auto [at, fresh] = sizes_.try_emplace(symbol, size);
        if (fresh || at->second == size) return std::nullopt;
        return "the symbol " + quoted_text(symbol) + " is bound to both " + std::to_string(at->second) + " and " + std::to_string(size);
    }

    std::optional<std::string> bind_input(const ir_module& m, const std::string& name, const std::vector<std::int64_t>& sizes) {
        for (const std::int64_t s : sizes)
            if (s < 0) return "the input " + quoted_text(name) + " is bound to a shape with the negative extent " + std::to_string(s);
        if (!m.functions().empty())
            for (const node_id i : m.inputs()) {
                if (m.name(i) != name) continue;
                const node_type& type = m.type(i);
                if (type.kind != node_type::form::unknown && !type.is_tensor())
                    return "the input " + quoted_text(name) + " is of type " + to_string(type) + " and cannot be given a shape";
                if (type.of_tensor.ranked) {
                    if (type.of_tensor.rank() != sizes.size())
                        return "the input " + quoted_text(name) + " of type " + to_string(type) + " is bound to a shape of rank " +
                               std::to_string(sizes.size());
                    for (std::size_t k = 0; k < sizes.size(); ++k) {
                        const extent& e = type.of_tensor.extents[k];
                        if (e.is_known()) replaces_ = replaces_ || e.size != sizes[k];
                        if (!e.is_known() && !e.symbol.empty())
                            if (auto wrong = decide(e.symbol, sizes[k])) return wrong;
                    }
                }
                inputs_[i] = shape(sizes.begin(), sizes.end());
                return std::nullopt;
            }
        return "a shape is given for the input " + quoted_text(name) + ", and the program has no input of that name";
    }

    static bool mentions(const node_type& type, const std::string& symbol) {
        for (const extent& e : type.of_tensor.extents)
            if (!e.is_known() && e.symbol == symbol) return true;
        for (const node_type& f : type.fields)
            if (mentions(f, symbol)) return true;
        return false;
    }

    static std::optional<std::string> check_used(const ir_module& m, const type_bindings& given) {
        for (const auto& [symbol, size] : given.symbols) {
            bool found = false;
            for (node_id n = 0; n < m.size() && !found; ++n) found = m.kind(n) == node_kind::input && mentions(m.type(n), symbol);
            if (!found) return "the symbol " + quoted_text(symbol) + " is bound, and no input's shape mentions it";
        }
        return std::nullopt;
    }

    std::map<std::string, std::int64_t> sizes_;
    std::map<node_id, shape> inputs_;
    bool replaces_ = false;
};

/// What both types say, where they say the same; nothing where they cannot be types of one value.
inline std::optional<node_type> joined(const node_type& a, const node_type& b) {
    if (a.kind == node_type::form::unknown || b.kind == node_type::form::unknown) return node_type();
    if (a.kind != b.kind || a.fields.size() != b.fields.size() || a.name != b.name) return std::nullopt;
    node_type both = a;
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        auto field = joined(a.fields[i], b.fields[i]);
        if (!field) return std::nullopt;
        both.fields[i] = std::move(*field);
    }
    tensor_type& t = both.of_tensor;
    const tensor_type& other = b.of_tensor;
    if (t.element != other.element) {
        if (t.element != element_type::none && other.element != element_type::none) return std::nullopt;
        t.element = element_type::none;
    }
    if (!t.ranked || !other.ranked || t.rank() != other.rank()) {
        t = tensor_type(t.element);
        return both;
    }
    for (std::size_t i = 0; i < t.rank(); ++i)
        if (t.extents[i] != other.extents[i]) t.extents[i] = extent();
    return both;
}

/// `found`, with what it leaves open taken from what was declared.
inline node_type completed(node_type found, const node_type& declared) {
    if (found.kind == node_type::form::unknown) return declared;
    if (found.kind != declared.kind || found.fields.size() != declared.fields.size()) return found;
    for (std::size_t i = 0; i < found.fields.size(); ++i) found.fields[i] = completed(std::move(found.fields[i]), declared.fields[i]);
    tensor_type& t = found.of_tensor;
    const tensor_type& other = declared.of_tensor;
    if (t.element == element_type::none) t.element = other.element;
    if (t.element != other.element || !other.ranked) return found;
    if (!t.ranked) t = other;
    if (t.rank() != other.rank()) return found;
    for (std::size_t i = 0; i < t.rank(); ++i)
        if (!t.extents[i].is_known() && (other.extents[i].is_known() || t.extents[i].symbol.empty())) t.extents[i] = other.extents[i];
    return found;
}

/// Types node after node, in ascending order.
class type_inference {
public:
    type_inference(const ir_module& m, bound_extents bound, op_finder find, bool complete)
        : m_(m),
          bound_(std::move(bound)),
          find_(find),
          complete_(complete),
          outputs_(call_outputs(m)),
          types_(m.size()),
          parts_(m.size(), 1),
          variable_of_(m.size(), no_node) {
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::let) variable_of_[m.operand(n, 1)] = m.operand(n, 0);
    }

    [[nodiscard]] const node_type& type(node_id n) const { return types_[n]; }
    [[nodiscard]] std::size_t outputs(node_id n) const { return outputs_[n]; }
    void set_type(node_id n, node_type t) { types_[n] = std::move(t); }

    /// The type of node n from its operands'; `constant(o)` gives the value of an operand where it is known, else null.
    template <class Constant>
    std::optional<error> visit(node_id n, Constant&& constant) {
        auto found = infer(n, constant);
        if (!found) return at_node(m_, n, found.failure());
        // What the source declared is asked only for what the rules leave open.
        const node_type declared = bound_.applied(m_.type(n));
        types_[n] = bound_.replaces() && found->kind != node_type::form::unknown && m_.kind(n) != node_kind::input
                        ? std::move(*found)
                        : completed(std::move(*found), declared);
        parts_[n] = types_[n].fields.empty() ? 1 : parts_of(types_[n]);
        if (auto fits = size_.add(parts_[n]); !fits) return at_node(m_, n, fits.failure());
        if (variable_of_[n] != no_node) types_[variable_of_[n]] = types_[n];
        if (complete_ && m_.kind(n) == node_kind::call && !types_[n].is_static())
            return at_node(m_, n,
                           error{"its type is known only as " + to_string(types_[n]) + "; bind the symbols, or give the inputs shapes"});
        return std::nullopt;
    }

private:
    template <class Constant>
    outcome<node_type> infer(node_id n, Constant&& constant) {
        const auto operand = [&](std::size_t i) -> const node_type& { return types_[m_.operand(n, i)]; };
        if (m_.kind(n) == node_kind::tuple || m_.kind(n) == node_kind::function) {
            std::size_t parts = 1;
            for (const node_id o : m_.operands(n)) parts += parts_[o];
            if (auto fits = type_size::check(parts); !fits) return fits.failure();
        }
        switch (m_.kind(n)) {
            case node_kind::input: {
                node_type type = bound_.applied(m_.type(n));
                if (const shape* given = bound_.given(n)) {
                    const element_type e = type.of_tensor.element;
                    type = node_type(tensor_type(e, *given));
                }
                return type;
            }
            case node_kind::constant:
                return node_type(m_.constant(n)->type());
            case node_kind::call:
                return call(n, constant);
            case node_kind::tuple: {
                std::vector<node_type> fields;
                for (std::size_t i = 0; i < m_.arity(n); ++i) fields.push_back(operand(i));
                return node_type::tuple(std::move(fields));
            }
            case node_kind::projection:
                if (operand(0).is_tuple() && m_.field(n) < operand(0).fields.size()) return operand(0).fields[m_.field(n)];
                if (operand(0).is_tuple())
                    return error{"takes field " + std::to_string(m_.field(n)) + " of a tuple of type " + to_string(operand(0))};
                return m_.field(n) == 0 && operand(0).is_tensor() ? operand(0) : node_type();
            case node_kind::function: {
                std::vector<node_type> parameters;
                for (std::size_t i = 0; i + 1 < m_.arity(n); ++i) parameters.push_back(operand(i));
                return node_type::function(std::move(parameters), operand(m_.arity(n) - 1));
            }
            case node_kind::apply:
                return apply(n);
            case node_kind::let:
                return operand(2);
            case node_kind::if_else: {
                auto both = joined(operand(1), operand(2));
                if (!both)
                    return error{"its branches give " + to_string(operand(1)) + " and " + to_string(operand(2)) +
                                 ", which are not types of one value"};
                return std::move(*both);
            }
            case node_kind::match:
                return match(n);
            case node_kind::make_ref:
                return node_type::reference(operand(0));
            case node_kind::read_ref:
                return operand(0).kind == node_type::form::reference ? operand(0).fields[0] : node_type();
            case node_kind::write_ref:
                return node_type::tuple({});
            case node_kind::construct:
                return node_type();
            case node_kind::global:
                for (const node_id f : m_.functions())
                    if (m_.symbol(f) == m_.symbol(n) && f < n) return types_[f];
                return node_type();
        }
        return node_type();
    }

    template <class Constant>
    outcome<node_type> call(node_id n, Constant&& constant) {
        const op_definition* definition = find_(m_.op(n));
        if (definition == nullptr || definition->infer == nullptr) {
            if (complete_) return error{"the operator " + quoted_text(m_.op(n)) + " is in no operator set that was given"};
            return node_type();
        }
        operand_types_.clear();
        constants_.clear();
        for (const node_id o : m_.operands(n)) {
            operand_types_.push_back(&types_[o]);
            constants_.push_back(constant(o));
        }
        return definition->infer(call_view{m_.op(n), &m_.attributes(n), operand_types_, constants_, outputs_[n]});
    }

    outcome<node_type> apply(node_id n) {
        const node_type& callee = types_[m_.operand(n, 0)];
        if (callee.kind != node_type::form::function) return node_type();
        if (callee.fields.size() != m_.arity(n))
            return error{"gives " + std::to_string(m_.arity(n) - 1) + " arguments to a function of type " + to_string(callee)};
        for (std::size_t i = 1; i < m_.arity(n); ++i)
            if (!joined(callee.fields[i - 1], types_[m_.operand(n, i)]))
                return error{"gives argument " + std::to_string(i - 1) + " of type " + to_string(types_[m_.operand(n, i)]) +
                             " to a function of type " + to_string(callee)};
        return callee.fields.back();
    }

    outcome<node_type> match(node_id n) {
        std::optional<node_type> all;
        std::size_t at = 1;
        for (const std::int64_t variables : m_.attributes(n).integers("clause_sizes")) {
            if (variables < 0 || static_cast<std::uint64_t>(variables) >= m_.arity(n) - at)
                return error{"has clauses of more variables than it has operands"};
            at += static_cast<std::size_t>(variables);
            const node_type& clause = types_[m_.operand(n, at++)];
            auto both = all ? joined(*all, clause) : clause;
            if (!both)
                return error{"its clauses give " + to_string(*all) + " and " + to_string(clause) + ", which are not types of one value"};
            all = std::move(both);
        }
        return all ? std::move(*all) : node_type();
    }

    const ir_module& m_;
    bound_extents bound_;
    op_finder find_;
    bool complete_;
    std::vector<std::size_t> outputs_;
    std::vector<node_type> types_;
    std::vector<std::size_t> parts_;  // of each type
    type_size size_;
    std::vector<node_id> variable_of_;
    std::vector<const node_type*> operand_types_;
    std::vector<const tensor*> constants_;
};

/// The types of a program that binds, applies and matches.
[[nodiscard]] inline bool is_input_of_main(const ir_module& m, node_id n) {
    const auto inputs = m.inputs();
    return m.kind(n) == node_kind::input && std::find(inputs.begin(), inputs.end(), n) != inputs.end();
}

inline outcome<ir_module> infer_by_unification(const ir_module& given, const infer_options& options, const bound_extents& bound,
                                               op_finder find) {
    std::optional<ir_module> rebuilt;
    if (!options.bindings.symbols.empty() || !options.bindings.inputs.empty())
        rebuilt = rebuild(given, [&](module_rebuilder& r, node_id n) {
            r.copy(n);
            const shape* extents = bound.given(n);
            if (extents != nullptr)
                r.builder().set_type(r.made(n), tensor_type(given.type(n).of_tensor.element, *extents));
            else if (bound.replaces() && given.kind(n) != node_kind::constant && !is_input_of_main(given, n))
                r.builder().set_type(r.made(n), {});  // it was declared for other shapes
            else if (given.kind(n) == node_kind::input)
                r.builder().set_type(r.made(n), bound.applied(given.type(n)));
        });
    const ir_module& m = rebuilt ? *rebuilt : given;
    type_unification types(m, find);
    if (auto wrong = types.run()) return std::move(*wrong);
    std::vector<node_type> found;
    type_size size;
    found.reserve(m.size());
    for (node_id n = 0; n < m.size(); ++n) {
        auto t = types.type(n);
        if (!t) return t.failure();
        if (auto fits = size.add(t->fields.empty() ? 1 : parts_of(*t)); !fits) return at_source(m, n, fits.failure());
        if (options.complete && m.kind(n) == node_kind::call && !t->is_static() && t->kind != node_type::form::data)
            return at_source(m, n, error{"its type is known only as " + to_string(*t) + "; bind the symbols, or give the inputs shapes"});
        found.push_back(*std::move(t));
    }
    return rebuild(m, [&](module_rebuilder& r, node_id n) { r.builder().set_type(r.copy(n), found[n]); });
}

outcome<ir_module> infer_types_by(const ir_module& m, const infer_options& options, op_finder find) {
    auto bound = bound_extents::of(m, options.bindings);
    if (!bound) return bound.failure();
    if (needs_unification(m)) return infer_by_unification(m, options, *bound, find);
    type_inference types(m, std::move(*bound), find, options.complete);
    for (node_id n = 0; n < m.size(); ++n)
        if (auto wrong = types.visit(n, [&](node_id o) { return m.constant(o); })) return std::move(*wrong);
    return rebuild(m, [&](module_rebuilder& r, node_id n) { r.builder().set_type(r.copy(n), types.type(n)); });
}

}  // namespace detail

}  // namespace inlay

#endif
