// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_TEXT_HPP
#define INLAY_IR_RELAY_TEXT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/match_pattern.hpp>
#include <inlay/ir/relay_lines.hpp>
#include <inlay/ir/relay_scopes.hpp>
#include <inlay/ir/relay_spelling.hpp>
#include <inlay/ir/relay_variables.hpp>

namespace inlay {

class target_schemas;

/// A module as Relay text, and what the text refers to by an index.
struct relay_print {
    std::string text;
    std::vector<tensor> constants;      // `meta[relay.Constant][i]`
    std::vector<placement> placements;  // `meta[VirtualDevice][i]`
};

namespace detail {

/// Prints one module. What is still to be written is a stack of tasks, so that nothing is nested too deep.
class relay_printer {
public:
    explicit relay_printer(const ir_module& m)
        : m_(m), lines_(m), scopes_(lines_.scopes()), variables_(m), number_(m.size(), no_number), constant_(m.size(), no_number) {}

    relay_print print() {
        made_.text = "#[version = \"0.0.5\"]\n";
        for (const data_type& type : m_.data_types()) write_relay_definition(text(), type);
        for (std::size_t i = 0; i < m_.functions().size(); ++i) {
            const node_id f = m_.functions()[i];
            const bool external = has_no_body(m_, f);
            write(external ? "extern def @" : "def @");
            write_relay_name(text(), global_name(f), true);
            head(f);
            write(external ? ";\n" : " {\n");
            if (!external) {
                then({{task::file_lines, 0, 1, static_cast<scope_id>(i)}, {task::block, m_.result(f), 0, scopes_.first(f)}, "}\n"});
                run();
            }
            variables_.leave_all();
        }
        return std::move(made_);
    }

private:
    /// Something that is still to be written.
    struct task {
        enum what : std::uint8_t {
            literal,     // `text`
            spaces,      // of that level
            value,       // of a node, where another reads it
            whole,       // the node itself
            operands,    // of a node, from `next` on
            field,       // the number of a projection's
            clauses,     // of a match: clause `scope`, whose operands begin at `next`
            block,       // the lines of a scope and its result, `node`; the level is that of what stands around
            lines,       // the same from line `next` on, and nothing behind them
            file_lines,  // what stands in no function, before the lines of the first function that needs it
            let,         // the lines of its value from `next` on, then the let
            end_line,
            leave  // names from `next` on are free again
        };
        what kind;
        std::uint32_t level = 0;
        node_id node = 0;
        scope_id scope = 0;
        std::size_t next = 0;
        const char* text = "";

        task(const char* t) : kind(literal), text(t) {}
        task(what k, node_id n, std::uint32_t l, scope_id s = 0, std::size_t at = 0) : kind(k), level(l), node(n), scope(s), next(at) {}
    };
    std::string& text() { return made_.text; }
    void write(std::string_view s) { text() += s; }
    void indent(std::uint32_t level) { text().append(std::size_t{2} * std::min<std::uint32_t>(level, 40), ' '); }
    void then(std::initializer_list<task> list) {
        for (const task* t = list.end(); t != list.begin();) todo_.push_back(*--t);
    }

    [[nodiscard]] std::string_view global_name(node_id f) const { return m_.symbol(f).empty() ? std::string_view("main") : m_.symbol(f); }

    void variable(std::string& out, node_id v) {
        out += '%';
        out += variables_.name(v);
    }
    /// A variable where it is bound.
    void declaration(std::string& out, node_id v) {
        out += '%';
        out += variables_.bind(v);
        if (m_.where_number(v) != 0) {
            out += " {";
            place(out, "virtual_device", m_.where(v));
            out += '}';
        }
        if (is_open_in_relay(m_.type(v))) return;
        out += ": ";
        write_relay_type(out, m_.type(v));
    }

    // Attributes.

    void place(std::string& out, std::string_view name, const placement& there) {
        const auto [known, fresh] = placements_.try_emplace(&there, made_.placements.size());
        if (fresh) made_.placements.push_back(there);
        out += name;
        out += "=meta[VirtualDevice][";
        write_relay_number(out, known->second);
        out += ']';
    }
    [[nodiscard]] std::size_t meta_index(const tensor& t) {
        const digest content = t.content();
        const auto [known, fresh] = tensors_.try_emplace({content.low, content.high}, made_.constants.size());
        if (fresh) made_.constants.push_back(t);
        return known->second;
    }
    /// The attributes of a node; `before` stands before the first and a comma before the others.
    void attributes(node_id n, const char* before) {
        const auto separate = [&] {
            write(before);
            before = ", ";
        };
        const auto placed = [&](std::string_view name, const placement& there) {
            if (there.is_free()) return;
            separate();
            place(text(), name, there);
        };
        const bool is_call = m_.kind(n) == node_kind::call, is_function = m_.kind(n) == node_kind::function;
        if (is_call && m_.op(n) == "device_copy") {
            placed("src_virtual_device", m_.copied_from(n));
            placed("dst_virtual_device", m_.where(n));
        } else if (is_call) {
            placed("virtual_device", m_.where(n));
        }
        for (const auto& [name, value] : m_.attributes(n)) {
            if (is_function && name == "extern") continue;
            separate();
            write_relay_name(text(), name, true);
            write("=");
            const auto* integer = std::get_if<std::int64_t>(&value);
            if (is_call && integer != nullptr && (name == "constrain_result" || name == "constrain_body")) {
                write(*integer != 0 ? "True" : "False");
                continue;
            }
            const bool pairs = is_call && (name == "pad_width" || name == "paddings" || name == "crops") && !m_.op(n).starts_with("onnx.");
            write_relay_attribute(text(), value, pairs, [&](const tensor& t) { return meta_index(t); });
        }
        if (is_function) placed("virtual_device", m_.where(n));
    }

    // Definitions.

    /// What stands before a function's body.
    void head(node_id f) {
        const node_type& type = m_.type(f);
        for (std::size_t i = 0; i < type.variables.size(); ++i) {
            write(i == 0 ? "[" : ", ");
            write(type.variables[i]);
        }
        write(type.variables.empty() ? "(" : "](");
        const char* before = "";
        for (const node_id p : m_.parameters(f)) {
            write(before);
            declaration(text(), p);
            before = ", ";
        }
        attributes(f, before);
        write(")");
        const node_type& result = type.kind == node_type::form::function ? type.fields.back() : m_.type(m_.result(f));
        if (is_open_in_relay(result)) return;
        write(" -> ");
        write_relay_type(text(), result);
    }

    // Values.

    void run() {
        while (!todo_.empty()) {
            const task t = todo_.back();
            todo_.pop_back();
            switch (t.kind) {
                case task::literal:
                    write(t.text);
                    break;
                case task::spaces:
                    indent(t.level);
                    break;
                case task::value:
                    value(t.node, t.level);
                    break;
                case task::whole:
                    whole(t.node, t.level);
                    break;
                case task::operands:
                    operands(t);
                    break;
                case task::field:
                    write(".");
                    write_relay_number(text(), m_.field(t.node));
                    break;
                case task::clauses:
                    clauses(t);
                    break;
                case task::block:
                    then({{task::lines, t.node, t.level + 1, t.scope},
                          {task::leave, 0, 0, 0, variables_.count()},
                          {task::spaces, 0, t.level}});
                    break;
                case task::lines:
                    lines(t);
                    break;
                case task::file_lines:
                    if (t.next < lines_.before(t.scope).size())
                        line(lines_.before(t.scope)[t.next], {task::file_lines, t.node, t.level, t.scope, t.next + 1});
                    break;
                case task::let:
                    let(t);
                    break;
                case task::end_line:
                    write(";\n");
                    ++next_number_;
                    break;
                case task::leave:
                    variables_.leave(t.next);
                    break;
            }
        }
    }

    void value(node_id n, std::uint32_t level) {
        if (!lines_.has_line(n)) return whole(n, level);
        write("%");
        write_relay_number(text(), number_[n]);
    }

    void whole(node_id n, std::uint32_t level) {
        const auto with_operands = [&](std::string_view before, const char* behind) {
            write(before);
            then({{task::operands, n, level}, behind});
        };
        switch (m_.kind(n)) {
            case node_kind::input:
                return variable(text(), n);
            case node_kind::global:
                write("@");
                return write_relay_name(text(), m_.symbol(n), true);
            case node_kind::constant:
                return constant(n);
            case node_kind::function:
                if (lines_.is_declared(n)) {
                    write("@");
                    return write_relay_name(text(), global_name(n), true);
                }
                write("fn ");
                return function(n, level);
            case node_kind::call:
                write(m_.op(n));
                return with_operands("(", ")");
            case node_kind::construct:
                write(m_.symbol(n));
                return m_.arity(n) == 0 ? void() : with_operands("(", ")");
            case node_kind::tuple:
                return with_operands("(", m_.arity(n) == 1 ? ",)" : ")");
            case node_kind::make_ref:
                return with_operands("ref(", ")");
            case node_kind::read_ref:
                return with_operands("ref_read(", ")");
            case node_kind::write_ref:
                return with_operands("ref_write(", ")");
            case node_kind::projection:
                todo_.push_back({task::field, n, level});
                return in_front(m_.operand(n, 0), level);
            case node_kind::apply:
                then({"(", {task::operands, n, level, 0, 1}, ")"});
                return in_front(m_.operand(n, 0), level);
            case node_kind::if_else:
                write("if (");
                return then({{task::value, m_.operand(n, 0), level},
                             ") {\n",
                             {task::block, m_.operand(n, 1), level, scopes_.first(n)},
                             "} else {\n",
                             {task::block, m_.operand(n, 2), level, scopes_.first(n) + 1},
                             "}"});
            case node_kind::match:
                write(m_.attributes(n).integer("complete", 1) != 0 ? "match (" : "match? (");
                return then({{task::value, m_.operand(n, 0), level}, ") {\n", {task::clauses, n, level, 0, 1}});
            case node_kind::let:
                write("(\n");
                return then({{task::let, n, level + 1}, {task::leave, 0, 0, 0, variables_.count()}, {task::spaces, 0, level}, ")"});
        }
    }

    /// What is called, or what a field is taken of. A number would take the point of a field for its own.
    void in_front(node_id n, std::uint32_t level) {
        const bool brackets = !lines_.has_line(n) && (m_.kind(n) == node_kind::constant || m_.kind(n) == node_kind::construct);
        if (brackets)
            then({"(", {task::value, n, level}, ")"});
        else
            todo_.push_back({task::value, n, level});
    }

    void operands(const task& t) {
        const node_id n = t.node;
        const bool is_first = t.next == (m_.kind(n) == node_kind::apply ? 1u : 0u);
        if (t.next < m_.arity(n)) {
            if (!is_first) write(", ");
            then({{task::value, m_.operand(n, t.next), t.level}, {task::operands, n, t.level, 0, t.next + 1}});
        } else if (m_.kind(n) == node_kind::call || m_.kind(n) == node_kind::apply) {
            attributes(n, is_first ? "" : ", ");
        }
    }

    void constant(node_id n) {
        const tensor& t = *m_.constant(n);
        if (const auto literal = relay_literal(t)) return write(*literal);
        if (constant_[n] == no_number) {
            constant_[n] = made_.constants.size();
            made_.constants.push_back(t);
        }
        write("meta[relay.Constant][");
        write_relay_number(text(), constant_[n]);
        write("]");
    }

    void function(node_id f, std::uint32_t level) {
        const std::size_t names = variables_.count();
        head(f);
        write(" {\n");
        then({{task::block, m_.result(f), level, scopes_.first(f)}, {task::leave, 0, 0, 0, names}, "}"});
    }

    /// A line for a node, and then the rest. Lines within it have lower numbers than it.
    void line(node_id n, const task& rest) {
        number_[n] = next_number_ + lines_.within(n);
        indent(rest.level);
        write("%");
        write_relay_number(text(), number_[n]);
        write(" = ");
        then({{task::whole, n, rest.level}, {task::end_line, 0, 0}, rest});
    }

    void lines(const task& t) {
        if (t.next < lines_.in(t.scope).size())
            return line(lines_.in(t.scope)[t.next], {task::lines, t.node, t.level, t.scope, t.next + 1});
        if (m_.kind(t.node) == node_kind::let && lines_.is_in_place(t.node)) return todo_.push_back({task::let, t.node, t.level});
        indent(t.level);
        then({{task::value, t.node, t.level}, "\n"});
    }

    /// Where the value reads the variable, its lines stand behind the variable, in brackets.
    void let(const task& t) {
        const scope_id around = scopes_.first(t.node);
        const node_id v = m_.operand(t.node, 0), bound = m_.operand(t.node, 1);
        const bool brackets = lines_.in(around).size() != 0 && scopes_.is_recursive(t.node);
        if (!brackets && t.next < lines_.in(around).size())
            return line(lines_.in(around)[t.next], {task::let, t.node, t.level, 0, t.next + 1});
        const task body{task::lines, m_.operand(t.node, 2), t.level, around + 1};
        indent(t.level);
        const bool is_nameless =
            m_.name(v).empty() && scopes_.home(v) == relay_scopes::nowhere && is_open_in_relay(m_.type(v)) && m_.where_number(v) == 0;
        if (!is_nameless) {
            write("let ");
            declaration(text(), v);
            write(" = ");
        }
        if (brackets)
            then({"(\n", {task::block, bound, t.level, around}, ");\n", body});
        else
            then({{task::value, bound, t.level}, ";\n", body});
    }

    void clauses(const task& t) {
        const auto* sizes = m_.attributes(t.node).get<std::vector<std::int64_t>>("clause_sizes");
        const std::size_t count = sizes == nullptr ? 0 : sizes->size(),
                          variables = t.scope < count ? static_cast<std::size_t>((*sizes)[t.scope]) : 0;
        if (t.scope == count || variables >= m_.arity(t.node) - std::min(t.next, m_.arity(t.node))) {
            indent(t.level);
            return write("}");
        }
        indent(t.level + 1);
        const std::size_t names = variables_.count();
        write(clause_pattern(t.node, t.scope, m_.operands(t.node).subspan(t.next, variables)));
        write(" => {\n");
        then({{task::block, m_.operand(t.node, t.next + variables), t.level + 1, scopes_.first(t.node) + t.scope},
              {task::leave, 0, 0, 0, names},
              "},\n",
              {task::clauses, t.node, t.level, t.scope + 1, t.next + variables + 1}});
    }
    /// The pattern of a clause. Where the node has none that fits its variables: all of them side by side.
    std::string clause_pattern(node_id match, std::size_t clause, std::span<const node_id> variables) {
        std::vector<std::string> declared(variables.size());
        for (std::size_t i = 0; i < variables.size(); ++i) declaration(declared[i], variables[i]);
        const auto* patterns = m_.attributes(match).get<std::vector<std::string>>("patterns");
        if (patterns != nullptr && clause < patterns->size())
            if (const auto p = read_match_pattern((*patterns)[clause]); p && p->variables() == variables.size())
                return pattern_text(*p, [&](std::size_t i) -> const std::string& { return declared[i]; });
        if (declared.empty()) return "_";
        std::string all;
        for (const std::string& d : declared) all += (all.empty() ? "" : ", ") + d;
        return declared.size() == 1 ? all : "(" + all + ")";
    }

    static constexpr std::size_t no_number = static_cast<std::size_t>(-1);

    const ir_module& m_;
    relay_lines lines_;
    const relay_scopes& scopes_;
    relay_variables variables_;
    std::vector<std::size_t> number_, constant_;  // by node: the number of its line; its index in the metadata
    std::unordered_map<const placement*, std::size_t> placements_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> tensors_;  // of attributes, by their content
    std::vector<task> todo_;
    std::size_t next_number_ = 0;
    relay_print made_;
};

}  // namespace detail

/// The module as Relay text, version 0.0.5, with what it refers to by an index beside it. Linear, but for nested scopes, whose depth adds a
/// logarithm; no recursion. A module's data types come first. Names of variables are told apart where one could be taken for another.
[[nodiscard]] inline relay_print print_relay(const ir_module& m) { return detail::relay_printer(m).print(); }

/// The text with its `#[metadata]`, if it refers to any: places of values, and constants other than scalars, which are printed as
/// `meta[relay.Constant][i]`, numbered in the order in which they first occur. `read_relay` reads an equal program from it. Targets have
/// the keys and defaults of `known`. Linear in text and constants.
[[nodiscard]] INLAY_FUNCTION std::string relay_text(const ir_module& m, const target_schemas& known);
/// The text with the keys and defaults of the library's own targets.
[[nodiscard]] INLAY_FUNCTION std::string relay_text(const ir_module& m);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ir/relay_text.ipp>
#endif

#endif
