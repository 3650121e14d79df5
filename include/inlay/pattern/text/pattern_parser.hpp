// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PATTERN_PARSER_HPP
#define INLAY_PATTERN_TEXT_PATTERN_PARSER_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/attribute_guard_parser.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>
#include <inlay/pattern/text/pattern_words.hpp>
#include <inlay/pattern/text/read_number.hpp>
#include <inlay/pattern/text/text_cursor.hpp>
#include <inlay/pattern/text/type_guard_parser.hpp>

namespace inlay {

namespace detail {
/// What the value holds that a guard asks for, or a rule sets; nothing where no value is named.
[[nodiscard]] inline std::optional<attribute_form> form_of(const attribute_guard& g) {
    switch (g.kind) {
        case attribute_guard::form::integer:
            return attribute_form::integer;
        case attribute_guard::form::number:
            return attribute_form::number;
        case attribute_guard::form::text:
            return attribute_form::text;
        case attribute_guard::form::integers:
            return g.integers.empty() ? std::nullopt : std::optional(attribute_form::integers);
        case attribute_guard::form::numbers:
            return attribute_form::numbers;
        case attribute_guard::form::texts:
            return attribute_form::texts;
        default:
            return std::nullopt;
    }
}
}  // namespace detail

/// Reads patterns from a cursor into a builder. docs/pattern.md has the grammar.
class pattern_parser {
public:
    pattern_parser(text_cursor& cursor, pattern_builder& builder, const pattern_text_options& options)
        : c_(cursor), b_(builder), options_(options) {}

    /// One pattern, from the cursor's place to where it cannot go on.
    outcome<term_id> pattern() { return alternatives(); }

private:
    using parsed = outcome<term_id>;

    struct deeper {
        std::size_t& depth;
        explicit deeper(std::size_t& d) : depth(++d) {}
        ~deeper() { --depth; }
    };

    parsed add(const pattern_term& t, std::span<const term_id> children) {
        if (in_force<"pattern.text.hostile">() && b_.size() >= options_.most_terms)
            return c_.fault("the pattern has more than " + std::to_string(options_.most_terms) + " terms; split it into several");
        std::size_t height = 0;
        for (const term_id c : children) height = height > heights_[c] ? height : heights_[c];
        if (height + 1 > options_.most_depth) return too_deep();
        const term_id made = b_.add(t, children);
        heights_.resize(made + 1);
        heights_[made] = height + 1;
        return made;
    }
    [[nodiscard]] error too_deep() const {
        return c_.fault("the pattern is nested more than " + std::to_string(options_.most_depth) +
                        " deep; name parts of it, or tell it in several patterns");
    }
    parsed over(pattern_term t, term_id child) { return add(t, std::span<const term_id>(&child, 1)); }
    parsed leaf(pattern_term t) { return add(t, {}); }
    static pattern_term of(term_kind k) {
        pattern_term t;
        t.kind = k;
        return t;
    }
    static pattern_term of(node_kind k) {
        pattern_term t = of(term_kind::node);
        t.node = k;
        return t;
    }

    parsed alternatives() {
        const deeper level(depth_);
        if (depth_ > options_.most_depth) return too_deep();
        return joined(term_kind::either, '|', [&] { return joined(term_kind::both, '&', [&] { return prefixed(); }); });
    }
    template <class Part>
    parsed joined(term_kind kind, char sign, Part&& part) {
        parsed first = part();
        if (!first || c_.next() != sign) return first;
        std::vector<term_id> children{*first};
        while (c_.take(std::string_view(&sign, 1))) {
            parsed next = part();
            if (!next) return next;
            children.push_back(*next);
        }
        return add(of(kind), children);
    }

    parsed prefixed() {
        const deeper level(depth_);
        if (depth_ > options_.most_depth) return too_deep();
        if (c_.take("!")) {
            const parsed p = prefixed();
            return p ? over(of(term_kind::no), *p) : p;
        }
        if (c_.next() == '?') return capture();
        if (c_.next() == '%') return reference();
        return suffixed();
    }

    parsed capture() {
        c_.take("?");
        const auto n = read_name(c_, "a name behind '?', as in ?x");
        if (!n) return n.failure();
        pattern_term t = of(term_kind::capture);
        t.name = *n;
        b_.slot(*n);
        const bool told = c_.take(":");
        const parsed p = told ? prefixed() : leaf({});
        if (!p) return p;
        return told ? over(t, *p) : suffixes(over(t, *p));
    }

    /// `%name:p` gives p a name, under which it may stand again, inside itself and to its right: `%name`.
    parsed reference() {
        const std::size_t place = c_.place();
        c_.take("%");
        const auto n = read_name(c_, "a name behind '%', as in %chain");
        if (!n) return n.failure();
        const auto known = meaning_.find(*n);
        if (!c_.take(":")) {
            if (known == meaning_.end())
                return c_.fault("nothing to the left or around defines %" + detail::name_text(*n) + "; define it as in %" +
                                    detail::name_text(*n) + ":p",
                                place);
            pattern_term t = of(term_kind::reference);
            t.name = *n;
            return suffixes(over(t, known->second));
        }
        if (b_.size() >= options_.most_terms) return add({}, {});
        const term_id defined = b_.declare(*n);
        heights_.resize(defined + 1);
        meaning_[*n] = defined;
        const parsed p = prefixed();
        if (!p) return p;
        b_.define(defined, *p);
        heights_[defined] = heights_[*p] + 1;
        meaning_[*n] = defined;
        return defined;
    }

    parsed suffixed() { return suffixes(primary()); }
    /// What stands behind one thing: its type, its attributes, the field of a tuple.
    parsed suffixes(parsed p) {
        while (p) {
            if (c_.take("{")) {
                type_guard_parser types(c_, options_.most_depth);
                const auto t = types.read(depth_);
                if (!t) return t.failure();
                if (!c_.take("}")) return c_.expected("'}' behind a type");
                pattern_term guard = of(term_kind::type);
                guard.type = &*t;
                p = over(guard, *p);
            } else if (c_.next() == '[') {
                p = guarded(*p);
            } else if (c_.next() == '.' && !c_.looking_at("..")) {
                c_.take(".");
                pattern_term field = of(node_kind::projection);
                if (!c_.take("*")) {
                    const auto number = read_whole(c_, "the number of a field, or '*' for any, behind '.'");
                    if (!number) return number.failure();
                    field.place = *number;
                }
                p = over(field, *p);
            } else {
                break;
            }
        }
        return p;
    }

    parsed primary() {
        if (c_.next() == '(') return parenthesis();
        if (c_.next() == '$') return c_.fault("what a back end reads by a function of its own, '$', is not read from text");
        if (c_.take_word("const")) {
            if (!c_.take("#")) return leaf(of(node_kind::constant));
            return content();
        }
        if (c_.take_word("_")) return leaf(of(term_kind::hole));
        if (c_.take_word("repeat")) return repetition();
        if (c_.take_word("dominates")) {
            auto children = operands(nullptr, true);
            if (!children) return children.failure();
            if (children->size() != 3) return c_.fault("dominates takes three patterns: the parent, the path and the child");
            return add(of(term_kind::dominates), *children);
        }
        if ((c_.next() >= '0' && c_.next() <= '9') || c_.next() == '-' || c_.looking_at("inf") || c_.looking_at("nan")) {
            // A name that begins like a number is an operator.
            text_cursor ahead = c_;
            const std::string_view name = ahead.take_name(true);
            if (name.empty() || name == "inf" || name == "nan") {
                const auto v = read_number(c_);
                if (!v) return v.failure();
                pattern_term t = of(term_kind::literal);
                t.number = *v;
                return leaf(t);
            }
        }
        return node();
    }

    parsed content() {
        const std::size_t place = c_.place();
        digest d;
        std::size_t count = 0;
        const auto read = [&](std::uint64_t& half) {
            for (int i = 0; i < 16; ++i) {
                const std::size_t value = std::string_view("0123456789abcdef").find(c_.next());
                if (value == std::string_view::npos || c_.at_end()) return;
                half = half * 16 + value;
                c_.take(std::string_view("0123456789abcdef").substr(value, 1));
                ++count;
            }
        };
        read(d.high);
        read(d.low);
        if (count != 32) return c_.fault("expected the 32 hexadecimal digits of a constant's content behind 'const#'", place);
        pattern_term t = of(term_kind::value);
        t.content = d;
        return leaf(t);
    }

    parsed repetition() {
        pattern_term t = of(term_kind::repeat);
        if (c_.take("[")) {
            const auto least = read_whole(c_, "how often at least, as in repeat[0..4]");
            if (!least) return least.failure();
            t.least = *least;
            if (!c_.take("..")) return c_.expected("'..' between how often at least and at most");
            if (c_.next() != ']') {
                const std::size_t place = c_.place();
                const auto most = read_whole(c_, "how often at most, as in repeat[0..4]");
                if (!most) return most.failure();
                t.most = *most;
                if (t.most < t.least)
                    return c_.fault(
                        "a repetition at most " + std::to_string(t.most) + " times is less than its least, " + std::to_string(t.least),
                        place);
            }
            if (!c_.take("]")) return c_.expected("']' behind how often a step is repeated");
        }
        const auto children = operands(nullptr, true);
        if (!children) return children.failure();
        if (children->size() != 2) return c_.fault("repeat takes two patterns: the step, with '_' for what it is applied to, and the base");
        return add(t, *children);
    }

    /// Patterns in parentheses, with commas between them. `open`: where to say that '...' stood last; null: it may not.
    outcome<std::vector<term_id>> operands(bool* open, bool demanded) {
        std::vector<term_id> list;
        if (!c_.take("(")) {
            if (demanded) return c_.expected("'('");
            return list;
        }
        if (c_.take(")")) return list;
        for (;;) {
            if (open != nullptr && c_.take("...")) {
                *open = true;
                if (!c_.take(")")) return c_.expected("')' behind '...', which stands last");
                return list;
            }
            const parsed p = alternatives();
            if (!p) return p.failure();
            list.push_back(*p);
            if (c_.take(")")) return list;
            if (!c_.take(",")) return c_.expected("',' or ')'");
        }
    }

    /// A pattern in parentheses, or a tuple: `()`, `(p,)`, `(p, q)`, `(p, ...)`, `(...)`.
    parsed parenthesis() {
        c_.take("(");
        pattern_term t = of(node_kind::tuple);
        std::vector<term_id> fields;
        if (c_.take(")")) return add(t, fields);
        for (;;) {
            if (c_.take("...")) {
                t.open = true;
                if (!c_.take(")")) return c_.expected("')' behind '...', which stands last");
                return add(t, fields);
            }
            const parsed p = alternatives();
            if (!p) return p;
            fields.push_back(*p);
            if (c_.take(")")) return fields.size() == 1 ? *p : add(t, fields);
            if (!c_.take(",")) return c_.expected("',' or ')'");
            if (c_.take(")")) return add(t, fields);
        }
    }

    parsed node() {
        pattern_term t = of(node_kind::call);
        std::vector<std::string> names;
        bool named = false;
        const std::size_t begin = c_.place();
        if (c_.take("*")) {
            if (c_.next() != '(' && c_.next() != '~') return leaf({});
        } else {
            const std::size_t place = c_.place();
            const bool is_quoted = c_.next() == '"';
            const auto first = operator_name();
            if (!first) return first.failure();
            if (const auto word = is_quoted ? std::nullopt : detail::node_kind_named(*first)) return other_node(*word);
            if (!is_quoted && detail::is_reserved(*first))
                return c_.fault("the word " + *first + " means something else here; an operator of that name stands in quotes", place);
            named = true;
            names.push_back(is_quoted ? *first : with_dialect(*first));
            while (c_.take("/")) {
                const bool next_quoted = c_.next() == '"';
                const auto next = operator_name();
                if (!next) return next.failure();
                names.push_back(next_quoted ? *next : with_dialect(*next));
            }
        }
        const bool optional = named && c_.take("?");
        if (auto wrong = order(t)) return std::move(*wrong);
        std::vector<std::string_view> views(names.begin(), names.end());
        t.names = views;
        attribute_guard_parser reader(c_, options_.builds);
        std::vector<attribute_guard> guards;
        const bool has_guards = c_.next() == '[';
        if (has_guards) {
            auto read = reader.read();
            if (!read) return read.failure();
            guards = std::move(*read);
        }
        if (auto known = check(names, guards, begin); !known) return known.failure();
        std::vector<term_id> children;
        if (c_.next() == '(') {
            auto list = operands(&t.open, true);
            if (!list) return list.failure();
            children = std::move(*list);
        } else {
            t.open = true;
        }
        if (optional && children.empty())
            return c_.fault("an optional operator takes what it may stand around as its first operand, as in Relu?(p)");
        parsed made = add(t, children);
        if (made && has_guards) {
            pattern_term g = of(term_kind::attributes);
            g.guards = guards;
            made = over(g, *made);
        }
        if (!made || !optional) return made;
        term_id either[] = {*made, children[0]};
        if (!in_force<"pattern.optional.longer-first">()) std::swap(either[0], either[1]);
        return add(of(term_kind::either), either);
    }

    /// Whether the operators, which a call may be of, are known and have the attributes. What a pattern that is looked for asks of a value
    /// is its own affair; what a rule sets has to be of the attribute's form.
    [[nodiscard]] outcome<void> check(const std::vector<std::string>& names, std::span<const attribute_guard> guards, std::size_t place) {
        if (options_.check == nullptr) return {};
        std::vector<attribute_use> uses;
        for (const attribute_guard& g : guards)
            if (g.kind != attribute_guard::form::like) uses.push_back({g.name, options_.builds ? detail::form_of(g) : std::nullopt});
        for (const std::string& name : names)
            if (auto known = options_.check(name, uses, call_place::pattern); !known)
                return c_.fault("this call of " + detail::name_text(name) + " " + known.failure().message, place);
        return {};
    }

    outcome<std::string> operator_name() {
        if (c_.next() == '"') return c_.take_quoted();
        const std::string_view n = c_.take_name(true);
        if (n.empty()) return c_.expected("a pattern: an operator, '*', const, input, ?name");
        return std::string(n);
    }
    [[nodiscard]] std::string with_dialect(std::string name) const {
        return options_.dialect.empty() || name.find('.') != std::string::npos ? name : options_.dialect + "." + name;
    }

    /// '~' for any order of the operands, and how many from the first are looked at.
    std::optional<error> order(pattern_term& t) {
        if (!c_.take("~")) return std::nullopt;
        t.unordered = true;
        if (c_.next() < '0' || c_.next() > '9') return std::nullopt;
        const auto most = read_whole(c_, "a number of operands behind '~'");
        if (!most) return most.failure();
        t.most = *most;
        return std::nullopt;
    }

    /// A node that is no call of an operator.
    parsed other_node(node_kind kind) {
        pattern_term t = of(kind);
        std::vector<std::string> names;
        while (c_.next() == '"') {
            auto n = c_.take_quoted();
            if (!n) return n.failure();
            names.push_back(std::move(*n));
            if (!c_.take("/")) break;
        }
        std::vector<std::string_view> views(names.begin(), names.end());
        t.names = views;
        if (kind == node_kind::input || kind == node_kind::global) return leaf(t);
        if (auto wrong = order(t)) return std::move(*wrong);
        if (kind == node_kind::function && c_.looking_at("(")) {
            text_cursor ahead = c_;
            ahead.take("(");
            if (ahead.take("...")) {
                c_ = ahead;
                t.open = true;
                if (c_.take(")")) return leaf(t);
                if (!c_.take(",")) return c_.expected("')', or ',' and the function's result, behind '...'");
                const parsed result = alternatives();
                if (!result) return result;
                if (!c_.take(")")) return c_.expected("')' behind the function's result");
                return over(t, *result);
            }
        }
        const auto children = operands(&t.open, true);
        if (!children) return children.failure();
        if (kind == node_kind::function && t.open) return c_.fault("in fn the '...' stands first, for the parameters: fn(..., result)");
        return add(t, *children);
    }

    parsed guarded(term_id p) {
        attribute_guard_parser reader(c_, options_.builds);
        const auto guards = reader.read();
        if (!guards) return guards.failure();
        pattern_term t = of(term_kind::attributes);
        t.guards = *guards;
        return over(t, p);
    }

    text_cursor& c_;
    pattern_builder& b_;
    const pattern_text_options& options_;
    std::map<std::string, term_id> meaning_;  // what a name stands for from here on
    std::size_t depth_ = 0;
    std::vector<std::size_t> heights_;  // of each term made here: how deep it is
};

}  // namespace inlay

#endif
