// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_COMPARE_PROGRAMS_IPP
#define INLAY_IR_COMPARE_PROGRAMS_IPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/ir/compare_programs.hpp>

#include <inlay/core/id.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

namespace detail {

/// Types of two programs, whose type variables may have other names.
class type_comparison {
public:
    /// From here to `leave` these variables of the one stand for those of the other. Precondition: equally many.
    void enter(const std::vector<std::string>& a, const std::vector<std::string>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) variables_.emplace_back(a[i], b[i]);
    }
    void leave(std::size_t count) { variables_.resize(variables_.size() - count); }

    /// Whether both may be one type; what one of them leaves open may be anything.
    [[nodiscard]] bool agree(const node_type& a, const node_type& b) {
        using form = node_type::form;
        if (a.kind == form::unknown || b.kind == form::unknown) return true;
        if (a.kind != b.kind) return false;
        if (a.kind == form::tensor) return agree(a.of_tensor, b.of_tensor);
        if (a.kind == form::variable) return agree(a.name, b.name);
        if (a.name != b.name || a.fields.size() != b.fields.size() || a.variables.size() != b.variables.size()) return false;
        enter(a.variables, b.variables);
        bool all = true;
        for (std::size_t i = 0; i < a.fields.size() && all; ++i) all = agree(a.fields[i], b.fields[i]);
        leave(a.variables.size());
        return all;
    }

private:
    [[nodiscard]] static bool agree(const tensor_type& a, const tensor_type& b) {
        if (a.element != b.element && a.element != element_type::none && b.element != element_type::none) return false;
        return !a.ranked || !b.ranked || a.extents == b.extents;
    }
    [[nodiscard]] bool agree(const std::string& a, const std::string& b) const {
        for (std::size_t i = variables_.size(); i-- > 0;)
            if (variables_[i].first == a || variables_[i].second == b) return variables_[i].first == a && variables_[i].second == b;
        return a == b;
    }

    std::vector<std::pair<std::string, std::string>> variables_;  // that are in scope, the innermost last
};

[[nodiscard]] inline bool same_attribute(const attribute_value& a, const attribute_value& b) {
    const auto is_empty_list = [](const attribute_value& v) {
        return std::visit(
            [](const auto& held) {
                if constexpr (requires { held.front(); } && !std::is_same_v<std::decay_t<decltype(held)>, std::string>)
                    return held.empty();
                else
                    return false;
            },
            v);
    };
    if (is_empty_list(a) && is_empty_list(b)) return true;
    if (a.index() != b.index()) return false;
    if (const auto* number = std::get_if<double>(&a)) {
        const double other = std::get<double>(b);
        return *number == other || (std::isnan(*number) && std::isnan(other));
    }
    if (const auto* value = std::get_if<tensor>(&a)) return value->content() == std::get<tensor>(b).content();
    if (const auto* value = std::get_if<std::int64_t>(&a)) return *value == std::get<std::int64_t>(b);
    if (const auto* value = std::get_if<std::string>(&a)) return *value == std::get<std::string>(b);
    if (const auto* value = std::get_if<std::vector<std::int64_t>>(&a)) return *value == std::get<std::vector<std::int64_t>>(b);
    if (const auto* value = std::get_if<std::vector<double>>(&a)) return *value == std::get<std::vector<double>>(b);
    return std::get<std::vector<std::string>>(a) == std::get<std::vector<std::string>>(b);
}

/// For people: `3`, `"nearest"`, `[1, 2]`.
[[nodiscard]] inline std::string attribute_text(const attribute_value* value) {
    if (value == nullptr) return "left out";
    const auto one = [](const auto& v) -> std::string {
        using type = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<type, std::string>)
            return quoted_text(v, 80);
        else if constexpr (std::is_same_v<type, tensor>)
            return "a tensor of type " + to_string(v.type());
        else
            return std::to_string(v);
    };
    return std::visit(
        [&](const auto& v) {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string> || !requires { v.front(); }) {
                return one(v);
            } else {
                std::string text = "[";
                for (std::size_t i = 0; i < v.size() && i < 16; ++i) text += (i == 0 ? "" : ", ") + one(v[i]);
                return text + (v.size() > 16 ? ", ...]" : "]");
            }
        },
        *value);
}

/// A place with all that counts of its target, its host among it.
[[nodiscard]] inline std::string whole_place_text(const placement& p) {
    if (p.target.empty()) return to_string(p);
    placement bare = p;
    bare.target.clear();
    return to_string(bare) + " target='" + target_text(p.target.front()) + "'";
}

/// Walks both programs at once, from the result of each function to its parameters, and notes which node of the one stands for which of the
/// other.
class program_comparison {
public:
    program_comparison(const ir_module& a, const ir_module& b, const compare_options& options)
        : a_(a), b_(b), options_(options), of_a_(a.size(), no_node), of_b_(b.size(), no_node) {}

    std::optional<std::string> run() {
        if (auto wrong = data_types()) return wrong;
        std::unordered_map<std::string_view, node_id> named;
        for (const node_id f : b_.functions()) named.emplace(name_of(b_, f), f);
        for (const node_id f : a_.functions()) {
            const auto at = named.find(name_of(a_, f));
            if (at == named.end()) return lacks("function @" + std::string(name_of(a_, f)), "first", "second");
            pairs_.emplace_back(f, at->second);
            named.erase(at);
        }
        for (const node_id f : b_.functions())
            if (named.contains(name_of(b_, f))) return lacks("function @" + std::string(name_of(b_, f)), "second", "first");
        for (const auto& [f, g] : pairs_) {
            function_ = name_of(a_, f);
            if (auto wrong = walk(f, g)) return wrong;
        }
        return std::nullopt;
    }

private:
    using found = std::optional<std::string>;

    struct step {
        node_id a, b;
        std::uint32_t next;
        std::uint32_t variables;  // of the type of a function, which are in scope
    };

    [[nodiscard]] static std::string_view name_of(const ir_module& m, node_id f) {
        return m.symbol(f).empty() ? std::string_view("main") : m.symbol(f);
    }
    [[nodiscard]] static std::string lacks(const std::string& what, const char* has, const char* other) {
        return std::string("the ") + has + " program has the " + what + ", and the " + other + " has not";
    }

    found data_types() {
        std::unordered_map<std::string_view, const data_type*> named;
        for (const data_type& t : b_.data_types()) named.emplace(t.name, &t);
        for (const data_type& t : a_.data_types()) {
            const auto at = named.find(t.name);
            if (at == named.end()) return lacks("data type " + quoted_text(t.name), "first", "second");
            if (auto wrong = data_types(t, *at->second)) return wrong;
            named.erase(at);
        }
        for (const data_type& t : b_.data_types())
            if (named.contains(t.name)) return lacks("data type " + quoted_text(t.name), "second", "first");
        return std::nullopt;
    }
    found data_types(const data_type& a, const data_type& b) {
        const std::string name = "the data type " + quoted_text(a.name);
        const auto counts = [&](const std::string& what, std::size_t of_a, std::size_t of_b) {
            return name + " has " + std::to_string(of_a) + " " + what + " in the first program and " + std::to_string(of_b) +
                   " in the second";
        };
        if (a.external != b.external)
            return name + " is " + (a.external ? "external" : "defined") + " in the first program and " +
                   (b.external ? "external" : "defined") + " in the second";
        if (a.variables.size() != b.variables.size()) return counts("type variables", a.variables.size(), b.variables.size());
        if (a.constructors.size() != b.constructors.size()) return counts("constructors", a.constructors.size(), b.constructors.size());
        types_.enter(a.variables, b.variables);
        for (std::size_t i = 0; i < a.constructors.size(); ++i) {
            const auto &c = a.constructors[i], &d = b.constructors[i];
            const std::string which = "constructor " + std::to_string(i) + " of " + name;
            if (c.name != d.name)
                return which + " is " + quoted_text(c.name) + " in the first program and " + quoted_text(d.name) + " in the second";
            if (c.fields.size() != d.fields.size())
                return "the constructor " + quoted_text(c.name) + " has " + std::to_string(c.fields.size()) +
                       " fields in the first program and " + std::to_string(d.fields.size()) + " in the second";
            for (std::size_t k = 0; k < c.fields.size(); ++k)
                if (!types_.agree(c.fields[k], d.fields[k]))
                    return "field " + std::to_string(k) + " of the constructor " + quoted_text(c.name) + " is of type " +
                           to_string(c.fields[k]) + " in the first program and " + to_string(d.fields[k]) + " in the second";
        }
        types_.leave(a.variables.size());
        return std::nullopt;
    }

    // What is said of a difference.

    [[nodiscard]] static std::string described(const ir_module& m, node_id n) {
        const auto operands = [&](std::size_t count, const char* what) {
            return " of " + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
        };
        switch (m.kind(n)) {
            case node_kind::input:
                return "variable " + quoted_text(m.name(n), 80);
            case node_kind::constant:
                return "constant of type " + to_string(m.constant(n)->type());
            case node_kind::call:
                return "call of " + quoted_text(m.op(n), 80);
            case node_kind::tuple:
                return "tuple" + operands(m.arity(n), "field");
            case node_kind::projection:
                return "projection of field " + std::to_string(m.field(n));
            case node_kind::function:
                return "function" + operands(m.arity(n) - 1, "parameter");
            case node_kind::apply:
                return "call of a function";
            case node_kind::let:
                return "let";
            case node_kind::if_else:
                return "branch";
            case node_kind::match:
                return "match";
            case node_kind::construct:
                return "value made by " + quoted_text(m.symbol(n), 80);
            case node_kind::make_ref:
                return "new reference";
            case node_kind::read_ref:
                return "read of a reference";
            case node_kind::write_ref:
                return "write to a reference";
            case node_kind::global:
                return "global @" + std::string(m.symbol(n));
        }
        return "node";
    }
    [[nodiscard]] std::string sentence(node_id a, node_id b, const std::string& what) const {
        std::string text = "in @" + std::string(function_) + ", " + what;
        const source_position p = a_.position(a), q = b_.position(b);
        const auto at = [](const source_position& s) { return std::to_string(s.line) + ":" + std::to_string(s.column); };
        if (p.is_known()) text += ", at " + at(p) + " of the first program";
        if (q.is_known()) text += (p.is_known() ? " and " : ", at ") + at(q) + " of the second";
        return text;
    }
    [[nodiscard]] std::string others(node_id a, node_id b) const {
        return sentence(a, b, "the first program has a " + described(a_, a) + " where the second has a " + described(b_, b));
    }
    [[nodiscard]] std::string differs(node_id a, node_id b, const std::string& what, const std::string& of_a,
                                      const std::string& of_b) const {
        return sentence(a, b, what + " the " + described(a_, a) + " is " + of_a + " in the first program and " + of_b + " in the second");
    }

    // The walk.

    found walk(node_id f, node_id g) {
        if (auto wrong = meet(f, g)) return wrong;
        while (!steps_.empty()) {
            step& top = steps_.back();
            const node_id a = top.a, b = top.b;
            if (top.next < a_.arity(a)) {
                const std::uint32_t i = top.next++;
                if (auto wrong = meet(a_.operand(a, i), b_.operand(b, i))) return wrong;
                continue;
            }
            if (auto wrong = facts(a, b)) return wrong;
            types_.leave(steps_.back().variables);
            steps_.pop_back();
        }
        return std::nullopt;
    }

    /// Nodes a and b stand in the same place. What they are is compared now; what follows from their operands when those are done.
    found meet(node_id a, node_id b) {
        const node_kind kind = a_.kind(a);
        if (kind != b_.kind(b)) return others(a, b);
        if (kind == node_kind::constant) return constants(a, b);
        if (kind == node_kind::global) return a_.symbol(a) == b_.symbol(b) ? std::nullopt : found(others(a, b));
        if (of_a_[a] == b && of_b_[b] == a) return std::nullopt;
        if (of_a_[a] != no_node || of_b_[b] != no_node) return shared_otherwise(a, b);
        if (a_.arity(a) != b_.arity(b)) {
            if (kind != node_kind::call && kind != node_kind::construct && kind != node_kind::apply && kind != node_kind::match)
                return others(a, b);
            return sentence(a, b,
                            "the " + described(a_, a) + " has " + std::to_string(a_.arity(a)) + " operands in the first program and " +
                                std::to_string(b_.arity(b)) + " in the second");
        }
        if (kind == node_kind::call ? a_.op(a) != b_.op(b) : kind == node_kind::construct && a_.symbol(a) != b_.symbol(b))
            return others(a, b);
        if (kind == node_kind::projection && a_.field(a) != b_.field(b)) return others(a, b);
        std::uint32_t variables = 0;
        if (kind == node_kind::function) {
            const auto &of_a = a_.type(a).variables, &of_b = b_.type(b).variables;
            if (of_a.size() == of_b.size()) {
                types_.enter(of_a, of_b);
                variables = static_cast<std::uint32_t>(of_a.size());
            }
        }
        of_a_[a] = b;
        of_b_[b] = a;
        steps_.push_back({a, b, 0, variables});
        return std::nullopt;
    }
    [[nodiscard]] std::string shared_otherwise(node_id a, node_id b) const {
        if (a_.kind(a) == node_kind::input) return others(a, b);
        const bool in_first = of_a_[a] != no_node;
        if (in_first && of_b_[b] != no_node)
            return sentence(a, b, "the programs use different ones of several values, a " + described(a_, a) + " each");
        return sentence(a, b,
                        std::string("the ") + (in_first ? "first" : "second") + " program uses one value, a " + described(a_, a) +
                            ", a second time where the " + (in_first ? "second" : "first") + " has another that is alike");
    }
    found constants(node_id a, node_id b) const {
        const tensor &t = *a_.constant(a), &u = *b_.constant(b);
        if (t.element() != u.element() || t.extents() != u.extents()) return others(a, b);
        if (t.bytes() == 0) return std::nullopt;
        const auto *of_t = t.data(), *of_u = u.data();
        if (of_t == of_u || std::memcmp(of_t, of_u, t.bytes()) == 0) return std::nullopt;
        const std::size_t width = size_of(t.element());
        std::size_t i = 0;
        while (std::memcmp(of_t + i * width, of_u + i * width, width) == 0) ++i;
        return sentence(
            a, b, "element " + std::to_string(i) + " of the " + described(a_, a) + " differs between the first program and the second");
    }

    /// What nodes of one kind differ in, beside operands.
    found facts(node_id a, node_id b) {
        if (auto wrong = attributes(a, b)) return wrong;
        if (!types_.agree(a_.type(a), b_.type(b)))
            return sentence(a, b,
                            "the " + described(a_, a) + " is of type " + to_string(a_.type(a)) + " in the first program and " +
                                to_string(b_.type(b)) + " in the second");
        switch (a_.kind(a)) {
            case node_kind::call:
                return places_of_call(a, b);
            case node_kind::function:
                for (std::size_t i = 0; i + 1 < a_.arity(a); ++i) {
                    const node_id p = a_.operand(a, i), q = b_.operand(b, i);
                    if (a_.where(p) != b_.where(q)) return places(p, q, "the place of", a_.where(p), b_.where(q));
                }
                if (!a_.where(a).is_free() && !b_.where(b).is_free() && a_.where(a) != b_.where(b))
                    return places(a, b, "the place of the result of", a_.where(a), b_.where(b));
                return std::nullopt;
            default:
                return std::nullopt;
        }
    }
    found places_of_call(node_id a, node_id b) const {
        const std::string_view op = a_.op(a);
        if (op == "device_copy" && a_.copied_from(a) != b_.copied_from(b))
            return places(a, b, "the source of", a_.copied_from(a), b_.copied_from(b));
        const bool names_it = op == "device_copy" || op == "on_device" || op.starts_with("memory.");
        if (!names_it && (a_.where(a).is_free() || b_.where(b).is_free())) return std::nullopt;
        if (a_.where(a) == b_.where(b)) return std::nullopt;
        return places(a, b, op == "device_copy" ? "the destination of" : "the place of", a_.where(a), b_.where(b));
    }
    [[nodiscard]] std::string places(node_id a, node_id b, const std::string& what, const placement& p, const placement& q) const {
        return differs(a, b, what, whole_place_text(p), whole_place_text(q));
    }

    [[nodiscard]] std::optional<attribute_value> default_of(node_id n, std::string_view name) const {
        if (a_.kind(n) == node_kind::match && name == "complete") return attribute_value(std::int64_t{1});
        if (a_.kind(n) != node_kind::call) return std::nullopt;
        if (a_.op(n) == "on_device" && name == "constrain_result") return attribute_value(std::int64_t{0});
        if (a_.op(n) == "on_device" && name == "constrain_body") return attribute_value(std::int64_t{1});
        return options_.default_of == nullptr ? std::nullopt : options_.default_of(a_.op(n), name);
    }
    found attributes(node_id a, node_id b) const {
        const attribute_map &of_a = a_.attributes(a), &of_b = b_.attributes(b);
        // Both are in the order of names.
        const auto *i = of_a.begin(), *j = of_b.begin();
        while (i != of_a.end() || j != of_b.end()) {
            const bool in_a = j == of_b.end() || (i != of_a.end() && i->first <= j->first);
            const bool in_b = i == of_a.end() || (j != of_b.end() && j->first <= i->first);
            const std::string& name = in_a ? i->first : j->first;
            const auto otherwise = in_a && in_b ? std::nullopt : default_of(a, name);
            const attribute_value* left_out = otherwise ? &*otherwise : nullptr;
            const attribute_value *v = in_a ? &i->second : left_out, *w = in_b ? &j->second : left_out;
            if (v == nullptr || w == nullptr || !same_attribute(*v, *w))
                return differs(a, b, "attribute " + quoted_text(name, 80) + " of", attribute_text(v), attribute_text(w));
            i += in_a ? 1 : 0;
            j += in_b ? 1 : 0;
        }
        return std::nullopt;
    }

    const ir_module &a_, &b_;
    compare_options options_;
    std::vector<node_id> of_a_, of_b_;  // what stands for a node in the other program
    std::vector<std::pair<node_id, node_id>> pairs_;
    std::vector<step> steps_;
    type_comparison types_;
    std::string_view function_;
};

}  // namespace detail

std::optional<std::string> compare_programs(const ir_module& first, const ir_module& second, const compare_options& options) {
    return detail::program_comparison(first, second, options).run();
}

}  // namespace inlay

#endif
