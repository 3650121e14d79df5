// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PATTERN_TEXT_HPP
#define INLAY_PATTERN_TEXT_PATTERN_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/core/in_force.hpp>
#include <inlay/pattern/term/pattern_term.hpp>
#include <inlay/pattern/text/pattern_words.hpp>

namespace inlay {

namespace detail {

/// How tightly a form of the text binds: alternatives least, then conjunctions, then what stands before or behind one thing.
enum class text_level : std::uint8_t { alternatives, conjunctions, prefixed, suffixed };

/// Writes a pattern as text. Terms that stand in several places are written in each; a term inside itself is a reference.
class pattern_printer {
public:
    pattern_printer(const pattern_view& p, std::string_view dialect) : p_(p), dialect_(dialect) {}

    [[nodiscard]] std::string run() && {
        write(p_.root, text_level::alternatives);
        return std::move(text_);
    }

private:
    void write(term_id id, text_level least) {
        const pattern_term& t = p_[id];
        const text_level mine = in_force<"pattern.text.reads-back">() ? level_of(t) : text_level::suffixed;
        if (mine < least) text_ += '(';
        write(id, t);
        if (mine < least) text_ += ')';
    }

    /// Whether these alternatives are a call and its first operand alone, the same term: `Relu?(p)`. Written as that, what is optional in
    /// what is optional does not double.
    [[nodiscard]] bool is_optional(const pattern_term& t) const {
        if (t.kind != term_kind::either || t.count != 2) return false;
        const pattern_term& longer = p_[p_.child(t, 0)];
        const pattern_term& call = longer.kind == term_kind::attributes ? p_[p_.child(longer, 0)] : longer;
        return is_named_call(call) && call.count != 0 && p_.child(call, 0) == p_.child(t, 1);
    }
    static bool is_named_call(const pattern_term& t) { return t.kind == term_kind::node && t.node == node_kind::call && !t.names.empty(); }
    void write_optional(const pattern_term& t) {
        const pattern_term& longer = p_[p_.child(t, 0)];
        if (longer.kind == term_kind::attributes)
            write_node(p_[p_.child(longer, 0)], &longer, true);
        else
            write_node(longer, nullptr, true);
    }

    [[nodiscard]] text_level level_of(const pattern_term& t) const {
        switch (t.kind) {
            case term_kind::either:
                if (is_optional(t)) return text_level::suffixed;
                return t.count < 2 ? text_level::prefixed : text_level::alternatives;
            case term_kind::both:
                return t.count < 2 ? text_level::prefixed : text_level::conjunctions;
            case term_kind::capture:
                return p_[p_.child(t, 0)].kind == term_kind::any ? text_level::suffixed : text_level::prefixed;
            case term_kind::no:
            case term_kind::reference:
                return text_level::prefixed;
            default:
                return text_level::suffixed;
        }
    }

    void write(term_id id, const pattern_term& t) {
        switch (t.kind) {
            case term_kind::any:
                text_ += '*';
                return;
            case term_kind::node:
                return write_node(t);
            case term_kind::literal:
                text_ += number_text(t.number, false);
                return;
            case term_kind::value:
                text_ += "const#" + to_string(t.content);
                return;
            case term_kind::either:
                if (is_optional(t)) return write_optional(t);
                if (t.count == 0) text_ += "!*";
                return write_alternatives(t);
            case term_kind::both:
                if (t.count == 0) text_ += '*';
                return write_list(t, " & ", text_level::prefixed);
            case term_kind::no:
                text_ += '!';
                return write(p_.child(t, 0), text_level::prefixed);
            case term_kind::capture:
                text_ += '?';
                write_name(t.name);
                if (p_[p_.child(t, 0)].kind == term_kind::any) return;
                text_ += ':';
                return write(p_.child(t, 0), text_level::prefixed);
            case term_kind::reference:
                return write_reference(id, t);
            case term_kind::attributes: {
                const pattern_term& of = p_[p_.child(t, 0)];
                if (is_named_call(of)) return write_node(of, &t);
                write(p_.child(t, 0), text_level::suffixed);
                return write_guards(t.guards);
            }
            case term_kind::type:
                write(p_.child(t, 0), text_level::suffixed);
                text_ += '{';
                write_type(*t.type);
                text_ += '}';
                return;
            case term_kind::repeat:
                text_ += "repeat";
                if (t.least != 0 || t.most != pattern_term::unbounded)
                    text_ += '[' + std::to_string(t.least) + ".." + (t.most == pattern_term::unbounded ? "" : std::to_string(t.most)) + ']';
                return write_children(t);
            case term_kind::hole:
                text_ += '_';
                return;
            case term_kind::custom_matcher:
                text_ += '$';
                write_name(t.name);
                return write_children(t);
            case term_kind::dominates:
                text_ += "dominates";
                return write_children(t);
        }
    }

    /// A reference stands with its meaning, but with its name alone where that name means the same already: inside the meaning, and behind
    /// it.
    void write_reference(term_id id, const pattern_term& t) {
        // A name that means itself anew means what the last one does.
        term_id definition = id;
        for (term_id next = p_.child(t, 0); next != id && p_[next].kind == term_kind::reference && p_[next].name == t.name;
             next = p_.child(p_[next], 0))
            definition = next;
        text_ += '%';
        write_name(t.name);
        const auto known = meaning_.find(t.name);
        if (known != meaning_.end() && known->second == definition) return;
        meaning_[t.name] = definition;
        text_ += ':';
        write(p_.child(p_[definition], 0), text_level::prefixed);
        meaning_[t.name] = definition;
    }

    void write_list(const pattern_term& t, std::string_view between, text_level least) {
        for (std::size_t i = 0; i < t.count; ++i) {
            if (i != 0) text_ += between;
            write(p_.child(t, i), least);
        }
    }
    /// Alternatives of alternatives are tried in the order in which they stand, so they need no parentheses.
    void write_alternatives(const pattern_term& t) {
        for (std::size_t i = 0; i < t.count; ++i) {
            if (i != 0) text_ += " | ";
            const pattern_term& one = p_[p_.child(t, i)];
            if (one.kind == term_kind::either && one.count > 1 && !is_optional(one))
                write_alternatives(one);
            else
                write(p_.child(t, i), t.count < 2 ? text_level::prefixed : text_level::conjunctions);
        }
    }
    void write_children(const pattern_term& t) {
        text_ += '(';
        write_list(t, ", ", text_level::alternatives);
        if (t.open) text_ += t.count == 0 ? "..." : ", ...";
        text_ += ')';
    }

    void write_node(const pattern_term& t, const pattern_term* guarded = nullptr, bool optional = false) {
        if (t.node == node_kind::constant) {
            text_ += "const";
            return;
        }
        if (t.node == node_kind::projection) {
            // A digit and a dot behind a number would be read as part of the number.
            const bool is_number = p_[p_.child(t, 0)].kind == term_kind::literal;
            if (is_number) text_ += '(';
            write(p_.child(t, 0), text_level::suffixed);
            if (is_number) text_ += ')';
            text_ += t.place == pattern_term::unbounded ? std::string(".*") : '.' + std::to_string(t.place);
            return;
        }
        if (t.node == node_kind::tuple && !t.unordered) {
            if (t.count != 1 || t.open) return write_children(t);
            text_ += '(';
            write(p_.child(t, 0), text_level::alternatives);
            text_ += ",)";
            return;
        }
        if (t.node == node_kind::call)
            write_operators(t.names);
        else
            write_word(t);
        if (optional) text_ += '?';
        if (t.unordered) {
            text_ += '~';
            if (t.most != pattern_term::unbounded) text_ += std::to_string(t.most);
        }
        if (guarded != nullptr) write_guards(guarded->guards);
        // A named operator alone takes any operands.
        if (t.node == node_kind::call && t.open && t.count == 0 && !t.names.empty() && !t.unordered) return;
        if (t.node == node_kind::input || t.node == node_kind::global) return;
        // A function pattern with a result alone is written with '...' for its parameters.
        if (t.node == node_kind::function && t.open && t.count != 0) {
            text_ += "(..., ";
            write(p_.child(t, 0), text_level::alternatives);
            text_ += ')';
            return;
        }
        write_children(t);
    }
    void write_operators(std::span<const std::string_view> names) {
        if (names.empty()) text_ += '*';
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i != 0) text_ += '/';
            write_operator(names[i]);
        }
    }
    void write_word(const pattern_term& t) {
        text_ += word_of(t.node);
        for (std::size_t i = 0; i < t.names.size(); ++i) {
            text_ += i == 0 ? ' ' : '/';
            text_ += in_quotes(t.names[i]);
        }
    }

    void write_operator(std::string_view name) {
        if (!dialect_.empty() && name.size() > dialect_.size() + 1 && name.starts_with(dialect_) && name[dialect_.size()] == '.') {
            const std::string_view rest = name.substr(dialect_.size() + 1);
            if (is_plain_operator(rest) && rest.find('.') == std::string_view::npos) {
                text_ += rest;
                return;
            }
        }
        // What stands in quotes is of no dialect but the one that is written.
        if (is_plain_operator(name) && (dialect_.empty() || name.find('.') != std::string_view::npos))
            text_ += name;
        else
            text_ += in_quotes(name);
    }
    void write_name(std::string_view name) { text_ += name_text(name); }

    void write_guards(std::span<const attribute_guard> guards) {
        using form = attribute_guard::form;
        text_ += '[';
        for (std::size_t i = 0; i < guards.size(); ++i) {
            const attribute_guard& g = guards[i];
            if (i != 0) text_ += ", ";
            if (g.kind == form::absent) text_ += '!';
            if (g.kind == form::like) text_ += '?';
            write_name(g.name);
            if (g.kind == form::absent || g.kind == form::present || g.kind == form::like) continue;
            text_ += '=';
            const auto list = [&](const auto& values, auto&& one) {
                text_ += '[';
                for (std::size_t k = 0; k < values.size(); ++k) {
                    if (k != 0) text_ += ',';
                    one(values[k]);
                }
                text_ += ']';
            };
            const auto integer = [&](std::int64_t v) { text_ += std::to_string(v); };
            const auto number = [&](double v) { text_ += number_text(v, true); };
            const auto word = [&](std::string_view v) { text_ += in_quotes(v); };
            switch (g.kind) {
                case form::integer:
                    integer(g.integers[0]);
                    break;
                case form::number:
                    number(g.numbers[0]);
                    break;
                case form::text:
                    word(g.texts[0]);
                    break;
                case form::integers:
                    list(g.integers, integer);
                    break;
                case form::numbers:
                    list(g.numbers, number);
                    break;
                case form::texts:
                    list(g.texts, word);
                    break;
                case form::present:
                case form::absent:
                case form::like:
                    break;
            }
        }
        text_ += ']';
    }

    void write_type(const type_guard& t) {
        switch (t.kind) {
            case type_guard::form::anything:
                text_ += '?';
                return;
            case type_guard::form::tuple:
                text_ += '(';
                for (std::size_t i = 0; i < t.fields.size(); ++i) {
                    if (i != 0) text_ += ", ";
                    write_type(t.fields[i]);
                }
                if (t.open)
                    text_ += t.fields.empty() ? "..." : ", ...";
                else if (t.fields.size() == 1)
                    text_ += ',';
                text_ += ')';
                return;
            case type_guard::form::tensor:
                break;
        }
        if (t.element != element_type::none)
            text_ += name_of(t.element);
        else if (!t.shaped)
            text_ += "tensor";
        if (!t.shaped) return;
        text_ += '[';
        for (std::size_t i = 0; i < t.extents.size(); ++i) {
            if (i != 0) text_ += ',';
            const extent_guard& e = t.extents[i];
            if (e.size >= 0)
                text_ += std::to_string(e.size);
            else if (e.symbol.empty())
                text_ += '?';
            else
                write_name(e.symbol);
        }
        if (t.open) text_ += t.extents.empty() ? "*" : ",*";
        text_ += ']';
    }

    const pattern_view& p_;
    std::string_view dialect_;
    std::map<std::string_view, term_id> meaning_;  // what a name means at the place that is written
    std::string text_;
};

}  // namespace detail

/// A pattern as text, which `parse_pattern` reads back. Operators of the dialect are written without it. O(text), which is a pattern's size
/// with what stands in several places counted in each.
[[nodiscard]] inline std::string to_text(const pattern_view& p, std::string_view dialect = {}) {
    return detail::pattern_printer(p, dialect).run();
}

}  // namespace inlay

#endif
